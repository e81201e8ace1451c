extension Publishers {
  /// A publisher that ends its upstream when no value comes for a while.
  ///
  /// Made by ``Publisher/timeout(_:scheduler:options:customError:)``, which describes it.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does, or with the custom error.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How long the publisher waits for a value.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that measures the time and delivers values.
    public let scheduler: Context
    /// The scheduler's options.
    public let options: Context.SchedulerOptions?
    /// Makes the error with which the publisher fails; without it the publisher finishes.
    public let customError: (() -> Failure)?

    /// Makes the publisher that `timeout(_:scheduler:options:customError:)` returns.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TimeoutInner<Output, Failure>(
          downstream: Downstream(subscriber),
          schedule: { [scheduler, options] in scheduler.schedule(options: options, $0) },
          makeTimer: { [scheduler, interval, options] in
            scheduler.schedule(
              after: scheduler.now.advanced(by: interval), interval: interval,
              tolerance: scheduler.minimumTolerance, options: options, $0)
          },
          customError: customError))
    }
  }
}

@usableFromInline
final class TimeoutInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Timeout" }

  @usableFromInline
  struct State {
    var relay = RelayState.awaiting
    /// The timer that counts. Older ones may still be called, and are ignored.
    var generation = 0
    var timer: (any Cancellable)?
    /// The thread that is setting up a timer.
    var armingThread: UInt32 = 0
    var hasRequested = false

    @usableFromInline
    init() {}
  }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let schedule: (@escaping () -> Void) -> Void
  @usableFromInline let makeTimer: (@escaping () -> Void) -> any Cancellable
  @usableFromInline let customError: (() -> Failure)?
  @usableFromInline let state = Lock(State())
  @usableFromInline let serializer = Serializer()

  @inlinable
  init(
    downstream: Downstream<Input, Failure>, schedule: @escaping (@escaping () -> Void) -> Void,
    makeTimer: @escaping (@escaping () -> Void) -> any Cancellable, customError: (() -> Failure)?
  ) {
    self.downstream = downstream
    self.schedule = schedule
    self.makeTimer = makeTimer
    self.customError = customError
  }

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.relay.subscribe(subscription) }) else { return subscription.cancel() }
    arm()
    downstream.receive(subscription: self)
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard state.withLock({ $0.relay.isSubscribed }) else { return .none }
    arm()
    schedule { self.deliver(input) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let (counts, timer) = state.withLock { ($0.relay.complete(), $0.disarm()) }
    timer?.cancel()
    if counts { schedule { self.deliver(completion) } }
  }

  // MARK: The timer

  /// Starts the time anew.
  private func arm() {
    let (generation, previous) = state.withLock { state in
      let previous = state.disarm()
      state.armingThread = Gate.currentThread
      return (state.generation, previous)
    }
    previous?.cancel()
    let timer = makeTimer { self.timeOut(generation) }
    let isCounting = state.withLock { state in
      state.armingThread = 0
      guard state.generation == generation, state.relay.isSubscribed else { return false }
      state.timer = timer
      return true
    }
    if !isCounting { timer.cancel() }
  }

  private func timeOut(_ generation: Int) {
    let ended = state.withLock { state -> (subscription: (any Subscription)?, timer: (any Cancellable)?)? in
      precondition(state.armingThread != Gate.currentThread, "a timeout needs a scheduler whose time passes")
      guard state.generation == generation, state.relay.isSubscribed else { return nil }
      return (state.relay.end(), state.disarm())
    }
    guard let ended else { return }
    ended.timer?.cancel()
    ended.subscription?.cancel()
    serializer.perform { [self] in
      downstream.receive(completion: customError.map { .failure($0()) } ?? .finished)
    }
  }

  // MARK: Scheduled deliveries

  private func deliver(_ input: Input) {
    serializer.perform { [self] in
      guard state.withLock({ $0.relay.subscription }) != nil else { return }
      let demand = downstream.receive(input)
      if demand != .none {
        serializer.afterLeaving { self.state.withLock { $0.relay.subscription }?.request(demand) }
      }
    }
  }

  private func deliver(_ completion: Subscribers.Completion<Failure>) {
    serializer.perform { [self] in
      guard let subscription = state.withLock({ $0.relay.end() }) else { return }
      downstream.receive(completion: completion)
      withExtendedLifetime(subscription) {}
    }
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    let (subscription, isFirst) = state.withLock { state in
      guard state.relay.isSubscribed else { return ((any Subscription)?.none, false) }
      defer { state.hasRequested = true }
      return (state.relay.subscription, !state.hasRequested)
    }
    if isFirst { arm() }
    subscription?.request(demand)
  }

  @usableFromInline
  func cancel() {
    let (subscription, timer) = state.withLock { ($0.relay.end(), $0.disarm()) }
    timer?.cancel()
    subscription?.cancel()
  }
}

extension TimeoutInner.State {
  /// Makes the timer count no longer. Returns it, to be cancelled.
  mutating func disarm() -> (any Cancellable)? {
    generation += 1
    return timer.take()
  }
}

extension Publisher {
  /// Ends the stream when no value comes for a while.
  ///
  /// The time begins to run at the subscription, anew at the first request, and anew at each value. When it
  /// is over, the upstream is cancelled, and the publisher finishes, or fails with `customError`. Values and
  /// the completion are delivered on the scheduler, and what the subscriber returns for a value is requested
  /// then; requests and the cancellation are passed on at once. Traps with a scheduler whose time does not
  /// pass, such as `ImmediateScheduler`.
  ///
  ///     let ticket = response
  ///       .timeout(.seconds(5), scheduler: RunLoop.main, customError: { URLError(.timedOut) })
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  ///
  /// - Parameters:
  ///   - interval: How long to wait for a value.
  ///   - scheduler: The scheduler that measures the time and delivers values.
  ///   - options: Options for the scheduled actions.
  ///   - customError: Makes the error to fail with; nil to finish instead.
  @inlinable
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}
