import Synchronization

extension Publishers {
  /// A publisher that subscribes to its upstream, requests and cancels on a scheduler.
  ///
  /// Made by ``Publisher/subscribe(on:options:)``, which describes it.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The scheduler on which the upstream is used.
    public let scheduler: Context
    /// The scheduler's options.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher that `subscribe(on:options:)` returns.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Schedules the subscription of `subscriber` to the upstream.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = SubscribeOnInner<Output, Failure>(
        downstream: Downstream(subscriber),
        schedule: { [scheduler, options] in scheduler.schedule(options: options, $0) })
      scheduler.schedule(options: options) { [upstream] in upstream.subscribe(inner) }
    }
  }
}

@usableFromInline
final class SubscribeOnInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "SubscribeOn" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let schedule: (@escaping () -> Void) -> Void
  @usableFromInline let upstream = SubscriptionSlot()
  /// What is requested before the handshake is over; nil from then on.
  ///
  /// It is scheduled after that: another thread might answer it while the subscription is still being given.
  let early = Lock<[Subscribers.Demand]?>([])
  /// The thread that is in a request to the upstream, 0 if there is none.
  let requestingThread = Atomic<UInt32>(0)

  @inlinable
  init(downstream: Downstream<Input, Failure>, schedule: @escaping (@escaping () -> Void) -> Void) {
    self.downstream = downstream
    self.schedule = schedule
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    downstream.receive(subscription: self)
    for demand in early.withLock({ $0.take() }) ?? [] { scheduleRequest(demand) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    upstream.phase == .subscribed ? downstream.receive(input) : .none
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    upstream.phase == .subscribed ? downstream.receive(contentsOf: batch) : .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.endIfSubscribed() != nil { downstream.receive(completion: completion) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard upstream.phase == .subscribed else { return }
    let isEarly = early.withLock { $0?.append(demand) != nil }
    if !isEarly { scheduleRequest(demand) }
  }

  private func scheduleRequest(_ demand: Subscribers.Demand) {
    guard let subscription = upstream.current else { return }
    schedule { self.request(demand, from: subscription) }
  }

  /// Combine requests under a lock, so a scheduler that runs a request within a request ends the program.
  private func request(_ demand: Subscribers.Demand, from subscription: any Subscription) {
    let thread = Gate.currentThread
    let previous = requestingThread.exchange(thread, ordering: .relaxed)
    precondition(previous != thread, "subscribe(on:) was asked for values while it was requesting values")
    subscription.request(demand)
    requestingThread.store(0, ordering: .relaxed)
  }

  @usableFromInline
  func cancel() {
    guard let subscription = upstream.endIfSubscribed() else { return }
    schedule { withExtendedLifetime(self) { subscription.cancel() } }
  }
}

extension Publisher {
  /// Subscribes to the publisher, requests values from it and cancels it on a scheduler, one scheduled action
  /// each.
  ///
  /// Values and the completion are delivered wherever the publisher sends them. With a scheduler that runs
  /// actions at once, a request from within a request traps.
  ///
  ///     let ticket = slowSource
  ///       .subscribe(on: backgroundQueue)
  ///       .receive(on: RunLoop.main)
  ///       .sink { print($0) }
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the publisher is used.
  ///   - options: Options for the scheduled actions.
  @inlinable
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}
