/// The inner subscriber of operators that let a scheduler deliver each value and the completion, one action each.
///
/// The subscription is passed on at once, and so are requests and the cancellation. What the downstream
/// returns for a value is requested from the upstream. The scheduled actions keep this object. Once the
/// upstream has completed, what is scheduled is delivered even if the downstream cancels, as in Combine; a
/// value that is scheduled when the downstream cancels earlier is not.
///
/// A request may be answered with values without end. It is therefore not passed on where the scheduler's other
/// threads could not deliver meanwhile: one from within the handshake comes after it, and what is returned is
/// requested after the delivery.
@usableFromInline
class ScheduledRelay<Input, Failure: Error>: Subscriber, Subscription {
  @usableFromInline typealias Schedule = (@escaping () -> Void) -> Void

  @usableFromInline final let delivery: Delivery<Input, Failure>
  /// Schedules an action, as the operator has it.
  @usableFromInline final let schedule: Schedule
  @usableFromInline final let state = Lock(ScheduledSignals<Input, Failure>())

  @inlinable
  init(downstream: Downstream<Input, Failure>, schedule: @escaping Schedule) {
    delivery = Delivery(downstream)
    self.schedule = schedule
  }

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.relay.subscribe(subscription) }) else { return subscription.cancel() }
    handshake()
  }

  @usableFromInline
  final func handshake() {
    delivery.serializer.perform { [self] in delivery.handshake(self) }
  }

  /// Not to be overridden, so that it is specialised.
  @inlinable
  final func receive(_ input: Input) -> Subscribers.Demand {
    noteValue()
    if state.withLock({ $0.receive(input) }) { schedule { self.deliverNext() } }
    return .none
  }

  /// What an operator does beside, for each value before it is scheduled.
  @usableFromInline
  func noteValue() {}

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if state.withLock({ $0.receive(completion: completion) }) { schedule { self.deliverNext() } }
  }

  // MARK: Scheduled actions

  @inlinable
  final func deliverNext() {
    let demand = delivery.serializer.run(
      { deliverNextInTurn() },
      refused: {
        submitNext()
        return .none
      })
    if demand != .none { requestReturned(demand) }
  }

  @usableFromInline
  final func submitNext() {
    delivery.serializer.submit { [self] in
      let demand = deliverNextInTurn()
      if demand != .none { delivery.serializer.afterLeaving { self.requestReturned(demand) } }
    }
  }

  @inlinable
  final func deliverNextInTurn() -> Subscribers.Demand {
    guard let (signal, released) = state.withLock({ $0.next() }) else { return .none }
    switch signal {
    case .value(let value):
      return delivery.downstream.receive(value)
    case .completion(let completion):
      // A deadline may pass on another thread before the handshake.
      delivery.send(completion, self)
      withExtendedLifetime(released) {}
      return .none
    }
  }

  @usableFromInline
  final func requestReturned(_ demand: Subscribers.Demand) {
    state.withLock { $0.relay.subscription }?.request(demand)
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if delivery.isInHandshake {
      delivery.serializer.afterLeaving { self.passOn(demand) }
    } else {
      passOn(demand)
    }
  }

  @usableFromInline
  final func passOn(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { $0.relay.isSubscribed ? $0.relay.subscription : nil }
    subscription?.request(demand)
  }

  @usableFromInline
  func cancel() {
    let ended = state.withLock { $0.relay.isSubscribed ? $0.cancel() : nil }
    ended?.subscription?.cancel()
  }
}
