/// What is under way from an upstream to a downstream, and how far the subscription is.
@usableFromInline
protocol RelayedSignals {
  var relay: RelayState { get set }
}

/// The inner subscriber of operators that let a scheduler deliver, less the deliveries.
///
/// The subscription is passed on at once, and so are requests. What the downstream returns for values is requested from
/// the upstream.
///
/// A request may be answered with values without end. It is therefore not passed on where the scheduler's other
/// threads could not deliver meanwhile: one from within the handshake comes after it, and what is returned is
/// requested after the delivery.
@usableFromInline
class RelayInner<Input, Failure: Error, Signals: RelayedSignals>: Subscription {
  /// Schedules an action, as the operator has it.
  @usableFromInline typealias Schedule = (@escaping () -> Void) -> Void

  @usableFromInline final let delivery: Delivery<Input, Failure>
  @usableFromInline final let state: Lock<Signals>

  @inlinable
  init(downstream: Downstream<Input, Failure>, signals: Signals) {
    delivery = Delivery(downstream)
    state = Lock(signals)
  }

  /// Keeps the first subscription, and cancels any other.
  @usableFromInline
  final func receive(subscription: any Subscription) {
    guard state.withLock({ $0.relay.subscribe(subscription) }) else { return subscription.cancel() }
    noteSubscription()
    delivery.serializer.perform { [self] in delivery.handshake(self) }
  }

  /// What an operator does beside, before the subscriber has the subscription.
  @usableFromInline
  func noteSubscription() {}

  @usableFromInline
  final func requestReturned(_ demand: Subscribers.Demand) {
    state.withLock { $0.relay.subscription }?.request(demand)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    if delivery.isInHandshake {
      delivery.serializer.afterLeaving { self.passOn(demand) }
    } else {
      passOn(demand)
    }
  }

  @usableFromInline
  final func cancel() {
    BatchProgress.noteAction()
    performCancel()
  }

  @usableFromInline
  func performCancel() {}

  private func passOn(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { $0.relay.isSubscribed ? $0.relay.subscription : nil }
    subscription?.request(demand)
  }
}
