extension Publishers {
  /// A publisher that delivers its upstream's values and completion on a scheduler.
  ///
  /// Made by ``Publisher/receive(on:options:)``, which describes it.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The scheduler on which values are delivered.
    public let scheduler: Context
    /// The scheduler's options.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher that `receive(on:options:)` returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let schedule = { [scheduler, options] in scheduler.schedule(options: options, $0) }
      let handover = (scheduler as? any OwnScheduler)?.handover ?? .oneByOne
      if handover != .oneByOne {
        upstream.subscribe(
          HandoverInner<Output, Failure>(
            Downstream(subscriber), inBatches: handover == .inBatches, schedule: schedule))
      } else {
        upstream.subscribe(
          ReceiveOnInner<Output, Failure>(downstream: Downstream(subscriber), schedule: schedule))
      }
    }
  }
}

@usableFromInline
final class ReceiveOnInner<Input, Failure: Error>: ScheduledObserveOn<Input, Failure>, Inner {
  @usableFromInline static var name: String { "ReceiveOn" }

  @inlinable
  override init(downstream: Downstream<Input, Failure>, schedule: @escaping Schedule) {
    super.init(downstream: downstream, schedule: schedule)
  }
}

extension Publisher {
  /// Delivers values and the completion on a scheduler, one scheduled action each.
  ///
  /// The subscription, requests and the cancellation do not wait for the scheduler. Demand that the
  /// subscriber returns for a value is requested from the upstream when the value is delivered. A value that
  /// is scheduled when the subscriber cancels is dropped, unless the upstream has completed: then there is
  /// nothing left to cancel, and scheduled signals arrive. `sink` and `assign` drop even those. A scheduler
  /// that does not keep actions in order, such as a concurrent queue, does not keep values in order; the
  /// completion still comes last.
  ///
  ///     let cancellable = jsonPublisher
  ///       .receive(on: RunLoop.main)
  ///       .sink { label.text = $0 }
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which values are delivered.
  ///   - options: Options for the scheduled actions.
  @inlinable
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }
}
