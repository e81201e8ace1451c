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
    /// How long nothing else may come after a value.
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
      upstream.subscribe(
        DebounceInner<Output, Failure>(
          downstream: Downstream(subscriber),
          schedule: { [scheduler] in scheduler.schedule($0) },
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

  @usableFromInline
  struct State {
    var relay = RelayState.awaiting
    var demand = Subscribers.Demand.none
    /// The value that waits for its time.
    var value: Input?
    /// Counts the values. A timer knows the number of its value, and is ignored once it is not the last.
    var generation = 0
    var timer: (any Cancellable)?

    @usableFromInline
    init() {}
  }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let schedule: (@escaping () -> Void) -> Void
  @usableFromInline let makeTimer: (@escaping () -> Void) -> any Cancellable
  @usableFromInline let state = Lock(State())
  @usableFromInline let serializer = Serializer()

  @inlinable
  init(
    downstream: Downstream<Input, Failure>, schedule: @escaping (@escaping () -> Void) -> Void,
    makeTimer: @escaping (@escaping () -> Void) -> any Cancellable
  ) {
    self.downstream = downstream
    self.schedule = schedule
    self.makeTimer = makeTimer
  }

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.relay.subscribe(subscription) }) else { return subscription.cancel() }
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard let (generation, dropped) = state.withLock({ $0.replaceValue(by: input) }) else { return .none }
    dropped.timer?.cancel()
    let timer = makeTimer { self.due(generation) }
    if !state.withLock({ $0.keep(timer, for: generation) }) { timer.cancel() }
    return .none
  }

  /// The scheduled completion is delivered even if the downstream cancels in the meantime, as Combine's is.
  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let ended = state.withLock { $0.end() }
    guard let ended else { return }
    ended.timer?.cancel()
    schedule { self.serializer.perform { self.downstream.receive(completion: completion) } }
  }

  // MARK: The timer

  private func due(_ generation: Int) {
    serializer.run({ dueInTurn(generation) }, refused: { serializer.submit { self.dueInTurn(generation) } })
  }

  private func dueInTurn(_ generation: Int) {
    guard let (value, isDemanded, timer) = state.withLock({ $0.takeValue(of: generation) }) else { return }
    timer?.cancel()
    if isDemanded { deliver(value) }
  }

  private func deliver(_ value: Input) {
    guard state.withLock({ $0.relay.isSubscribed }) else { return }
    let demand = downstream.receive(value)
    if demand != .none { request(demand) }
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    state.withLock { if $0.relay.isSubscribed { $0.demand += demand } }
  }

  @usableFromInline
  func cancel() {
    let ended = state.withLock { $0.end() }
    ended?.timer?.cancel()
    ended?.subscription.cancel()
  }

  @usableFromInline var customMirror: Mirror {
    let (demand, value) = state.withLock { ($0.demand, $0.value) }
    return Mirror(
      self,
      children: [
        "downstream": downstream.subscriber, "downstreamDemand": demand, "currentValue": value as Any,
      ])
  }
}

extension DebounceInner.State {
  typealias Ended = (subscription: any Subscription, value: Input?, timer: (any Cancellable)?)

  /// Takes a value in. Returns its number and what it replaces, nil if it comes too late.
  mutating func replaceValue(
    by input: Input
  ) -> (generation: Int, replaced: (value: Input?, timer: (any Cancellable)?))? {
    guard relay.isSubscribed else { return nil }
    let replaced = (value.take(), timer.take())
    value = input
    generation += 1
    return (generation, replaced)
  }

  /// Keeps the timer unless its value is gone already.
  mutating func keep(_ timer: any Cancellable, for generation: Int) -> Bool {
    guard self.generation == generation, value != nil else { return false }
    self.timer = timer
    return true
  }

  /// Takes the value whose time has come and the demand for it; the value is lost if there is none.
  mutating func takeValue(
    of generation: Int
  ) -> (value: Input, isDemanded: Bool, timer: (any Cancellable)?)? {
    guard relay.isSubscribed, self.generation == generation, let due = value.take() else { return nil }
    let isDemanded = demand > 0
    if isDemanded { demand -= 1 }
    return (due, isDemanded, timer.take())
  }

  mutating func end() -> Ended? {
    guard let subscription = relay.end() else { return nil }
    return (subscription, value.take(), timer.take())
  }
}

extension Publisher {
  /// Sends a value only when no other has come for `dueTime` after it.
  ///
  /// Upstream's demand is unlimited. Values are delivered on the scheduler; a value whose time comes while
  /// there is no demand is lost. The completion is scheduled at once, and drops the value that waits.
  /// Cancelling drops it too.
  ///
  ///     let ticket = searchField.text
  ///       .debounce(for: .milliseconds(300), scheduler: RunLoop.main)
  ///       .sink { search(for: $0) }
  ///
  /// - Parameters:
  ///   - dueTime: How long nothing else may come after a value.
  ///   - scheduler: The scheduler that measures the time and delivers values.
  ///   - options: Options for the scheduled actions.
  @inlinable
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}
