import Streams

/// A publisher that plays marbles on a scheduler in virtual time. See ``MarbleScheduler`` for the notation.
///
/// A *cold* publisher plays to each subscriber from the moment of its subscription on, and keeps values until there is demand for
/// them. A *hot* one plays once, to all current subscribers, and loses values without demand; a subscriber that comes after its
/// end gets only the completion. Both send when their scheduler's time advances, on the thread that advances it, and send nothing
/// to a subscriber that has cancelled.
///
///     let source = try scheduler.cold("-1-2-|", of: Int.self)
///     source.prefix(1).subscribe(recorder)
///     scheduler.run()
///     source.subscriptionMarbles   // ["^!"]
///     source.ledger.requests       // what the operator asked for
public final class MarblePublisher<Output, Failure: Error>: Publisher {
  typealias Timeline = MarbleTimeline<Output, Failure>

  private struct State {
    var subscriptions: [MarbleSubscription<Output, Failure>] = []
    /// The completion of a hot stream that has ended.
    var completion: Subscribers.Completion<Failure>?
  }

  private let locked = Locked(State())
  private let clock: VirtualTimeScheduler
  private let timeline: Timeline
  private let isHot: Bool
  private let unit: VirtualTime.Stride
  private let beginning: VirtualTime

  init(
    _ clock: VirtualTimeScheduler, _ marbles: String, isHot: Bool, every unit: VirtualTime.Stride,
    _ values: Timeline.Values
  ) throws(MarbleError) {
    precondition(unit > .nanoseconds(0), "a moment needs a length")
    timeline = try Timeline(marbles, isHot: isHot, every: unit, values)
    self.clock = clock
    self.isHot = isHot
    self.unit = unit
    beginning = clock.now
    if isHot { _ = timeline.play(on: clock) { [self] in send($0) } }
  }

  /// Sends the subscriber a subscription, and plays to it if the publisher is cold.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscription = MarbleSubscription(subscriber, on: clock, keepsValues: !isHot)
    let completion = locked.withLock { state in
      state.subscriptions.append(subscription)
      return state.completion
    }
    subscriber.receive(subscription: subscription)
    if !isHot { subscription.play(timeline) }
    if let completion { subscription.receive(.completion(completion)) }
  }

  private func send(_ signal: Timeline.Signal) {
    let subscriptions = locked.withLock { state in
      if case .completion(let completion) = signal { state.completion = completion }
      return state.subscriptions
    }
    for subscription in subscriptions { subscription.receive(signal) }
  }

  // MARK: What happened

  /// What each subscriber requested and got, in the order of the subscriptions.
  public var ledgers: [DemandLedger] { locked.withLock { $0.subscriptions }.map(\.ledger) }

  /// What the last subscriber requested and got.
  public var ledger: DemandLedger { ledgers.last ?? DemandLedger() }

  /// When each subscriber came, `^`, and cancelled, `!`, as marbles that begin when the publisher was made.
  ///
  ///     let source = try scheduler.cold("--#", error: Oops())
  ///     scheduler.record(source.retry(1))
  ///     source.subscriptionMarbles  // ["^", "--^"]
  public var subscriptionMarbles: [String] {
    locked.withLock { $0.subscriptions }.map { subscription in
      var canvas = MarbleCanvas(from: beginning, every: unit)
      canvas.draw("^", at: subscription.beginning)
      if let time = subscription.cancellation { canvas.draw("!", at: time) }
      return canvas.text
    }
  }
}

extension MarbleTimeline {
  /// Schedules all signals. Returns the scheduled actions.
  func play(on clock: VirtualTimeScheduler, _ send: @escaping (Signal) -> Void) -> [ScheduledAction] {
    let beginning = clock.now
    return entries.map { entry in
      clock.schedule(at: beginning.advanced(by: entry.offset)) { send(entry.signal) }
    }
  }
}
