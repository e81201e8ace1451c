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
          downstream: Downstream(subscriber), timers: OwnTimers(scheduler, length: interval),
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
final class TimeoutInner<Input, Failure: Error>: ScheduledObserveOn<Input, Failure>, Inner {
  @usableFromInline static var name: String { "Timeout" }

  /// Set if one timer serves many values; otherwise there is one for each.
  @usableFromInline let timers: OwnTimers?
  @usableFromInline let movingDeadline = Lock(MovingDeadline())
  @usableFromInline let makeTimer: (@escaping () -> Void) -> any Cancellable
  @usableFromInline let customError: (() -> Failure)?
  @usableFromInline let deadline = Lock(Deadline())

  @inlinable
  init(
    downstream: Downstream<Input, Failure>, timers: OwnTimers?, schedule: @escaping Schedule,
    makeTimer: @escaping (@escaping () -> Void) -> any Cancellable, customError: (() -> Failure)?
  ) {
    self.timers = timers
    self.makeTimer = makeTimer
    self.customError = customError
    super.init(downstream: downstream, schedule: schedule)
  }

  // MARK: Subscriber

  @usableFromInline
  override func noteSubscription() { arm() }

  @usableFromInline
  override func noteValue() {
    if state.withLock({ $0.upstream.isSubscribed }) { arm() }
  }

  @usableFromInline
  override func receive(completion: Subscribers.Completion<Failure>) {
    guard state.withLock({ $0.upstream.isSubscribed }) else { return }
    stopTime()
    super.receive(completion: completion)
  }

  // MARK: The timer

  /// Restarts the time.
  private func arm() {
    if let timers {
      let end = timers.end
      if let number = movingDeadline.withLock({ $0.move(to: end) }) { setTimer(number, at: end, timers) }
      return
    }
    guard let (generation, replaced) = deadline.withLock({ $0.begin(on: Gate.currentThread) }) else { return }
    replaced?.cancel()
    let timer = makeTimer { self.timeOut(generation) }
    if !deadline.withLock({ $0.keep(timer, for: generation) }) { timer.cancel() }
  }

  private func setTimer(_ number: Int, at time: Int, _ timers: OwnTimers) {
    timers.set(at: time) {
      self.timerHasCome(timers)
    } keep: { name in
      movingDeadline.withLock { $0.keep(name, number: number) }
    }
  }

  private func timerHasCome(_ timers: OwnTimers) {
    let now = timers.scheduler.nanoseconds
    switch movingDeadline.withLock({ $0.arrive(at: now) }) {
    case .isNotWanted: break
    case .comesAgain(let number, let time): setTimer(number, at: time, timers)
    case .isDue: end()
    }
  }

  private func stopTime() {
    timers?.cancel(movingDeadline.withLock { $0.end() })
    deadline.withLock { $0.end() }?.cancel()
  }

  /// The completion waits behind the values that are scheduled, as the upstream's would.
  private func timeOut(_ generation: Int) {
    let (isDue, timer) = deadline.withLock { $0.pass(generation, on: Gate.currentThread) }
    timer?.cancel()
    if isDue { end() }
  }

  private func end() {
    guard let subscription = state.withLock({ $0.upstream.abandon() }) else { return }
    subscription.cancel()
    let completion = customError.map { Subscribers.Completion.failure($0()) } ?? .finished
    state.withLock { $0.append(completion) }
    deliverNext()
  }

  // MARK: Subscription

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    guard state.withLock({ $0.upstream.isSubscribed }) else { return }
    if deadline.withLock({ $0.noteRequest() }) { arm() }
    super.request(demand)
  }

  @usableFromInline
  override func performCancel() {
    guard state.withLock({ $0.upstream.isOpen }) else { return }
    stopTime()
    let ended = state.withLock { $0.cancel() }
    ended.subscription?.cancel()
  }
}

extension Publisher {
  /// Ends the stream when no value comes for a while.
  ///
  /// The time starts at the subscription, and restarts at the first request and at each value. When it is
  /// over, the upstream is cancelled, and the publisher finishes, or fails with `customError`. Values and the
  /// completion are delivered on the scheduler, and demand that the subscriber returns for a value is
  /// requested then; requests and the cancellation are passed on immediately. Traps with a scheduler whose
  /// time does not pass, such as `ImmediateScheduler`.
  ///
  ///     let cancellable = response
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
