extension Publishers {
  /// How values are grouped by ``Publisher/collect(_:options:)``.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// One group in each interval of time.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// One group in each interval of time, and one whenever the given number of values has come.
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
  @usableFromInline package var parts: (Context, Context.SchedulerTimeType.Stride, count: Int?) {
    switch self {
    case .byTime(let context, let interval): (context, interval, nil)
    case .byTimeOrCount(let context, let interval, let count): (context, interval, count)
    }
  }
}

@usableFromInline
final class CollectByTimeInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "CollectByTime" }

  @usableFromInline let delivery: Delivery<[Input], Failure>
  @usableFromInline let schedule: (@escaping () -> Void) -> Void
  @usableFromInline let makeTimer: (@escaping () -> Void) -> any Cancellable
  @usableFromInline let state: Lock<CollectByTimeState<Input, Failure>>

  @inlinable
  init(
    downstream: Downstream<[Input], Failure>, count: Int?,
    schedule: @escaping (@escaping () -> Void) -> Void,
    makeTimer: @escaping (@escaping () -> Void) -> any Cancellable
  ) {
    delivery = Delivery(downstream)
    state = Lock(CollectByTimeState(count: count))
    self.schedule = schedule
    self.makeTimer = makeTimer
  }

  // MARK: Subscriber

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.subscribe(subscription) }) else { return subscription.cancel() }
    delivery.serializer.run { [self] in delivery.handshake(self) }
    let timer = makeTimer { [weak self] in self?.deliver(.tick) }
    if !state.withLock({ $0.keep(timer) }) { timer.cancel() }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard let (demand, isDue) = state.withLock({ $0.receive(input) }) else { return .refused() }
    if isDue { schedule { self.deliver(.due) } }
    return demand
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let (isDue, timer) = state.withLock { $0.receive(completion) }
    timer?.cancel()
    if isDue { schedule { self.deliver(.due) } }
  }

  // MARK: Scheduled actions

  private func deliver(_ occasion: CollectByTimeOccasion) {
    delivery.serializer.run(self, occasion, { $0.deliverInTurn($1) }) { $0.passOn($2) }
  }

  /// Sends what is due. Returns the demand to pass on afterwards, when other threads may deliver: the upstream may
  /// answer it without end.
  private func deliverInTurn(_ occasion: CollectByTimeOccasion) -> Subscribers.Demand {
    var returned = Subscribers.Demand.none
    while true {
      switch state.withLock({ $0.next(occasion) }) {
      case .nothing:
        return returned
      case .group(let group):
        let demand = delivery.downstream.receive(group)
        state.withLock { $0.add(demand) }
        // As in Combine, demand returned for an array sent by the clock is not passed upstream, unless it is unlimited.
        if occasion == .tick { return demand == .unlimited ? .unlimited : .none }
        returned += demand
      case .completion(let completion, let ended):
        delivery.downstream.receive(completion: completion)
        withExtendedLifetime(ended) {}
        return .none
      }
    }
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    guard demand != .none else { return }
    if state.withLock({ $0.request(demand) }) { schedule { self.deliver(.due) } }
    if delivery.isInHandshake {
      delivery.serializer.afterLeaving { self.passOn(demand) }
    } else {
      passOn(demand)
    }
  }

  private func passOn(_ demand: Subscribers.Demand) {
    guard demand != .none else { return }
    if let request = state.withLock({ $0.upstreamRequest(for: demand) }) {
      request.subscription.request(request.demand)
    }
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    let ended = state.withLock { $0.end() }
    ended.timer?.cancel()
    ended.subscription?.cancel()
  }
}

extension Publisher {
  /// Gathers values into arrays by the clock: one array in each interval of time, and with `.byTimeOrCount` another
  /// whenever the given number of values has come.
  ///
  /// The time runs from the subscription. An interval without values sends nothing, and values for which there is no
  /// demand wait for a later interval. A request for unlimited arrays requests unlimited values. Otherwise, with
  /// `.byTime`, each request requests one value, and each value the next; values of an upstream that cannot wait for
  /// that are lost. With `.byTimeOrCount`, a request for n arrays requests n times the given number of values, and so
  /// does the demand returned for a full array; demand returned for an array sent by the clock is not passed on. When
  /// the upstream finishes, the remaining values are sent, and the completion after them: immediately if there is
  /// demand, otherwise at the next request. When it fails, full arrays are sent if there is demand, and the remaining
  /// values are dropped. Cancelling drops everything. Arrays and the completion are delivered on the scheduler.
  ///
  ///     let cancellable = measurements
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
