import Streams
import StreamsTesting
import Testing

/// `flatMap` gives a `Just` no subscriber of its own where it need not; nobody may notice.
@Suite struct FlatMapJustTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  let upstream = TestPublisher<Int, Never>()

  @Test func asksForAnotherPublisherAfterEach() {
    upstream.flatMap(maxPublishers: .max(2)) { Just($0) }.subscribe(Recorder())
    #expect(upstream.send(1) == .none)
    #expect(upstream.ledger.requests == [.max(2), .max(1)])
    upstream.send(completion: .finished)
    #expect(upstream.ledger.requests == [.max(2), .max(1)])
  }

  @Test func finishesWithItsUpstream() {
    let recorder = Recorder()
    upstream.flatMap { Just($0) }.subscribe(recorder)
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .completion(.finished)])
  }

  @Test func aFinishWithinAValueComesAfterIt() {
    let recorder = Recorder()
    recorder.onValue = { [upstream, unowned recorder] _ in
      upstream.send(completion: .finished)
      #expect(recorder.completions.isEmpty)
      return .none
    }
    upstream.flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(recorder)
    upstream.send(1)
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .completion(.finished)])
    #expect(upstream.ledger.requests == [.max(1)])
  }

  @Test func limitedDemandCounts() {
    let recorder = Recorder(initialDemand: .max(1))
    upstream.flatMap { Just($0) }.subscribe(recorder)
    for value in 1...3 { upstream.send(value) }
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 2])
    #expect(recorder.overdrawn == 0)
  }

  @Test func nothingComesAfterTheCancellation() {
    let recorder = Recorder()
    recorder.onValue = { [upstream, unowned recorder] _ in
      recorder.cancel()
      upstream.send(2)
      return .none
    }
    upstream.flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(recorder)
    upstream.send(1)
    upstream.send(3)
    #expect(recorder.values == [1])
    #expect(upstream.ledger.entries.filter { $0 != .delivered(1) } == [.requested(.max(1)), .cancelled])
  }
}
