extension Publishers {
  /// A publisher that sends a value only when no other comes for a while after it.
  ///
  /// Made by ``Publisher/debounce(for:scheduler:options:)``, which describes it.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How long no other value may come after a value.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and delivers values.
    public let scheduler: Context
    /// The scheduler's options.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher that `debounce(for:scheduler:options:)` returns.
    @inlinable
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let downstream = Downstream(subscriber)
      let schedule = { [scheduler] in scheduler.schedule($0) }
      if let timers = OwnTimers(scheduler, length: dueTime) {
        return upstream.subscribe(
          DeadlineDebounceInner<Output, Failure>(downstream: downstream, timers: timers, schedule: schedule))
      }
      upstream.subscribe(
        DebounceInner<Output, Failure>(
          downstream: downstream, schedule: schedule,
          makeTimer: { [scheduler, dueTime, options] in
            scheduler.schedule(
              after: scheduler.now.advanced(by: dueTime), interval: dueTime,
              tolerance: scheduler.minimumTolerance, options: options, $0)
          }))
    }
  }
}

@usableFromInline
final class DebounceInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Debounce" }

  @usableFromInline let delivery: Delivery<Input, Failure>
  @usableFromInline let schedule: (@escaping () -> Void) -> Void
  @usableFromInline let makeTimer: (@escaping () -> Void) -> any Cancellable
  @usableFromInline let state = Lock(DebounceState<Input>())
  private let drops = Drops()

  @inlinable
  init(
    downstream: Downstream<Input, Failure>, schedule: @escaping (@escaping () -> Void) -> Void,
    makeTimer: @escaping (@escaping () -> Void) -> any Cancellable
  ) {
    delivery = Delivery(downstream)
    self.schedule = schedule
    self.makeTimer = makeTimer
  }

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.subscribe(subscription) }) else { return subscription.cancel() }
    delivery.serializer.run { [self] in delivery.handshake(self) }
    if state.withLock({ $0.isSubscribed }) { subscription.request(.unlimited) }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard let (generation, replaced) = state.withLock({ $0.receive(input) }) else { return .refused() }
    replaced?.timer?.cancel()
    let timer = makeTimer { self.due(generation) }
    if !state.withLock({ $0.keep(timer, for: generation) }) { timer.cancel() }
    return .none
  }

  /// The scheduled completion is delivered even if the downstream cancels in the meantime, as in Combine.
  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let ended = state.withLock { $0.end() }
    guard let ended else { return }
    ended.waiting?.timer?.cancel()
    schedule { self.delivery.serializer.run { self.delivery.downstream.receive(completion: completion) } }
  }

  // MARK: The timer

  private func due(_ generation: Int) {
    // Otherwise the timer would fire again while the value waits for its turn.
    state.withLock { $0.takeTimer(of: generation) }?.cancel()
    delivery.serializer.run((self, generation)) { $0.0.dueInTurn($0.1) }
  }

  private func dueInTurn(_ generation: Int) {
    guard let due = state.withLock({ $0.takeValue(of: generation) }) else { return }
    // A timer that has fired before it was kept.
    due.waiting.timer?.cancel()
    guard due.isDemanded else { return drops.add(1) }
    guard state.withLock({ $0.isSubscribed }) else { return }
    request(delivery.downstream.receive(due.waiting.value))
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
    ended?.waiting?.timer?.cancel()
    ended?.subscription.cancel()
  }

  @usableFromInline var customMirror: Mirror {
    let state = state.withLock { $0 }
    return Mirror(
      self,
      children: [
        "downstream": delivery.downstream.subscriber, "downstreamDemand": state.demand,
        "currentValue": state.waiting?.value as Any,
      ])
  }
}

extension Publisher {
  /// Sends a value only when no other has come for `dueTime` after it.
  ///
  /// Upstream's demand is unlimited. Values are delivered on the scheduler; a value whose time comes while
  /// there is no demand is lost. The completion is scheduled immediately, and drops the value that waits.
  /// Cancelling drops it too.
  ///
  ///     let cancellable = searchField.text
  ///       .debounce(for: .milliseconds(300), scheduler: RunLoop.main)
  ///       .sink { search(for: $0) }
  ///
  /// - Parameters:
  ///   - dueTime: How long no other value may come after a value.
  ///   - scheduler: The scheduler that measures the time and delivers values.
  ///   - options: Options for the scheduled actions.
  @inlinable
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}
