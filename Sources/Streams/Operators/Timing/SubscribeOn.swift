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
        downstream: Downstream(subscriber), trapsWhenNested: !(scheduler is any OwnScheduler),
        schedule: { [scheduler, options] in scheduler.schedule(options: options, $0) })
      let start = SubscribeOnStart(inner)
      scheduler.schedule(options: options) { [upstream] in
        let inner = start.begin()
        inner.drops.counting { upstream.subscribe(inner) }
      }
    }
  }
}

@usableFromInline
final class SubscribeOnInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "SubscribeOn" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let schedule: (@escaping () -> Void) -> Void
  @usableFromInline let upstream = SubscriptionSlot()
  /// Demand requested before the handshake is over; nil from then on.
  ///
  /// It is scheduled after that: another thread might answer it while the subscription is still being delivered.
  let early = Lock<[Subscribers.Demand]?>([])
  let requests = Lock(RequestSerializer())
  private let cancellation = Lock(ScheduledCancellation())
  @usableFromInline let drops = Drops()
  /// Whether a nested request of a subscriber that is no operator traps, as in Combine, which requests under a lock.
  @usableFromInline let trapsWhenNested: Bool

  @inlinable
  init(
    downstream: Downstream<Input, Failure>, trapsWhenNested: Bool,
    schedule: @escaping (@escaping () -> Void) -> Void
  ) {
    self.downstream = downstream
    self.trapsWhenNested = trapsWhenNested
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
    upstream.phase == .subscribed ? downstream.receive(input) : drop()
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    return upstream.phase == .subscribed ? downstream.receive(contentsOf: batch) : drop()
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

  /// Requests from the upstream. Demand that arrives while a thread is requesting is requested by that thread
  /// afterwards.
  private func request(_ demand: Subscribers.Demand, from subscription: any Subscription) {
    let entry = requests.withLock { $0.begin(demand, on: Gate.currentThread) }
    precondition(
      !(entry == .nested && trapsWhenNested && !downstream.reliesOnRules),
      "subscribe(on:) was asked for values while it was requesting values")
    guard entry == .begun else { return }
    var next: Subscribers.Demand? = demand
    while let demand = next {
      subscription.request(demand)
      next = requests.withLock { $0.next() }
    }
  }

  @usableFromInline
  func cancel() {
    guard let subscription = upstream.endIfSubscribed() else { return }
    // A scheduler that is abandoned releases its actions, and so cancels too: nothing else could any more.
    let cancellable = AnyCancellable(subscription)
    cancellation.withLock { $0.cancellable = cancellable }
    schedule { withExtendedLifetime(self) { cancellable.cancel() } }
  }

  /// A value has come after the end. An upstream that answers a request on this thread keeps the scheduler from running
  /// the cancellation, for ever if it has no end: it is cancelled here.
  @usableFromInline @inline(never)
  func drop() -> Subscribers.Demand {
    if requests.withLock({ $0.isMade(on: Gate.currentThread) }) {
      cancellation.withLock { $0.cancellable }?.cancel()
    }
    return .refused()
  }
}

/// The cancellation that a scheduler has been given. Only the scheduled action keeps it.
private struct ScheduledCancellation {
  weak var cancellable: AnyCancellable?
}

/// The subscription to an upstream, until it is made.
///
/// A scheduler that is abandoned releases it, and then the downstream gets a subscription without an upstream: an
/// operator that waits for several subscriptions, as zip does, could not be cancelled without it.
@usableFromInline
final class SubscribeOnStart<Input, Failure: Error> {
  private let inner: SubscribeOnInner<Input, Failure>
  private var hasBegun = false

  @usableFromInline
  init(_ inner: SubscribeOnInner<Input, Failure>) { self.inner = inner }

  deinit {
    if !hasBegun { inner.receive(subscription: Subscriptions.empty) }
  }

  @usableFromInline
  func begin() -> SubscribeOnInner<Input, Failure> {
    hasBegun = true
    return inner
  }
}

/// The requests to an upstream, one after another.
struct RequestSerializer {
  /// What a request finds.
  enum Entry {
    /// The request must be made.
    case begun
    /// Another thread is requesting, and makes this request afterwards.
    case waiting
    /// This thread is requesting, further up the stack, and makes this request afterwards.
    case nested
  }

  /// The thread that is requesting; 0 if none is.
  private var thread: UInt32 = 0
  /// The demand that has arrived during the request.
  private var waiting: Subscribers.Demand?

  mutating func begin(_ demand: Subscribers.Demand, on thread: UInt32) -> Entry {
    guard self.thread != 0 else {
      self.thread = thread
      return .begun
    }
    waiting = (waiting ?? .none) + demand
    return self.thread == thread ? .nested : .waiting
  }

  /// Whether the thread is requesting, further up the stack.
  func isMade(on thread: UInt32) -> Bool { self.thread == thread }

  /// After a request: the next one to make, if there is any.
  mutating func next() -> Subscribers.Demand? {
    if waiting == nil { thread = 0 }
    return waiting.take()
  }
}

extension Publisher {
  /// Subscribes to the publisher, requests values from it and cancels it on a scheduler, one scheduled action each. If
  /// the scheduler releases the action for the cancellation, that cancels, too; if it releases the action for the
  /// subscription, the stream never sends anything.
  ///
  /// Values and the completion are delivered wherever the publisher sends them. One action at a time requests values
  /// from the publisher: demand from another thread, or from within that action's request, is requested when that has
  /// returned. Only with a scheduler that runs actions immediately, a request from within a request traps, as in
  /// Combine, if it comes from a subscriber at the end of the stream.
  ///
  ///     let cancellable = slowSource
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
