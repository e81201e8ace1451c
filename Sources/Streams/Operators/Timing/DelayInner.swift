/// The inner subscriber of `delay` on a scheduler of this package: one timer, which delivers all signals that are due.
///
/// A cancellation cancels the timer, and nothing is left.
@usableFromInline
final class DelayInner<Input, Failure: Error>: ObserveOnInner<Input, Failure, DelayState<Input, Failure>>,
  Subscriber, ReliesOnRules
{
  @usableFromInline let timers: OwnTimers

  @inlinable
  init(downstream: Downstream<Input, Failure>, timers: OwnTimers) {
    self.timers = timers
    super.init(downstream: downstream, signals: DelayState())
  }

  // MARK: Subscriber

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    let end = timers.end
    let (isTaken, timer) = state.withLock { $0.receive(input, until: end) }
    if let timer { setTimer((timer, end)) }
    return isTaken ? .none : .refused()
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let end = timers.end
    if let number = state.withLock({ $0.receive(completion: completion, until: end) }) {
      setTimer((number, end))
    }
  }

  // MARK: The timer

  @inlinable
  func setTimer(_ timer: (number: Int, time: Int)) {
    timers.set(at: timer.time) {
      self.timerHasCome()
    } keep: { name in
      state.withLock { $0.deadline.keep(name, number: timer.number) }
    }
  }

  /// The next timer is set first: it may fire while code downstream lets time pass, or a request does not return.
  @inlinable
  func timerHasCome() {
    let now = state.withLock({ $0.mayHaveMoreDue }) ? timers.scheduler.nanoseconds : nil
    guard let (limit, next) = state.withLock({ $0.begin(at: now) }) else { return }
    if let next { setTimer(next) }
    delivery.serializer.run(self, limit, { $0.deliverInTurn(upTo: $1) }) {
      if $2 != .none { $0.requestReturned($2) }
    }
  }

  @inlinable
  func deliverInTurn(upTo limit: Int) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    while let (signal, released, isLast) = state.withLock({ $0.next(upTo: limit) }) {
      switch signal {
      case .value(let value): demand += delivery.downstream.receive(value)
      case .completion(let completion): delivery.send(completion, self)
      }
      withExtendedLifetime(released) {}
      if isLast { break }
    }
    return demand
  }

  // MARK: Subscription

  /// Once the upstream has completed, waiting signals are delivered all the same, as in Combine. The exception is a
  /// scheduler that delivers in batches: all downstream check for themselves whether they have cancelled, and would
  /// drop them.
  @usableFromInline
  override func performCancel() {
    let endsAll = timers.scheduler.handover == .inBatches
    let (ended, released) = state.withLock {
      endsAll || $0.upstream.isSubscribed ? ($0.cancel(), nil) : (nil, $0.upstream.release())
    }
    timers.cancel(ended?.timer)
    ended?.subscription?.cancel()
    withExtendedLifetime(released) {}
  }
}
