/// Signals under way from an upstream to a downstream, and the phase of the subscription.
@usableFromInline
protocol ObserveOnSignals {
  var upstream: UpstreamState { get set }
}

/// The inner subscriber of operators that deliver through a scheduler, without the deliveries.
///
/// The subscription is passed on immediately, and so are requests. Demand that the downstream returns is requested from
/// the upstream.
///
/// A request may be answered with values without end. It is therefore not passed on where it would keep the scheduler's
/// other threads from delivering: a request from within the handshake is passed on after it, and returned demand is
/// requested after the delivery.
@usableFromInline
class ObserveOnInner<Input, Failure: Error, Signals: ObserveOnSignals>: Subscription {
  /// Schedules an action in the operator's way.
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
    guard state.withLock({ $0.upstream.subscribe(subscription) }) else { return subscription.cancel() }
    noteSubscription()
    delivery.serializer.run { [self] in delivery.handshake(self) }
  }

  /// A hook for the operator, before the subscriber has the subscription.
  @usableFromInline
  func noteSubscription() {}

  @usableFromInline
  final func requestReturned(_ demand: Subscribers.Demand) {
    state.withLock { $0.upstream.subscription }?.request(demand)
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
    let subscription = state.withLock { $0.upstream.isSubscribed ? $0.upstream.subscription : nil }
    subscription?.request(demand)
  }
}
