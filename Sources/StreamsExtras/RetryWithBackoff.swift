public import Streams

extension Publishers {
  /// A publisher that waits after its upstream has failed, and then subscribes to it again.
  ///
  /// Made by `Publisher/retry(_:scheduler:when:)`, which describes it.
  public struct RetryWithBackoff<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How often to retry, and when.
    public let backoff: Backoff
    /// The scheduler on which it waits and subscribes again.
    public let scheduler: Context
    /// Returns whether another attempt may succeed after a failure.
    public let isWorthwhile: (Failure) throws(Failure) -> Bool
    private let chance: () -> Double

    /// Makes the publisher that `retry(_:scheduler:when:)` returns. `chance` returns random numbers from 0 to 1 for the jitter.
    public init(
      upstream: Upstream, backoff: Backoff, scheduler: Context,
      when isWorthwhile: @escaping (Failure) -> Bool,
      chance: @escaping () -> Double = { .random(in: 0...1) }
    ) {
      self.init(
        upstream: upstream, backoff: backoff, scheduler: scheduler,
        when: { (error) throws(Failure) in isWorthwhile(error) }, chance: chance)
    }

    /// Makes the publisher of the `retry(_:scheduler:when:)` whose closure may throw.
    @_documentation(visibility: internal)
    @_disfavoredOverload
    public init(
      upstream: Upstream, backoff: Backoff, scheduler: Context,
      when isWorthwhile: @escaping (Failure) throws(Failure) -> Bool,
      chance: @escaping () -> Double = { .random(in: 0...1) }
    ) {
      self.upstream = upstream
      self.backoff = backoff
      self.scheduler = scheduler
      self.isWorthwhile = isWorthwhile
      self.chance = chance
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let retry = Lock(0)
      let inner = RetryInner<Output, Failure>(
        downstream: Downstream(subscriber), retries: backoff.retries,
        pause: { (error) throws(Failure) in
          guard try isWorthwhile(error) else { return nil }
          let number = retry.withLock { retry in
            defer { retry += 1 }
            return retry
          }
          let delay = Context.SchedulerTimeType.Stride.nanoseconds(
            backoff.nanoseconds(before: number, chance: chance()))
          return { [scheduler] resume in
            scheduler.schedule(
              after: scheduler.now.advanced(by: delay), interval: .seconds(3600),
              tolerance: scheduler.minimumTolerance, resume)
          }
        },
        attach: { [upstream] attempt in upstream.subscribe(attempt) })
      inner.start()
    }
  }
}

extension Publisher {
  /// Subscribes to this publisher again when it fails, each time after a longer wait.
  ///
  /// Demand that was not met is requested from the next subscription. The failure passes through after the last attempt, or if
  /// `isWorthwhile` returns false; finishing passes through at any time. Cancelling ends the attempts and the wait for the next
  /// one. The upstream is subscribed to again on the scheduler.
  ///
  ///     let cancellable = status
  ///       .retry(Backoff(retries: 5, delay: .seconds(1), jitter: 0.3), scheduler: loop) { $0 is URLError }
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { show($0) })
  ///
  /// - Parameters:
  ///   - backoff: How often to retry, and when.
  ///   - scheduler: The scheduler on which it waits and subscribes again.
  ///   - isWorthwhile: Returns whether another attempt may succeed after a failure. It is called once for each failure.
  public func retry<S: Scheduler>(
    _ backoff: Backoff, scheduler: S, when isWorthwhile: @escaping (Failure) -> Bool = { _ in true }
  ) -> Publishers.RetryWithBackoff<Self, S> {
    retry(backoff, scheduler: scheduler, when: { (error) throws(Failure) in isWorthwhile(error) })
  }

  /// Subscribes to this publisher again when it fails, each time after a longer wait, unless the closure throws.
  ///
  /// An error that the closure throws fails the stream immediately. In all else it is `retry(_:scheduler:when:)`.
  @_documentation(visibility: internal)
  @_disfavoredOverload
  public func retry<S: Scheduler>(
    _ backoff: Backoff, scheduler: S, when isWorthwhile: @escaping (Failure) throws(Failure) -> Bool
  ) -> Publishers.RetryWithBackoff<Self, S> {
    Publishers.RetryWithBackoff(upstream: self, backoff: backoff, scheduler: scheduler, when: isWorthwhile)
  }
}
