extension Publishers {
  /// A publisher that sends how much time has passed since the value before.
  ///
  /// Made by ``Publisher/measureInterval(using:options:)``, which describes it.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are lengths of the scheduler's time.
    public typealias Output = Context.SchedulerTimeType.Stride
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The scheduler whose clock is read.
    public let scheduler: Context

    /// Makes the publisher that `measureInterval(using:options:)` returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        MeasureIntervalInner<Upstream.Output, Failure, Context>(
          downstream: Downstream(subscriber), scheduler: scheduler))
    }
  }
}

@usableFromInline
final class MeasureIntervalInner<Input, Failure: Error, Context: Scheduler>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "MeasureInterval" }

  @usableFromInline let downstream: Downstream<Context.SchedulerTimeType.Stride, Failure>
  @usableFromInline let scheduler: Context
  @usableFromInline let upstream = SubscriptionSlot()
  @usableFromInline let handshake = Handshake()
  /// When the last value came, or at first the subscription.
  @usableFromInline let last = Cell<Context.SchedulerTimeType?>(nil)

  @inlinable
  init(downstream: Downstream<Context.SchedulerTimeType.Stride, Failure>, scheduler: Context) {
    self.downstream = downstream
    self.scheduler = scheduler
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    handshake.begin(self)
    last.value = scheduler.now
    if let due = handshake.take() { downstream.receive(subscription: due) }
  }

  /// Demand that downstream returns is requested, as in Combine, so that it counts before the upstream's call
  /// returns.
  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    guard upstream.phase == .subscribed, let previous = last.value else { return .refused() }
    let now = scheduler.now
    last.value = now
    let demand = downstream.receive(previous.distance(to: now))
    if demand != .none { upstream.current?.request(demand) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard upstream.endIfSubscribed() != nil else { return }
    if let due = handshake.take() { downstream.receive(subscription: due) }
    downstream.receive(completion: completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  @usableFromInline
  func cancel() { upstream.endIfSubscribed()?.cancel() }
}

extension Publisher {
  /// Sends, for each value, how much time has passed since the value before, or since the subscription.
  ///
  /// The time is the scheduler's, and negative if its clock goes back; nothing is scheduled. Demand, completion,
  /// failure and cancellation pass through.
  ///
  ///     let cancellable = clicks.measureInterval(using: scheduler).sink { print($0) }
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler whose clock is read.
  ///   - options: Has no effect.
  @inlinable
  public func measureInterval<S: Scheduler>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, S> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}
