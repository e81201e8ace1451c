import Streams
import StreamsTesting
import Testing

/// Checks a publisher of the one value 42: it is sent, and the stream finished, at the first request.
func expectSingleValue<P: Publisher<Int, Failure>, Failure: Error & Equatable>(
  of publisher: P, name: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let served = ["subscription(\(name))", "value(42)", "finished"]
  func events(_ recorder: RecordingSubscriber<Int, Failure>) -> [String] { recorder.events.map { "\($0)" } }

  let waiting = RecordingSubscriber<Int, Failure>(initialDemand: .none)
  publisher.subscribe(waiting)
  #expect(events(waiting) == ["subscription(\(name))"], sourceLocation: sourceLocation)
  waiting.request(.max(100))
  waiting.request(.max(1))
  #expect(events(waiting) == served, sourceLocation: sourceLocation)

  let greedy = RecordingSubscriber<Int, Failure>()
  greedy.onValue = { [unowned greedy] _ in
    greedy.request(.unlimited)
    return .unlimited
  }
  publisher.subscribe(greedy)
  #expect(events(greedy) == served, sourceLocation: sourceLocation)

  let hesitant = RecordingSubscriber<Int, Failure>()
  hesitant.onSubscription = { $0.cancel() }
  publisher.subscribe(hesitant)
  #expect(events(hesitant) == ["subscription(\(name))"], sourceLocation: sourceLocation)

  // Once asked, the value is sent: cancelling comes too late.
  let late = RecordingSubscriber<Int, Failure>(initialDemand: .none)
  late.onSubscription = { subscription in
    subscription.request(.max(1))
    subscription.cancel()
  }
  publisher.subscribe(late)
  #expect(events(late) == served, sourceLocation: sourceLocation)

  expectReflection(
    of: waiting.subscriptions[0], name: name, children: [nil], sourceLocation: sourceLocation)
  let mirrored = Mirror(reflecting: waiting.subscriptions[0]).children.first?.value
  #expect(mirrored as? Int == 42, sourceLocation: sourceLocation)

  for ends in [{ $0.cancel() }, { $0.request(.max(1)) }] as [(any Subscription) -> Void] {
    let lifetimes = LifetimeTracker()
    var subscription: (any Subscription)?
    do {
      let token = lifetimes.token()
      let recorder = RecordingSubscriber<Int, Failure>(initialDemand: .none)
      recorder.onCompletion = { _ in token.keep() }
      publisher.subscribe(recorder)
      subscription = recorder.subscriptions[0]
    }
    #expect(lifetimes.liveCount == 1, sourceLocation: sourceLocation)
    subscription.map(ends)
    #expect(lifetimes.liveCount == 0, sourceLocation: sourceLocation)
  }

  for _ in 0..<50 {
    let contested = RecordingSubscriber<Int, Failure>(initialDemand: .none)
    publisher.subscribe(contested)
    race({ contested.request(.max(1)) }, { contested.request(.max(1)) }, { contested.cancel() })
    #expect(contested.values.count <= 1, sourceLocation: sourceLocation)
    #expect(contested.completions.count == contested.values.count, sourceLocation: sourceLocation)
  }
}

/// Checks a publisher that completes without values and without being asked.
func expectCompletesAtOnce<P: Publisher>(
  _ publisher: P, with completion: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  for cancels in [false, true] {
    let recorder = RecordingSubscriber<P.Output, P.Failure>(initialDemand: .none)
    if cancels { recorder.onSubscription = { $0.cancel() } }
    publisher.subscribe(recorder)
    #expect(
      recorder.events.map { "\($0)" } == ["subscription(Empty)", completion], sourceLocation: sourceLocation)
  }
}

/// Checks a publisher that has just been built: that called the closure once, and subscribing calls it no
/// more.
func expectCalledOnce<P: Publisher>(
  _ calls: CallCounter, _ publisher: P, sending value: P.Output,
  sourceLocation: SourceLocation = #_sourceLocation
) where P.Output: Equatable {
  #expect(calls.count == 1, sourceLocation: sourceLocation)
  for _ in 0..<2 {
    let recorder = RecordingSubscriber<P.Output, P.Failure>()
    publisher.subscribe(recorder)
    #expect(recorder.values == [value], sourceLocation: sourceLocation)
  }
  #expect(calls.count == 1, sourceLocation: sourceLocation)
  calls.reset()
}

/// A closure that counts its calls.
final class CallCounter {
  private(set) var count = 0

  func reset() { count = 0 }

  func counting<each Argument, Result>(
    _ closure: @escaping (repeat each Argument) -> Result
  ) -> (repeat each Argument) -> Result {
    { (argument: repeat each Argument) in
      self.count += 1
      return closure(repeat each argument)
    }
  }
}

/// A closure of one argument that throws.
func failing<Argument, Result>(_: Argument) throws -> Result { throw TestFailure() }

/// A closure of two arguments that throws.
func failing<First, Second, Result>(_: First, _: Second) throws -> Result { throw TestFailure() }
