extension Publishers {
  /// How values are grouped by ``Publisher/collect(_:options:)``.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// One group in each interval of time.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// One group in each interval of time, and one whenever so many values have come.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }

  /// A publisher that gathers its upstream's values and sends them as arrays, by the clock.
  ///
  /// Made by ``Publisher/collect(_:options:)``, which describes it.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are arrays of the upstream's.
    public typealias Output = [Upstream.Output]
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How values are grouped.
    public let strategy: Publishers.TimeGroupingStrategy<Context>
    /// The scheduler's options.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher that `collect(_:options:)` returns.
    @inlinable
    public init(
      upstream: Upstream, strategy: Publishers.TimeGroupingStrategy<Context>,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where S.Failure == Upstream.Failure, S.Input == [Upstream.Output] {
      let (scheduler, interval, count) = strategy.parts
      upstream.subscribe(
        CollectByTimeInner<Upstream.Output, Failure>(
          downstream: Downstream(subscriber), count: count,
          schedule: { [options] in scheduler.schedule(options: options, $0) },
          makeTimer: { [options] in
            scheduler.schedule(
              after: scheduler.now.advanced(by: interval), interval: interval,
              tolerance: scheduler.minimumTolerance, options: options, $0)
          }))
    }
  }
}

extension Publishers.TimeGroupingStrategy {
  @usableFromInline var parts: (Context, Context.SchedulerTimeType.Stride, count: Int?) {
    switch self {
    case .byTime(let context, let interval): (context, interval, nil)
    case .byTimeOrCount(let context, let interval, let count): (context, interval, count)
    }
  }
}

@usableFromInline
final class CollectByTimeInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "CollectByTime" }

  @usableFromInline
  struct State {
    var relay = RelayState.awaiting
    var demand = Subscribers.Demand.none
    var buffer: [Input] = []
    var timer: (any Cancellable)?

    @usableFromInline
    init() {}
  }

  @usableFromInline let downstream: Downstream<[Input], Failure>
  /// How many values make a group before its time; nil if it is the time alone that counts.
  @usableFromInline let count: Int?
  @usableFromInline let schedule: (@escaping () -> Void) -> Void
  @usableFromInline let makeTimer: (@escaping () -> Void) -> any Cancellable
  @usableFromInline let state = Lock(State())
  @usableFromInline let serializer = Serializer()

  @inlinable
  init(
    downstream: Downstream<[Input], Failure>, count: Int?,
    schedule: @escaping (@escaping () -> Void) -> Void,
    makeTimer: @escaping (@escaping () -> Void) -> any Cancellable
  ) {
    precondition(count.map { $0 > 0 } ?? true, "a group holds at least one value")
    self.downstream = downstream
    self.count = count
    self.schedule = schedule
    self.makeTimer = makeTimer
  }

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.relay.subscribe(subscription) }) else { return subscription.cancel() }
    downstream.receive(subscription: self)
    startTimer()
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    let gathered = state.withLock { $0.append(input) }
    guard let gathered else { return .none }
    guard let count else { return .max(1) }
    if gathered.isMultiple(of: count) { scheduleFullGroups() }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard state.withLock({ $0.relay.complete() }) else { return }
    state.withLock { $0.timer.take() }?.cancel()
    schedule { [self] in serializer.perform { self.finish(completion) } }
  }

  private func finish(_ completion: Subscribers.Completion<Failure>) {
    guard let old = state.withLock({ $0.end() }) else { return }
    if case .finished = completion, !old.buffer.isEmpty { _ = downstream.receive(old.buffer) }
    downstream.receive(completion: completion)
  }

  // MARK: Groups

  private func startTimer() {
    let timer = makeTimer { [weak self] in self?.run { $0.sendDue() } }
    let isNeeded = state.withLock { state in
      guard state.relay.isSubscribed else { return false }
      state.timer = timer
      return true
    }
    if !isNeeded { timer.cancel() }
  }

  private func scheduleFullGroups() {
    schedule { self.run { $0.sendFull() } }
  }

  private func run(_ send: @escaping (CollectByTimeInner) -> Void) {
    serializer.run({ send(self) }, refused: { serializer.submit { send(self) } })
  }

  /// Sends what has been gathered until now. As in Combine, what the downstream returns is not passed up.
  private func sendDue() {
    guard let group = state.withLock({ $0.takeGroup(minimum: 1, maximum: count ?? .max) }) else { return }
    let demand = downstream.receive(group)
    state.withLock { $0.demand += demand }
  }

  /// Sends the groups that are full, as far as there is demand. The values are taken when it is their turn, so
  /// that groups stay in order.
  private func sendFull() {
    let count = count ?? .max
    while let group = state.withLock({ $0.takeGroup(minimum: count, maximum: count) }) {
      let demand = downstream.receive(group)
      if demand != .none { serializer.afterLeaving { self.request(demand) } }
    }
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand != .none else { return }
    let (subscription, gathered) = state.withLock { state in
      state.demand += demand
      return (state.relay.isSubscribed ? state.relay.subscription : nil, state.buffer.count)
    }
    subscription?.request(count.map { demand * $0 } ?? .max(1))
    if let count, gathered >= count { scheduleFullGroups() }
  }

  @usableFromInline
  func cancel() {
    let old = state.withLock { $0.end() }
    old?.timer?.cancel()
    old?.subscription.cancel()
  }
}

extension CollectByTimeInner.State {
  /// Takes a value in. Returns how many there are now, nil if it comes too late.
  mutating func append(_ input: Input) -> Int? {
    guard relay.isSubscribed else { return nil }
    buffer.append(input)
    return buffer.count
  }

  mutating func takeGroup(minimum: Int, maximum: Int) -> [Input]? {
    guard relay.subscription != nil, demand > 0, buffer.count >= minimum else { return nil }
    demand -= 1
    let group = Array(buffer.prefix(maximum))
    buffer.removeFirst(group.count)
    return group
  }

  mutating func end() -> (subscription: any Subscription, buffer: [Input], timer: (any Cancellable)?)? {
    guard let subscription = relay.end() else { return nil }
    defer { buffer = [] }
    return (subscription, buffer, timer.take())
  }
}

extension Publisher {
  /// Gathers values into arrays by the clock: one array in each interval of time, or more if so many values
  /// come.
  ///
  /// The time runs from the subscription. An interval without values sends nothing, and values for which
  /// there is no demand wait for a later interval. With `.byTime` each request asks the upstream for one value,
  /// and each value for the next; with `.byTimeOrCount` a request for n arrays is one for n times so many
  /// values, and so is the demand returned for an array that was full; that for one sent by the clock is not
  /// passed on. When the upstream finishes, what is left is sent as the last array, whether or not there is
  /// demand for it; when it fails, what is left is dropped, and so it is on cancellation. Arrays and the
  /// completion are delivered on the scheduler.
  ///
  ///     let ticket = measurements
  ///       .collect(.byTimeOrCount(RunLoop.main, .seconds(5), 100))
  ///       .sink { store($0) }
  ///
  /// - Parameters:
  ///   - strategy: How values are grouped.
  ///   - options: Options for the scheduled action.
  @inlinable
  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}
