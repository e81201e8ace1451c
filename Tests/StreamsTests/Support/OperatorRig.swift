import Streams
import StreamsTesting
import Testing

/// An operator between a publisher that does what the test says and a recorder of what comes out.
struct OperatorRig<Input, InputFailure: Error, Output, Failure: Error> {
  let upstream: TestPublisher<Input, InputFailure>
  let recorder: RecordingSubscriber<Output, Failure>

  /// Subscribes the recorder; it requests `demand` and returns `returning` for each value.
  init<P: Publisher<Output, Failure>>(
    demand: Subscribers.Demand = .unlimited,
    returning: Subscribers.Demand = .none,
    sendsSubscription: Bool = true,
    _ makeOperator: (TestPublisher<Input, InputFailure>) -> P
  ) {
    upstream = TestPublisher(sendsSubscription: sendsSubscription)
    recorder = RecordingSubscriber(initialDemand: demand) { _ in returning }
    makeOperator(upstream).subscribe(recorder)
  }

  /// The operator's subscriber, as its upstream sees it.
  var inner: any Subscriber<Input, InputFailure> { upstream.subscribers[0] }

  /// The operator's subscriber as a subscription, for operators where it is one.
  var innerSubscription: any Subscription { inner as! any Subscription }

  /// What was requested from the upstream through its subscription.
  var requests: [Subscribers.Demand] { upstream.ledger.requests }

  /// How often the upstream's subscription was cancelled.
  var cancelCount: Int { upstream.ledger.cancelCount }
}

/// Checks how an object describes and mirrors itself. `children` are the labels of the mirror.
func expectReflection(
  of object: Any, name: String, children: [String?] = [], sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect((object as? any CustomStringConvertible)?.description == name, sourceLocation: sourceLocation)
  #expect(!(object is any CustomDebugStringConvertible), sourceLocation: sourceLocation)
  let displayed = (object as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription as? String
  #expect(displayed == name, sourceLocation: sourceLocation)
  let mirror = (object as? any CustomReflectable)?.customMirror
  #expect(mirror?.children.map(\.label) == children, sourceLocation: sourceLocation)
}

/// Checks an operator that passes its upstream's subscription on and is none itself: it knows nothing of
/// cancellation, so it passes on whatever the upstream sends.
func expectPassesSubscriptionOn<P: Publisher>(
  input: Int, name: String, children: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ makeOperator: (TestPublisher<Int, TestFailure>) -> P
) where P.Output: Equatable {
  let rig = OperatorRig(demand: .max(2), returning: .max(3), makeOperator)
  expectReflection(of: rig.inner, name: name, children: children, sourceLocation: sourceLocation)
  #expect(!(rig.inner is any Subscription), sourceLocation: sourceLocation)
  #expect(rig.recorder.subscriptions.first is TestSubscription, sourceLocation: sourceLocation)

  rig.recorder.cancel()
  rig.recorder.cancel()
  rig.recorder.request(.max(7))
  #expect(rig.requests == [.max(2), .max(7)], sourceLocation: sourceLocation)
  #expect(rig.cancelCount == 2, sourceLocation: sourceLocation)

  #expect(rig.upstream.send(input) == .max(3), sourceLocation: sourceLocation)
  rig.upstream.send(completion: .finished)
  rig.upstream.send(completion: .failure(TestFailure()))
  #expect(rig.upstream.send(input) == .max(3), sourceLocation: sourceLocation)
  let kinds = rig.recorder.events.map(\.kind)
  #expect(kinds == ["subscription", "value", "finished", "failure", "value"], sourceLocation: sourceLocation)

  let early = OperatorRig(returning: .max(3), sendsSubscription: false, makeOperator)
  #expect(early.upstream.send(input) == .max(3), sourceLocation: sourceLocation)
  early.upstream.send(completion: .finished)
  #expect(early.recorder.events.map(\.kind) == ["value", "finished"], sourceLocation: sourceLocation)
}

/// Checks an operator that is a subscription itself: it keeps the first subscription, cancels every other, cancels
/// once, and requests nothing after that.
func expectKeepsFirstSubscription<P: Publisher>(
  name: String, children: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ makeOperator: (TestPublisher<Int, TestFailure>) -> P
) {
  let rig = OperatorRig(demand: .none, makeOperator)
  expectReflection(of: rig.inner, name: name, children: children, sourceLocation: sourceLocation)
  #expect(rig.recorder.events.map(\.kind) == ["subscription"], sourceLocation: sourceLocation)
  #expect(rig.recorder.subscriptions.map { "\($0)" } == [name], sourceLocation: sourceLocation)
  #expect(rig.requests == [], sourceLocation: sourceLocation)

  let second = TestSubscription()
  rig.upstream.send(subscription: second)
  #expect(second.ledger.entries == [.cancelled], sourceLocation: sourceLocation)
  #expect(rig.recorder.subscriptions.count == 1, sourceLocation: sourceLocation)
  #expect(rig.cancelCount == 0, sourceLocation: sourceLocation)

  rig.recorder.request(.max(5))
  rig.recorder.cancel()
  rig.recorder.cancel()
  rig.recorder.request(.max(7))
  #expect(rig.requests == [.max(5)], sourceLocation: sourceLocation)
  #expect(rig.cancelCount == 1, sourceLocation: sourceLocation)

  let third = TestSubscription()
  rig.upstream.send(subscription: third)
  #expect(third.ledger.entries == [.cancelled], sourceLocation: sourceLocation)
}

/// Sends from two threads through an operator while a third cancels: signals must not overlap, and must stop.
func expectSurvivesRace<P: Publisher>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ makeOperator: (PassthroughSubject<Int, TestFailure>) -> P
) {
  for _ in 0..<20 {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<P.Output, P.Failure>()
    makeOperator(subject).subscribe(recorder)
    race(
      { for value in 0..<100 { subject.send(value) } },
      { for value in 100..<200 { subject.send(value) } },
      { recorder.cancel() })
    #expect(recorder.overlapCount == 0, sourceLocation: sourceLocation)
    let count = recorder.events.count
    subject.send(200)
    subject.send(completion: .finished)
    #expect(recorder.events.count == count, sourceLocation: sourceLocation)
  }
}

extension RecordingSubscriber.Event {
  /// The event without what it carries.
  var kind: String {
    switch self {
    case .subscription: "subscription"
    case .value: "value"
    case .completion(.finished): "finished"
    case .completion(.failure): "failure"
    }
  }
}

extension RecordingSubscriber {
  /// The error of the first failure.
  var failure: Failure? {
    for case .failure(let error) in completions { return error }
    return nil
  }
}

/// Checks an operator that is not a subscription itself: whoever ends the subject's subscription, by completing or
/// by cancelling, releases the subscriber.
func expectReleases<P: Publisher>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ makeOperator: (PassthroughSubject<Int, TestFailure>) -> P
) {
  for endsByCancelling in [true, false] {
    let lifetimes = LifetimeTracker()
    let subject = PassthroughSubject<Int, TestFailure>()
    var subscription: (any Subscription)?
    do {
      let token = lifetimes.token()
      let recorder = RecordingSubscriber<P.Output, P.Failure>()
      recorder.onValue = { _ in
        token.keep()
        return .none
      }
      makeOperator(subject).subscribe(recorder)
      subscription = recorder.subscriptions.first
    }
    subject.send(1)
    #expect(lifetimes.liveCount == 1, sourceLocation: sourceLocation)
    if endsByCancelling { subscription?.cancel() } else { subject.send(completion: .finished) }
    #expect(lifetimes.liveCount == 0, sourceLocation: sourceLocation)
  }
}

/// Checks that a subscriber may request, send and cancel from within `receive`: the second value is sent while the
/// first is being delivered, and nothing comes after the cancellation that the second one brings.
func expectAllowsReentrance<P: Publisher>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ makeOperator: (PassthroughSubject<Int, TestFailure>) -> P
) {
  let subject = PassthroughSubject<Int, TestFailure>()
  let recorder = RecordingSubscriber<P.Output, P.Failure>(initialDemand: .max(1))
  recorder.onValue = { _ in
    guard recorder.values.count == 1 else {
      recorder.cancel()
      return .max(1)
    }
    recorder.request(.max(1))
    subject.send(2)
    return .none
  }
  makeOperator(subject).subscribe(recorder)
  subject.send(1)
  subject.send(3)
  subject.send(completion: .finished)
  #expect(recorder.events.map(\.kind) == ["subscription", "value", "value"], sourceLocation: sourceLocation)
  #expect(recorder.overdrawn == 0, sourceLocation: sourceLocation)
}

/// Checks that the end, whoever brings it about, releases the operator's closures, which keep the token, and those
/// of the sink.
func expectReleasesClosures<P: Publisher>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ makeOperator: (PassthroughSubject<Int, TestFailure>, LifetimeToken) -> P
) {
  for endsByCancelling in [true, false] {
    let lifetimes = LifetimeTracker()
    let subject = PassthroughSubject<Int, TestFailure>()
    var cancellable: AnyCancellable?
    do {
      let (inOperator, inSink) = (lifetimes.token(), lifetimes.token())
      cancellable = makeOperator(subject, inOperator).sink(
        receiveCompletion: { _ in inSink.keep() }, receiveValue: { _ in inSink.keep() })
    }
    subject.send(1)
    #expect(lifetimes.liveCount == 2, sourceLocation: sourceLocation)
    if endsByCancelling { cancellable?.cancel() } else { subject.send(completion: .finished) }
    #expect(lifetimes.liveCount == 0, sourceLocation: sourceLocation)
  }
}
