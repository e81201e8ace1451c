/// The inner subscriber of debounce on a scheduler of this package: one timer for many values.
@usableFromInline
final class DeadlineDebounceInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Debounce" }

  @usableFromInline let delivery: Delivery<Input, Failure>
  @usableFromInline let timers: OwnTimers
  @usableFromInline let schedule: (@escaping () -> Void) -> Void
  @usableFromInline let state = Lock(DeadlineDebounceState<Input>())
  private let drops = Drops()

  @inlinable
  init(
    downstream: Downstream<Input, Failure>, timers: OwnTimers,
    schedule: @escaping (@escaping () -> Void) -> Void
  ) {
    delivery = Delivery(downstream)
    self.timers = timers
    self.schedule = schedule
  }

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.upstream.subscribe(subscription) }) else { return subscription.cancel() }
    delivery.serializer.run { [self] in delivery.handshake(self) }
    if state.withLock({ $0.upstream.isSubscribed }) { subscription.request(.unlimited) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    let end = timers.end
    guard let (replaced, timer) = state.withLock({ $0.receive(input, until: end) }) else {
      return .refused()
    }
    if let timer { setTimer(timer, at: end) }
    withExtendedLifetime(replaced) {}
    return .none
  }

  /// The scheduled completion is delivered even if the downstream cancels in the meantime, as in Combine.
  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard let ended = state.withLock({ $0.end() }) else { return }
    timers.cancel(ended.timer)
    schedule { self.delivery.serializer.run { self.delivery.downstream.receive(completion: completion) } }
  }

  // MARK: The timer

  @usableFromInline
  func setTimer(_ number: Int, at time: Int) {
    timers.set(at: time) {
      self.timerHasCome()
    } keep: { name in
      state.withLock { $0.deadline.keep(name, number: number) }
    }
  }

  private func timerHasCome() {
    let now = timers.scheduler.nanoseconds
    switch state.withLock({ $0.deadline.arrive(at: now) }) {
    case .isNotWanted: break
    case .comesAgain(let number, let time): setTimer(number, at: time)
    case .isDue: delivery.serializer.run((self, now)) { $0.0.deliver(at: $0.1) }
    }
  }

  private func deliver(at now: Int) {
    guard let due = state.withLock({ $0.takeValue(at: now) }) else { return }
    guard due.isDemanded else { return drops.add(1) }
    guard state.withLock({ $0.upstream.isSubscribed }) else { return }
    request(delivery.downstream.receive(due.value))
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    state.withLock { $0.request(demand) }
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    guard let ended = state.withLock({ $0.end() }) else { return }
    timers.cancel(ended.timer)
    ended.subscription.cancel()
  }
}
