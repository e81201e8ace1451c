import Foundation
import StreamsFoundation
import StreamsTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One after the other: a port that is unused in one test must not be used in another.
@Suite(.serialized) struct URLSessionTests {
  typealias Recorder = RecordingSubscriber<URLSession.DataTaskPublisher.Output, URLError>

  /// Waits for the completion of a publisher of data and responses.
  private func result(
    of publisher: URLSession.DataTaskPublisher
  ) -> Result<URLSession.DataTaskPublisher.Output?, URLError> {
    let done = DispatchSemaphore(value: 0)
    let recorder = Recorder(initialDemand: .max(1))
    recorder.onCompletion = { _ in done.signal() }
    publisher.subscribe(recorder)
    done.wait()
    #expect(recorder.completions.count == 1)
    if case .failure(let error) = recorder.completions.first { return .failure(error) }
    return .success(recorder.values.first)
  }

  @Test func loadsFromAServer() throws {
    let server = try LoopbackServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    let loaded = try result(of: URLSession.shared.dataTaskPublisher(for: server.url)).get()
    withExtendedLifetime(server) {}
    #expect(loaded.map { String(decoding: $0.data, as: UTF8.self) } == "hello")
    #expect((loaded?.response as? HTTPURLResponse)?.statusCode == 200)
  }

  @Test func sendsEmptyDataForAnEmptyResponse() throws {
    let server = try LoopbackServer(response: "HTTP/1.1 204 No Content\r\n\r\n")
    let loaded = try result(of: URLSession.shared.dataTaskPublisher(for: URLRequest(url: server.url))).get()
    withExtendedLifetime(server) {}
    #expect(loaded?.data == Data())
    #expect((loaded?.response as? HTTPURLResponse)?.statusCode == 204)
  }

  @Test func failsWithTheSessionsError() throws {
    let url = try LoopbackServer.unusedURL()
    #expect(throws: URLError.self) { try result(of: URLSession.shared.dataTaskPublisher(for: url)).get() }
  }

  /// The session answers on a queue of its own, perhaps while the subscriber gets its subscription: then the answer
  /// waits its turn.
  @Test func answersAfterTheSubscription() throws {
    let server = try LoopbackServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
    let done = DispatchSemaphore(value: 0)
    let queue = OperationQueue()
    let session = URLSession(configuration: .default, delegate: nil, delegateQueue: queue)
    let recorder = Recorder(initialDemand: .none)
    recorder.onSubscription = { subscription in
      subscription.request(.max(1))
      while queue.operationCount == 0 { sched_yield() }
      #expect(recorder.values.isEmpty)
    }
    recorder.onCompletion = { _ in done.signal() }
    session.dataTaskPublisher(for: server.url).subscribe(recorder)
    done.wait()
    withExtendedLifetime(server) {}
    #expect(recorder.overlapCount == 0)
    #expect(recorder.values.count == 1)
  }

  @Test func loadsNothingWithoutDemand() throws {
    let server = try LoopbackServer(response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let recorder = Recorder(initialDemand: .none)
    let publisher = URLSession.shared.dataTaskPublisher(for: server.url)
    publisher.subscribe(recorder)
    let subscription = recorder.subscriptions[0]
    #expect("\(subscription)" == "DataTaskPublisher")
    let labels = Mirror(reflecting: subscription).children.map(\.label)
    #expect(labels == ["task", "downstream", "parent", "demand"])
    recorder.cancel()
    recorder.request(.max(1))
    #expect(server.connectionCount == 0)
    #expect(recorder.events.count == 1)
  }

  private static let address = URL(string: "http://127.0.0.1/")!

  private func session(
    of kind: Silence.Type, delegate: (any URLSessionDelegate)? = nil
  ) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [kind]
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
  }

  @Test func cancellingStopsTheTask() {
    let recorder = Recorder(initialDemand: .max(1))
    session(of: AnnouncedSilence.self).dataTaskPublisher(for: Self.address).subscribe(recorder)
    AnnouncedSilence.begun.wait()
    recorder.cancel()
    AnnouncedSilence.stopped.wait()
    #expect(recorder.events.count == 1)
  }

  /// A task that never ran would stay with its session, which could then not become invalid.
  @Test func leavesNoTaskBehindWhenCancelledDuringTheRequest() {
    let invalidation = Invalidation()
    let session = session(of: Silence.self, delegate: invalidation)
    for _ in 0..<200 {
      let recorder = Recorder(initialDemand: .none)
      session.dataTaskPublisher(for: Self.address).subscribe(recorder)
      nonisolated(unsafe) let shared = recorder
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 { shared.request(.max(1)) } else { shared.cancel() }
      }
      #expect(recorder.events.count == 1)
    }
    session.finishTasksAndInvalidate()
    #expect(invalidation.done.wait(timeout: .now() + 20) == .success)
  }

  @Test func anErrorOfTheSessionPassesAndAnyOtherIsUnknown() {
    for (kind, code) in [(Refusal.self as Silence.Type, URLError.Code.timedOut), (Oddity.self, .unknown)] {
      let done = DispatchSemaphore(value: 0)
      let recorder = Recorder()
      recorder.onCompletion = { _ in done.signal() }
      session(of: kind).dataTaskPublisher(for: Self.address).subscribe(recorder)
      done.wait()
      guard case .failure(let error) = recorder.completions.first else {
        Issue.record("no failure")
        return
      }
      #expect(error.code == code)
    }
  }

  @Test func mirrorsItsDemand() {
    let recorder = Recorder(initialDemand: .max(1))
    session(of: Silence.self).dataTaskPublisher(for: Self.address).subscribe(recorder)
    recorder.request(.max(2))
    let mirror = Mirror(reflecting: recorder.subscriptions[0])
    #expect(mirror.descendant("demand") as? Subscribers.Demand == .max(3))
    recorder.cancel()
  }

  @Test func aRequestForNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      let recorder = Recorder(initialDemand: .none)
      URLSession.shared.dataTaskPublisher(for: URL(string: "http://127.0.0.1/")!).subscribe(recorder)
      recorder.request(.none)
    }
  }
}

/// Answers no request.
private class Silence: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func startLoading() {}
  override func stopLoading() {}
}

/// Answers each request with an error of its session.
private final class Refusal: Silence {
  override func startLoading() { client?.urlProtocol(self, didFailWithError: URLError(.timedOut)) }
}

/// Answers each request with an error that no session has.
private final class Oddity: Silence {
  override func startLoading() { client?.urlProtocol(self, didFailWithError: CocoaError(.fileNoSuchFile)) }
}

/// Tells when it is to begin and to stop.
private final class AnnouncedSilence: Silence {
  static let begun = DispatchSemaphore(value: 0)
  static let stopped = DispatchSemaphore(value: 0)

  override func startLoading() { Self.begun.signal() }
  override func stopLoading() { Self.stopped.signal() }
}

private final class Invalidation: NSObject, URLSessionDelegate {
  let done = DispatchSemaphore(value: 0)

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { done.signal() }
}
