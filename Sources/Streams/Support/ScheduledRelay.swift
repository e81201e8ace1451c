/// The inner subscriber of operators that let a scheduler deliver each value and the completion, one action
/// each.
///
/// The subscription is passed on at once, and so are requests and the cancellation. What the downstream
/// returns for a value is requested from the upstream. The scheduled actions keep this object. Once the
/// upstream has completed, what is scheduled is delivered even if the downstream cancels, as in Combine; a
/// value that is scheduled when the downstream cancels earlier is not.
///
/// A scheduler that runs several actions at the same time may run the completion's before a value's. The
/// completion then waits, so that no value is lost.
@usableFromInline
class ScheduledRelay<Input, Failure: Error>: Subscriber, Subscription {
  @usableFromInline typealias Schedule = (@escaping () -> Void) -> Void

  @usableFromInline
  struct State {
    @usableFromInline var relay = RelayState.awaiting
    /// How many values are scheduled and have not had their turn.
    @usableFromInline var scheduledCount = 0
    /// What came before its time.
    @usableFromInline var waiting: Subscribers.Completion<Failure>?

    @usableFromInline
    init() {}
  }

  @usableFromInline final let downstream: Downstream<Input, Failure>
  /// Schedules an action, as the operator has it.
  @usableFromInline final let schedule: Schedule
  /// Schedulers may run several actions at the same time; the downstream's signals stay serial.
  @usableFromInline final let serializer = Serializer()
  @usableFromInline final let state = Lock(State())

  @inlinable
  init(downstream: Downstream<Input, Failure>, schedule: @escaping Schedule) {
    self.downstream = downstream
    self.schedule = schedule
  }

  @usableFromInline
  final func receive(subscription: any Subscription) {
    guard state.withLock({ $0.relay.subscribe(subscription) }) else { return subscription.cancel() }
    downstream.receive(subscription: self)
  }

  @inlinable
  final func receive(_ input: Input) -> Subscribers.Demand {
    if state.withLock({ $0.begin() }) { schedule { self.deliver(input) } }
    return .none
  }

  @usableFromInline
  final func receive(completion: Subscribers.Completion<Failure>) {
    if state.withLock({ $0.relay.complete() }) { schedule { self.deliver(completion) } }
  }

  @inlinable
  final func deliver(_ input: Input) {
    serializer.run(
      { requestReturned(pass(input)) },
      // Whoever runs it then must first let others in: the upstream may answer a request with values without
      // end.
      refused: {
        serializer.submit {
          let demand = self.pass(input)
          if demand != .none { self.serializer.afterLeaving { self.requestReturned(demand) } }
        }
      })
  }

  @inlinable
  final func pass(_ input: Input) -> Subscribers.Demand {
    let (isPassed, completion) = state.withLock { $0.takeTurn() }
    let demand = isPassed ? downstream.receive(input) : .none
    if let completion { finish(completion) }
    return demand
  }

  @inlinable
  final func requestReturned(_ demand: Subscribers.Demand) {
    if demand != .none { state.withLock { $0.relay.subscription }?.request(demand) }
  }

  @usableFromInline
  final func deliver(_ completion: Subscribers.Completion<Failure>) {
    serializer.perform { [self] in
      let isDue = state.withLock { state in
        if state.scheduledCount > 0 { state.waiting = completion }
        return state.waiting == nil
      }
      if isDue { finish(completion) }
    }
  }

  @usableFromInline
  final func finish(_ completion: Subscribers.Completion<Failure>) {
    let subscription = state.withLock { $0.relay.end() }
    downstream.receive(completion: completion)
    withExtendedLifetime(subscription) {}
  }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { $0.relay.isSubscribed ? $0.relay.subscription : nil }
    subscription?.request(demand)
  }

  @usableFromInline
  final func cancel() {
    let subscription = state.withLock { $0.relay.isSubscribed ? $0.relay.end() : nil }
    subscription?.cancel()
  }
}

extension ScheduledRelay.State {
  /// Counts a value that is to be scheduled. Returns false if it comes too late.
  @usableFromInline
  mutating func begin() -> Bool {
    guard relay.isSubscribed else { return false }
    scheduledCount += 1
    return true
  }

  /// Begins the turn of a scheduled value. Returns whether it is passed on, and the completion if that has
  /// waited for this value.
  @usableFromInline
  mutating func takeTurn() -> (isPassed: Bool, completion: Subscribers.Completion<Failure>?) {
    scheduledCount -= 1
    return (relay.subscription != nil, scheduledCount == 0 ? waiting.take() : nil)
  }
}

/// How far a subscription is whose signals are under way for a while.
@usableFromInline
enum RelayState {
  case awaiting
  case subscribed(any Subscription)
  /// The upstream has completed; the downstream does not know yet.
  case completing(any Subscription)
  case ended

  /// Whether the upstream's signals count.
  @usableFromInline var isSubscribed: Bool {
    if case .subscribed = self { true } else { false }
  }

  /// The subscription, as long as the downstream gets signals.
  @usableFromInline var subscription: (any Subscription)? {
    switch self {
    case .subscribed(let subscription), .completing(let subscription): subscription
    case .awaiting, .ended: nil
    }
  }

  /// Keeps the first subscription. Returns false for any other.
  @usableFromInline
  mutating func subscribe(_ subscription: any Subscription) -> Bool {
    guard case .awaiting = self else { return false }
    self = .subscribed(subscription)
    return true
  }

  /// Notes that the upstream has completed. Returns false if that means nothing any more.
  @usableFromInline
  mutating func complete() -> Bool {
    guard case .subscribed(let subscription) = self else { return false }
    self = .completing(subscription)
    return true
  }

  /// Ends what has begun. Returns the subscription if there was one.
  @usableFromInline
  mutating func end() -> (any Subscription)? {
    guard let subscription else { return nil }
    self = .ended
    return subscription
  }
}
