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
    /// Whether the latest of an interval's values is sent, or else the first.
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

/// Unlike most others it lets go of its downstream at the end, and the scheduled actions do not keep it.
@usableFromInline
final class ThrottleInner<Input, Failure: Error, Context: Scheduler>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Throttle" }

  @usableFromInline
  struct State {
    var relay = RelayState.awaiting
    var downstream: Downstream<Input, Failure>?
    var demand = Subscribers.Demand.none
    var pending: Input?
    var completion: Subscribers.Completion<Failure>?
    /// When the last value was sent.
    var lastTime: Context.SchedulerTimeType?

    @usableFromInline
    init(downstream: Downstream<Input, Failure>) { self.downstream = downstream }
  }

  let interval: Context.SchedulerTimeType.Stride
  let scheduler: Context
  let latest: Bool
  let state: Lock<State>
  let serializer = Serializer()

  @usableFromInline
  init(
    downstream: Downstream<Input, Failure>, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
    latest: Bool
  ) {
    self.interval = interval
    self.scheduler = scheduler
    self.latest = latest
    state = Lock(State(downstream: downstream))
    // Combine looks at the clock here and at the subscription, and makes no use of it.
    _ = scheduler.now
  }

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    let downstream = state.withLock { $0.relay.subscribe(subscription) ? $0.downstream : nil }
    guard let downstream else { return subscription.cancel() }
    _ = scheduler.now
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard state.withLock({ $0.relay.isSubscribed }) else { return .none }
    let now = scheduler.now
    let (plan, dropped) = state.withLock { $0.take(input, at: now, interval: interval, latest: latest) }
    withExtendedLifetime(dropped) {}
    switch plan {
    case .nothing: break
    case .emitNow: scheduler.schedule { [weak self] in self?.emit() }
    case .emitLater(let time): scheduler.schedule(after: time) { [weak self] in self?.emit() }
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard state.withLock({ $0.relay.complete() }) else { return }
    _ = scheduler.now
    let isEmissionScheduled = state.withLock { state in
      state.completion = completion
      return state.pending != nil
    }
    if !isEmissionScheduled { scheduler.schedule { [weak self] in self?.emit() } }
  }

  // MARK: Emissions

  /// Sends what is pending. The completion that comes with it ends everything.
  private func emit() {
    serializer.run({ emitInTurn() }, refused: { serializer.submit { self.emitInTurn() } })
  }

  private func emitInTurn() {
    guard let isLast = state.withLock({ $0.isLastEmission }) else { return }
    let now = isLast ? nil : scheduler.now
    guard let (emission, released) = state.withLock({ $0.takeEmission(at: now) }) else { return }
    deliver(emission)
    withExtendedLifetime(released) {}
  }

  private func deliver(_ emission: State.Emission) {
    if let value = emission.value {
      let demand = emission.downstream.receive(value)
      if demand != .none { request(demand) }
    }
    if let completion = emission.completion { emission.downstream.receive(completion: completion) }
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    state.withLock { if $0.relay.isSubscribed { $0.demand += demand } }
  }

  @usableFromInline
  func cancel() {
    let old = state.withLock { $0.end() }
    old.relay.subscription?.cancel()
  }
}

extension ThrottleInner.State {
  /// What a value leads to.
  enum Plan {
    case nothing
    case emitNow
    case emitLater(Context.SchedulerTimeType)
  }

  struct Emission {
    var downstream: Downstream<Input, Failure>
    var value: Input?
    var completion: Subscribers.Completion<Failure>?
  }

  /// Takes a value in, unless there is no demand. Returns the value that is dropped as well.
  mutating func take(
    _ input: Input, at now: Context.SchedulerTimeType, interval: Context.SchedulerTimeType.Stride,
    latest: Bool
  ) -> (Plan, dropped: Input?) {
    guard relay.isSubscribed, demand > 0 else { return (.nothing, nil) }
    if let waiting = pending {
      if latest { pending = input }
      return (.nothing, waiting)
    }
    pending = input
    guard let next = lastTime?.advanced(by: interval), now < next else { return (.emitNow, nil) }
    return (.emitLater(next), nil)
  }

  /// Whether the emission carries the completion; nil if there is nothing to emit any more.
  var isLastEmission: Bool? { relay.subscription == nil ? nil : completion != nil }

  /// Takes out what is to be sent, and what is to be released after that.
  mutating func takeEmission(at now: Context.SchedulerTimeType?) -> (Emission, released: Self?)? {
    guard relay.subscription != nil, let downstream else { return nil }
    if let now { lastTime = now }
    let emission = Emission(downstream: downstream, value: pending.take(), completion: completion)
    if completion != nil { return (emission, end()) }
    if emission.value != nil, demand > 0 { demand -= 1 }
    return (emission, nil)
  }

  /// Ends everything. Returns what there was, to be released.
  mutating func end() -> Self {
    let old = self
    relay = .ended
    downstream = nil
    pending = nil
    completion = nil
    return old
  }
}

extension Publisher {
  /// Sends at most one value in each interval of time.
  ///
  /// The first value is sent at once, on the scheduler; after that, a value is sent when `interval` has
  /// passed since the last one that was sent. Of the values that come in the meantime the first or the latest
  /// is kept. Upstream's demand is unlimited; a value that comes while there is no demand is dropped. The
  /// completion waits for the value that is kept. Cancelling drops it.
  ///
  ///     let ticket = pointerPositions
  ///       .throttle(for: .milliseconds(50), scheduler: RunLoop.main, latest: true)
  ///       .sink { move(to: $0) }
  ///
  /// - Parameters:
  ///   - interval: The time from one value to the next.
  ///   - scheduler: The scheduler that measures the time and delivers values.
  ///   - latest: Whether the latest of an interval's values is sent, or else the first.
  @inlinable
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}
