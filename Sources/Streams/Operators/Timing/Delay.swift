extension Publishers {
  /// A publisher that delivers its upstream's values and completion some time later, on a scheduler.
  ///
  /// Made by ``Publisher/delay(for:tolerance:scheduler:options:)``, which describes it.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How much later values are delivered.
    public let interval: Context.SchedulerTimeType.Stride
    /// How much later than that is allowed.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// The scheduler on which values are delivered.
    public let scheduler: Context
    /// The scheduler's options.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher that `delay(for:tolerance:scheduler:options:)` returns.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      if let timers = OwnTimers(scheduler, length: interval) {
        return upstream.subscribe(
          DelayInner<Output, Failure>(downstream: Downstream(subscriber), timers: timers))
      }
      upstream.subscribe(
        ScheduledObserveOn<Output, Failure>(
          downstream: Downstream(subscriber),
          schedule: { [interval, tolerance, scheduler, options] in
            scheduler.schedule(
              after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, $0)
          }))
    }
  }
}

extension Publisher {
  /// Delivers each value, and the completion, some time after the upstream has sent it.
  ///
  /// The subscription, requests and the cancellation are not delayed. Demand that the subscriber returns for
  /// a value is requested from the upstream when the value is delivered. A value that is under way when the
  /// subscriber cancels is dropped, unless the upstream has completed: then there is nothing left to cancel,
  /// and signals under way arrive. `sink` and `assign` drop even those.
  ///
  ///     let cancellable = subject
  ///       .delay(for: .seconds(3), scheduler: RunLoop.main)
  ///       .sink { print($0) }
  ///
  /// - Parameters:
  ///   - interval: How much later values are delivered.
  ///   - tolerance: How much later than that is allowed; nil for the scheduler's minimum.
  ///   - scheduler: The scheduler on which values are delivered.
  ///   - options: Options for the scheduled actions.
  @inlinable
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
      scheduler: scheduler, options: options)
  }
}
