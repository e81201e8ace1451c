import Streams

/// The connection of one subscriber to a ``MarblePublisher``: delivers while there is demand, and records it.
final class MarbleSubscription<Output, Failure: Error>: Subscription, CustomStringConvertible {
  typealias Signal = MarbleTimeline<Output, Failure>.Signal

  private struct State {
    /// Nil after the end.
    var subscriber: (any Subscriber<Output, Failure>)?
    /// The signals that have been sent and not delivered.
    var waiting: [Signal] = []
    var isDelivering = false
    /// The scheduled actions of a cold stream.
    var scheduled: [ScheduledAction] = []
    var ledger = DemandLedger()
    var cancellation: VirtualTime?
  }

  private let locked: Locked<State>
  private let clock: VirtualTimeScheduler
  private let keepsValues: Bool
  /// When the subscriber came.
  let beginning: VirtualTime

  init(
    _ subscriber: any Subscriber<Output, Failure>, on clock: VirtualTimeScheduler, keepsValues: Bool
  ) {
    locked = Locked(State(subscriber: subscriber))
    self.clock = clock
    self.keepsValues = keepsValues
    beginning = clock.now
  }

  var ledger: DemandLedger { locked.withLock { $0.ledger } }

  /// When the subscriber cancelled.
  var cancellation: VirtualTime? { locked.withLock { $0.cancellation } }

  var description: String { "MarblePublisher" }

  // MARK: From the publisher

  /// Plays a cold stream to this subscriber.
  func play(_ timeline: MarbleTimeline<Output, Failure>) {
    guard locked.withLock({ $0.subscriber != nil }) else { return }
    let scheduled = timeline.play(on: clock) { [self] in receive($0) }
    let isCancelled = locked.withLock { state in
      state.scheduled = scheduled
      return state.subscriber == nil
    }
    if isCancelled { unschedule(scheduled) }
  }

  func receive(_ signal: Signal) {
    locked.withLock { state in
      guard state.subscriber != nil else { return }
      if case .value = signal, !keepsValues, state.ledger.outstanding == .none { return }
      state.waiting.append(signal)
    }
    deliver()
  }

  private func deliver() {
    while let (subscriber, signal) = next() {
      switch signal {
      case .value(let value):
        let demand = subscriber.receive(value)
        locked.withLock { state in
          state.ledger.record(.returned(demand))
          state.isDelivering = false
        }
      case .completion(let completion):
        subscriber.receive(completion: completion)
      }
    }
  }

  /// Takes the signal to deliver now, for the one caller that delivers it.
  private func next() -> (any Subscriber<Output, Failure>, Signal)? {
    locked.withLock { state in
      guard !state.isDelivering, let subscriber = state.subscriber, let signal = state.waiting.first else {
        return nil
      }
      switch signal {
      case .value:
        guard state.ledger.outstanding != .none else { return nil }
        state.ledger.record(.delivered(1))
        state.isDelivering = true
      case .completion:
        state.subscriber = nil
      }
      state.waiting.removeFirst()
      return (subscriber, signal)
    }
  }

  // MARK: From the subscriber

  func request(_ demand: Subscribers.Demand) {
    locked.withLock { $0.ledger.record(.requested(demand)) }
    deliver()
  }

  func cancel() {
    let now = clock.now
    let old = locked.withLock { state in
      defer {
        state.ledger.record(.cancelled)
        state.cancellation = state.cancellation ?? now
        state.subscriber = nil
        state.waiting = []
        state.scheduled = []
      }
      return state
    }
    unschedule(old.scheduled)
  }

  private func unschedule(_ actions: [ScheduledAction]) {
    for action in actions { clock.cancel(action) }
  }
}
