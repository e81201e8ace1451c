import Streams
import StreamsTesting
import Testing

@Suite struct SinkTests {
  typealias Sink = Subscribers.Sink<Int, TestFailure>

  @Test func takesValuesUntilTheCompletion() {
    var values: [Int] = []
    var completions: [Subscribers.Completion<TestFailure>] = []
    let sink = Sink(receiveCompletion: { completions.append($0) }, receiveValue: { values.append($0) })
    #expect(sink.receive(1) == .none)
    let subscription = TestSubscription()
    sink.receive(subscription: subscription)
    #expect(sink.receive(2) == .none)
    [3, 4].withUnsafeBufferPointer { batch in #expect(sink.receive(contentsOf: batch) == .none) }
    sink.receive(completion: .finished)
    #expect(sink.receive(5) == .none)
    sink.receive(completion: .failure(TestFailure()))
    #expect(values == [1, 2, 3, 4])
    #expect(completions == [.finished])
    #expect(subscription.ledger.entries == [.requested(.unlimited)])
  }

  @Test func takesOneSubscription() {
    let sink = Sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let subscriptions = (0..<3).map { _ in TestSubscription() }
    sink.receive(subscription: subscriptions[0])
    sink.receive(subscription: subscriptions[1])
    sink.receive(completion: .finished)
    sink.receive(subscription: subscriptions[2])
    #expect(
      subscriptions.map(\.ledger.entries) == [[.requested(.unlimited)], [.cancelled], [.cancelled]])
  }

  enum End: CaseIterable { case cancel, finish, fail }

  @Test(arguments: End.allCases, [true, false])
  func releasesItsClosures(end: End, isSubscribed: Bool) {
    let lifetimes = LifetimeTracker()
    let sink = Sink(
      receiveCompletion: { [token = lifetimes.token()] _ in token.keep() },
      receiveValue: { [token = lifetimes.token()] _ in token.keep() })
    if isSubscribed { sink.receive(subscription: TestSubscription()) }
    switch end {
    case .cancel: sink.cancel()
    case .finish: sink.receive(completion: .finished)
    case .fail: sink.receive(completion: .failure(TestFailure()))
    }
    // A sink that has no subscription yet keeps its closures when it is cancelled.
    #expect(lifetimes.liveCount == (end == .cancel && !isSubscribed ? 2 : 0))
    withExtendedLifetime(sink) {}
  }

  @Test func cancelsASubscriptionThatComesAfterItWasCancelled() {
    let subject = PassthroughSubject<Int, Never>()
    let scheduler = VirtualTimeScheduler()
    let lifetimes = LifetimeTracker()
    var values: [Int] = []
    var cancellable: AnyCancellable? = subject.subscribe(on: scheduler).sink {
      [token = lifetimes.token()] value in
      token.keep()
      values.append(value)
    }
    withExtendedLifetime(cancellable) {}
    cancellable = nil
    scheduler.run()
    subject.send(1)
    #expect(values == [])
    #expect(lifetimes.liveCount == 0)
  }

  @Test func stopsWithinABatch() {
    let upstream = TestPublisher<Int, Never>()
    var values: [Int] = []
    var cancellable: AnyCancellable?
    cancellable = upstream.sink { value in
      values.append(value)
      if value == 2 { cancellable?.cancel() }
    }
    upstream.send(batch: [1, 2, 3])
    upstream.send(4)
    #expect(values == [1, 2])
    #expect(upstream.ledger.isCancelled)
  }

  @Test func takesNothingThatItsCancellationBrings() {
    let upstream = TestPublisher<Int, Never>()
    var values: [Int] = []
    let cancellable = upstream.sink { values.append($0) }
    upstream.subscriptions[0].onCancel = { [unowned upstream] in upstream.send(1) }
    cancellable.cancel()
    #expect(upstream.ledger.delivered == 1)
    #expect(values == [])
  }

  @Test func takesNothingFromAnOperatorAfterItsCancellation() {
    let upstream = TestPublisher<Int, Never>()
    var values: [Int] = []
    let cancellable = upstream.map { $0 }.sink { values.append($0) }
    cancellable.cancel()
    upstream.send(1)
    upstream.send(batch: [2, 3])
    #expect(values == [])
  }

  @Test func cancelsNoUpstreamThatHasCompleted() {
    let upstream = TestPublisher<Int, Never>()
    let cancellable = upstream.sink { _ in }
    upstream.send(completion: .finished)
    cancellable.cancel()
    #expect(!upstream.ledger.isCancelled)
  }

  /// The value closure holds the publisher, which completes when it goes away: during the sink's
  /// cancellation.
  @Test func takesACompletionWhileItIsCancelled() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let lifetimes = LifetimeTracker()
    var completions = 0
    var token: LifetimeToken? = lifetimes.token { subject.send(completion: .finished) }
    let cancellable = subject.sink(
      receiveCompletion: { _ in completions += 1 }, receiveValue: { [token] _ in token?.keep() })
    token = nil
    cancellable.cancel()
    #expect(lifetimes.liveCount == 0)
    #expect(completions == 0)
  }

  @Test func completesOnceAlsoFromWithinItsCompletion() {
    var count = 0
    var again: Sink?
    let sink = Sink(
      receiveCompletion: {
        count += 1
        again?.receive(completion: $0)
      }, receiveValue: { _ in })
    again = sink
    sink.receive(completion: .finished)
    #expect(count == 1)
  }

  @Test func isReleasedWithItsTicket() {
    let upstream = TestPublisher<Int, Never>()
    var values: [Int] = []
    do {
      let cancellable = upstream.sink { values.append($0) }
      upstream.send(1)
      withExtendedLifetime(cancellable) {}
    }
    upstream.send(2)
    #expect(values == [1])
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func describesItself() {
    let sink = Sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    #expect(sink.description == "Sink")
    #expect(sink.playgroundDescription as? String == "Sink")
    #expect(sink.customMirror.children.isEmpty)
  }

  @Test func aCancellationInAValueWhileAnotherThreadSends() {
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      var values: [Int] = []
      var cancellable: AnyCancellable?
      cancellable = subject.sink { value in
        values.append(value)
        cancellable?.cancel()
      }
      race({ for _ in 0..<20 { subject.send(1) } }, { for _ in 0..<20 { subject.send(2) } })
      #expect(values.count == 1)
    }
  }

  @Test func aCompletionInAValueWhileAnotherThreadSends() {
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      var events: [String] = []
      let cancellable = subject.sink(
        receiveCompletion: { _ in events.append("finished") },
        receiveValue: { _ in
          events.append("value")
          subject.send(completion: .finished)
        })
      race({ for _ in 0..<20 { subject.send(1) } }, { for _ in 0..<20 { subject.send(2) } })
      #expect(events == ["value", "finished"])
      withExtendedLifetime(cancellable) {}
    }
  }

  /// What the closures keep may, when it goes, use the sink, its upstream and its cancellable.
  @Test(arguments: ["cancel", "finish", "release"]) func theEndOfTheClosuresMayRunAnything(_ end: String) {
    let subject = PassthroughSubject<Int, Never>()
    let lifetimes = LifetimeTracker()
    let other = RecordingSubscriber<Int, Never>()
    subject.subscribe(other)
    weak var sink: Subscribers.Sink<Int, Never>?
    var cancellable: AnyCancellable?
    do {
      let token = lifetimes.token {
        cancellable?.cancel()
        sink?.cancel()
        _ = sink?.receive(5)
        sink?.receive(completion: .finished)
        subject.send(7)
        subject.sink { _ in }.cancel()
      }
      let made = Subscribers.Sink<Int, Never>(
        receiveCompletion: { _ in token.keep() }, receiveValue: { _ in token.keep() })
      subject.subscribe(made)
      sink = made
      cancellable = AnyCancellable(made)
    }
    subject.send(1)
    switch end {
    case "cancel": cancellable?.cancel()
    case "finish": subject.send(completion: .finished)
    default:
      let last = cancellable
      cancellable = nil
      withExtendedLifetime(last) {}
    }
    #expect(lifetimes.liveCount == 0)
    #expect(other.values == (end == "finish" ? [1] : [1, 7]))
  }

  @Test func mayBeCancelledWhileAnotherThreadSends() {
    let lifetimes = LifetimeTracker()
    for _ in 0..<200 {
      let subject = PassthroughSubject<Int, Never>()
      let cancellable = subject.sink { [token = lifetimes.token()] _ in token.keep() }
      race({ for value in 0..<20 { subject.send(value) } }, { cancellable.cancel() })
    }
    #expect(lifetimes.liveCount == 0)
  }
}
