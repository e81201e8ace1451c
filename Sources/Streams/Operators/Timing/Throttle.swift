extension Publishers {
  /// A publisher that sends at most one of its upstream's values in each interval of time.
  ///
  /// Made by ``Publisher/throttle(for:scheduler:latest:)``, which describes it.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The time from one value to the next.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and delivers values.
    public let scheduler: Context
    /// Whether the latest of an interval's values is sent, or the first.
    public let latest: Bool

    /// Makes the publisher that `throttle(for:scheduler:latest:)` returns.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        ThrottleInner<Output, Failure, Context>(
          downstream: Downstream(subscriber), interval: interval, scheduler: scheduler, latest: latest))
    }
  }
}

/// Unlike most others it releases its downstream at the end, and the scheduled actions do not retain it.
@usableFromInline
final class ThrottleInner<Input, Failure: Error, Context: Scheduler>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Throttle" }

  let scheduler: Context
  let state: Lock<ThrottleState<Input, Failure, Context.SchedulerTimeType>>
  let serializer = Serializer()
  private let drops = Drops()
  /// Set on a scheduler whose later emissions can be cancelled.
  private let timers: OwnTimers?
  private let deadline = Lock(MovingDeadline())

  @usableFromInline
  init(
    downstream: Downstream<Input, Failure>, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
    latest: Bool
  ) {
    self.scheduler = scheduler
    timers = OwnTimers(scheduler, length: interval)
    state = Lock(ThrottleState(downstream: downstream, interval: interval, latest: latest))
    // Combine reads the clock here and at the subscription, and makes no use of it.
    _ = scheduler.now
  }

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard let downstream = state.withLock({ $0.subscribe(subscription) }) else {
      return subscription.cancel()
    }
    _ = scheduler.now
    serializer.run { downstream.receive(subscription: self) }
    if state.withLock({ $0.isSubscribed }) { subscription.request(.unlimited) }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard state.withLock({ $0.isSubscribed }) else { return .refused() }
    let now = scheduler.now
    let (plan, dropped) = state.withLock { $0.receive(input, at: now) }
    withExtendedLifetime(dropped) {}
    switch plan {
    case .nothing: break
    case .drop: drops.add(1)
    case .emitNow: scheduler.schedule { [weak self] in self?.emit() }
    case .emitLater(let time): emit(at: time, from: now)
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard state.withLock({ $0.isSubscribed }) else { return }
    _ = scheduler.now
    if state.withLock({ $0.receive(completion) }) { scheduler.schedule { [weak self] in self?.emit() } }
  }

  // MARK: Emissions

  private func emit(at time: Context.SchedulerTimeType, from now: Context.SchedulerTimeType) {
    guard let timers, let left = timers.scheduler.nanoseconds(in: now.distance(to: time)) else {
      return scheduler.schedule(after: time) { [weak self] in self?.emit() }
    }
    let end = timers.end(ofNanoseconds: left)
    guard let number = deadline.withLock({ $0.move(to: end) }) else { return }
    timers.set(at: end) { [weak self] in
      guard let self else { return }
      _ = deadline.withLock { $0.stop() }
      emit()
    } keep: { name in
      deadline.withLock { $0.keep(name, number: number) }
    }
  }

  /// Sends the value that is kept, and after it the completion if that has come.
  private func emit() {
    serializer.run(self) { $0.emitInTurn() }
  }

  private func emitInTurn() {
    guard var isLast = state.withLock({ $0.isLastEmission }) else { return }
    let now = isLast ? nil : scheduler.now
    if let (value, downstream, isLastValue) = state.withLock({ $0.takeValue(at: now) }) {
      // The completion may have come in the meantime.
      isLast = isLast || isLastValue
      request(downstream.receive(value))
    }
    guard isLast, let end = state.withLock({ $0.takeCompletion() }) else { return }
    end.downstream.receive(completion: end.completion)
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
    let ended = state.withLock { $0.end() }
    timers?.cancel(deadline.withLock { $0.end() })
    ended.subscription?.cancel()
  }
}

extension Publisher {
  /// Sends at most one value in each interval of time.
  ///
  /// The first value is sent immediately, on the scheduler; after that, a value is sent when `interval` has passed
  /// since the last one that was sent. Of the values that come in the meantime the first or the latest is kept.
  /// Upstream's demand is unlimited; a value that comes while there is no demand is dropped. Demand is spent when a
  /// value is sent: until then a later one may take its place. The completion waits for the value that is kept.
  /// Cancelling drops it.
  ///
  ///     let cancellable = pointerPositions
  ///       .throttle(for: .milliseconds(50), scheduler: RunLoop.main, latest: true)
  ///       .sink { move(to: $0) }
  ///
  /// - Parameters:
  ///   - interval: The time from one value to the next.
  ///   - scheduler: The scheduler that measures the time and delivers values.
  ///   - latest: Whether the latest of an interval's values is sent, or the first.
  @inlinable
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}
