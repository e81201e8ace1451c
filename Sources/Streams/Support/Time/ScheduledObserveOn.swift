/// The inner subscriber of operators that deliver each value and the completion through a scheduler, one action each.
///
/// The scheduled actions retain this object. Once the upstream has completed, scheduled signals are delivered even if
/// the downstream cancels, as in Combine; if it cancels earlier, they are not.
@usableFromInline
class ScheduledObserveOn<Input, Failure: Error>: ObserveOnInner<
  Input, Failure, ScheduledSignals<Input, Failure>
>,
Subscriber, ReliesOnRules
{
  @usableFromInline final let schedule: Schedule

  @inlinable
  init(downstream: Downstream<Input, Failure>, schedule: @escaping Schedule) {
    self.schedule = schedule
    super.init(downstream: downstream, signals: ScheduledSignals())
  }

  // MARK: Subscriber

  /// Not to be overridden, so that it is specialized.
  @inlinable
  final func receive(_ input: Input) -> Subscribers.Demand {
    noteValue()
    guard state.withLock({ $0.receive(input) }) else { return .refused() }
    schedule { self.deliverNext() }
    return .none
  }

  /// A hook for the operator, for each value before it is scheduled.
  @usableFromInline
  func noteValue() {}

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if state.withLock({ $0.receive(completion: completion) }) { schedule { self.deliverNext() } }
  }

  // MARK: Scheduled actions

  @inlinable
  final func deliverNext() {
    delivery.serializer.run(self, (), { inner, _ in inner.deliverNextInTurn() }) { inner, _, demand in
      if demand != .none { inner.requestReturned(demand) }
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

  // MARK: Subscription

  @usableFromInline
  override func performCancel() {
    let (ended, released) = state.withLock {
      $0.upstream.isSubscribed ? ($0.cancel(), nil) : (nil, $0.upstream.release())
    }
    ended?.subscription?.cancel()
    withExtendedLifetime(released) {}
  }
}
