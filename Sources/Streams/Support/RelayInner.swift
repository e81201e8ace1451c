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
class RelayInner<Input, Failure: Error, Signals: RelayedSignals> {
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
  final func subscribe(_ subscription: any Subscription) -> Bool {
    if state.withLock({ $0.relay.subscribe(subscription) }) { return true }
    subscription.cancel()
    return false
  }

  @usableFromInline
  final func handshake(_ inner: any Subscription) {
    delivery.serializer.perform { [self] in delivery.handshake(inner) }
  }

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

  private func passOn(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { $0.relay.isSubscribed ? $0.relay.subscription : nil }
    subscription?.request(demand)
  }
}
