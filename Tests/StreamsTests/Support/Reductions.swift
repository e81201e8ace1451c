import Streams
import StreamsTesting
import Testing

/// What a reduction of the values 1 to 5 is expected to do.
struct Reduction<P: Publisher> where P.Output: Equatable {
  /// How the subscription describes itself.
  let name: String
  /// The result, nil if there is none.
  let result: P.Output?
  /// The result when the upstream finishes without values, nil if there is none.
  let resultOfNothing: P.Output?
  /// The value after which the result is known; nil if it takes the upstream's end.
  var lastNeeded: Int?
  /// Builds the operator.
  let make: (TestPublisher<Int, TestFailure>) -> P
}

extension Reduction {
  typealias Recorder = RecordingSubscriber<P.Output, P.Failure>

  /// Everything that Combine's reductions have in common.
  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    waitsForDemand(sourceLocation)
    sendsTheResultAtOnceWhenThereIsDemand(sourceLocation)
    finishesWithoutValues(sourceLocation)
    failsAtOnce(sourceLocation)
    requestsUnlimitedAfterItsSubscription(sourceLocation)
    ignoresASecondSubscription(sourceLocation)
    ignoresWhatComesBeforeTheSubscription(sourceLocation)
    cancels(sourceLocation)
    owesTheResultInTheHandshake(sourceLocation)
    describesItself(sourceLocation)
  }

  private func subscribe(
    initialDemand: Subscribers.Demand, sendsSubscription: Bool = true
  ) -> (TestPublisher<Int, TestFailure>, Recorder) {
    let upstream = TestPublisher<Int, TestFailure>(sendsSubscription: sendsSubscription)
    let recorder = Recorder(initialDemand: initialDemand)
    make(upstream).subscribe(recorder)
    return (upstream, recorder)
  }

  private func events(_ recorder: Recorder) -> [String] { recorder.events.map { "\($0)" } }

  private func expectedEvents(_ result: P.Output?) -> [String] {
    var events = ["subscription(\(name))", "finished"]
    if let result { events.insert("value(\(result))", at: 1) }
    return events
  }

  private func waitsForDemand(_ location: SourceLocation) {
    let (upstream, recorder) = subscribe(initialDemand: .none)
    for value in 1...5 { #expect(upstream.send(value) == .none, sourceLocation: location) }
    upstream.send(completion: .finished)
    #expect(events(recorder) == ["subscription(\(name))"], sourceLocation: location)
    recorder.request(.max(1))
    recorder.request(.max(1))
    #expect(events(recorder) == expectedEvents(result), sourceLocation: location)
    #expect(upstream.ledger.requests == [.unlimited], sourceLocation: location)
    #expect(upstream.ledger.isCancelled == (lastNeeded != nil), sourceLocation: location)
  }

  private func sendsTheResultAtOnceWhenThereIsDemand(_ location: SourceLocation) {
    let (upstream, recorder) = subscribe(initialDemand: .max(1))
    recorder.onCompletion = { _ in
      #expect(upstream.ledger.isCancelled == (lastNeeded != nil), sourceLocation: location)
    }
    for value in 1...(lastNeeded ?? 5) { upstream.send(value) }
    if lastNeeded == nil { upstream.send(completion: .finished) }
    #expect(events(recorder) == expectedEvents(result), sourceLocation: location)
    #expect(upstream.send(6) == .none, sourceLocation: location)
    upstream.send(completion: .failure(TestFailure()))
    recorder.cancel()
    #expect(events(recorder) == expectedEvents(result), sourceLocation: location)
    #expect(upstream.ledger.cancelCount == (lastNeeded == nil ? 0 : 1), sourceLocation: location)
  }

  private func finishesWithoutValues(_ location: SourceLocation) {
    let (upstream, recorder) = subscribe(initialDemand: .max(1))
    upstream.send(completion: .finished)
    #expect(events(recorder) == expectedEvents(resultOfNothing), sourceLocation: location)
  }

  /// The upstream finishes, and another thread asks, while the subscription is given.
  private func owesTheResultInTheHandshake(_ location: SourceLocation) {
    for then in ["nothing", "request", "cancel"] {
      let upstream = TestPublisher<Int, TestFailure>()
      let recorder = Recorder(initialDemand: .none)
      var inHandshake: [String] = []
      recorder.onSubscription = { _ in
        upstream.send(completion: .finished)
        race({ recorder.request(.max(1)) })
        if then == "request" { recorder.request(.max(1)) }
        if then == "cancel" { recorder.cancel() }
        inHandshake = events(recorder)
      }
      make(upstream).subscribe(recorder)
      let all = expectedEvents(resultOfNothing)
      #expect(inHandshake == (then == "request" ? all : [all[0]]), sourceLocation: location)
      #expect(events(recorder) == (then == "cancel" ? [all[0]] : all), sourceLocation: location)
    }
  }

  private func failsAtOnce(_ location: SourceLocation) {
    let (upstream, recorder) = subscribe(initialDemand: .none)
    upstream.send(completion: .failure(TestFailure()))
    upstream.send(completion: .failure(TestFailure()))
    recorder.request(.max(1))
    #expect(events(recorder) == ["subscription(\(name))", "failure(failure)"], sourceLocation: location)
    #expect(!upstream.ledger.isCancelled, sourceLocation: location)
  }

  private func requestsUnlimitedAfterItsSubscription(_ location: SourceLocation) {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = Recorder(initialDemand: .none)
    recorder.onSubscription = { _ in #expect(upstream.ledger.requests.isEmpty, sourceLocation: location) }
    make(upstream).subscribe(recorder)
    #expect(upstream.ledger.requests == [.unlimited], sourceLocation: location)
  }

  private func ignoresASecondSubscription(_ location: SourceLocation) {
    let (upstream, recorder) = subscribe(initialDemand: .max(1))
    let second = TestSubscription()
    upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled], sourceLocation: location)
    #expect(recorder.subscriptions.count == 1, sourceLocation: location)
    #expect(!upstream.ledger.isCancelled, sourceLocation: location)
  }

  private func ignoresWhatComesBeforeTheSubscription(_ location: SourceLocation) {
    let (upstream, recorder) = subscribe(initialDemand: .max(1), sendsSubscription: false)
    let inner = upstream.subscribers[0] as? any Subscription
    #expect(upstream.send(1) == .none, sourceLocation: location)
    upstream.send(completion: .finished)
    inner?.request(.max(1))
    inner?.cancel()
    #expect(recorder.events.isEmpty, sourceLocation: location)
    upstream.sendSubscription()
    #expect(upstream.ledger.requests == [.unlimited], sourceLocation: location)
    #expect(!upstream.ledger.isCancelled, sourceLocation: location)
  }

  private func cancels(_ location: SourceLocation) {
    let (upstream, recorder) = subscribe(initialDemand: .none)
    recorder.cancel()
    recorder.request(.unlimited)
    recorder.cancel()
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(events(recorder) == ["subscription(\(name))"], sourceLocation: location)
    #expect(upstream.ledger.cancelCount == 1, sourceLocation: location)
  }

  private func describesItself(_ location: SourceLocation) {
    let (_, recorder) = subscribe(initialDemand: .none)
    let subscription = recorder.subscriptions[0]
    let labels = Mirror(reflecting: subscription).children.map(\.label)
    let expected = name == "Collect" ? ["count"] : ["downstream", "result", "initial", "status"]
    #expect(labels == expected, sourceLocation: location)
    let playground = (subscription as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription
    #expect(playground as? String == name, sourceLocation: location)
    #expect(!(subscription is any CustomDebugStringConvertible), sourceLocation: location)
  }
}

/// Checks that a step that throws at value 3 cancels the upstream and then fails.
func checkFailingStep<P: Publisher>(
  name: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ make: (TestPublisher<Int, TestFailure>, @escaping (Int) throws -> Void) -> P
) where P.Failure == any Error {
  let upstream = TestPublisher<Int, TestFailure>()
  let recorder = RecordingSubscriber<P.Output, any Error>(initialDemand: .none)
  recorder.onCompletion = { _ in #expect(upstream.ledger.isCancelled, sourceLocation: sourceLocation) }
  let publisher = make(upstream) { if $0 == 3 { throw TestFailure() } }
  publisher.subscribe(recorder)
  for value in 1...5 { #expect(upstream.send(value) == .none, sourceLocation: sourceLocation) }
  recorder.request(.max(1))
  upstream.send(completion: .finished)
  #expect(
    recorder.events.map(String.init(describing:)) == ["subscription(\(name))", "failure(failure)"],
    sourceLocation: sourceLocation)
  #expect(upstream.ledger.cancelCount == 1, sourceLocation: sourceLocation)
}
