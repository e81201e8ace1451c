/// The value that waits for its time, and whether it may be sent then.
@usableFromInline
struct DebounceState<Input> {
  typealias Waiting = (value: Input, timer: (any Cancellable)?)

  private enum Phase {
    case awaiting
    /// No value waits.
    case idle(any Subscription)
    case waiting(any Subscription, Waiting)
    case ended
  }

  private var phase = Phase.awaiting
  private(set) var demand = Subscribers.Demand.none
  /// Counts the values. A timer knows the number of its value, and is ignored once it is not the last.
  private var generation = 0

  @usableFromInline
  init() {}

  @usableFromInline var isSubscribed: Bool { subscription != nil }

  /// The value that waits, and its timer.
  var waiting: Waiting? {
    if case .waiting(_, let waiting) = phase { waiting } else { nil }
  }

  private var subscription: (any Subscription)? {
    switch phase {
    case .idle(let subscription), .waiting(let subscription, _): subscription
    case .awaiting, .ended: nil
    }
  }

  // MARK: The upstream

  /// Whether to keep the subscription.
  mutating func subscribe(_ subscription: any Subscription) -> Bool {
    guard case .awaiting = phase else { return false }
    phase = .idle(subscription)
    return true
  }

  /// Takes a value in. Returns its number and what it replaces; nil if it comes too late.
  mutating func receive(_ input: Input) -> (generation: Int, replaced: Waiting?)? {
    guard let subscription else { return nil }
    let replaced = waiting
    phase = .waiting(subscription, (input, nil))
    generation += 1
    return (generation, replaced)
  }

  // MARK: Timers

  /// Keeps the timer unless its value is gone already.
  mutating func keep(_ timer: any Cancellable, for generation: Int) -> Bool {
    guard case .waiting(let subscription, let waiting) = phase, self.generation == generation else {
      return false
    }
    phase = .waiting(subscription, (waiting.value, timer))
    return true
  }

  /// Takes the timer of a value that still waits.
  mutating func takeTimer(of generation: Int) -> (any Cancellable)? {
    guard case .waiting(let subscription, let waiting) = phase, self.generation == generation else {
      return nil
    }
    phase = .waiting(subscription, (waiting.value, nil))
    return waiting.timer
  }

  /// Takes the value whose time has come, and the demand for it; the value is lost if there is none.
  mutating func takeValue(of generation: Int) -> (waiting: Waiting, isDemanded: Bool)? {
    guard case .waiting(let subscription, let due) = phase, self.generation == generation else { return nil }
    phase = .idle(subscription)
    guard demand > 0 else { return (due, false) }
    demand -= 1
    return (due, true)
  }

  // MARK: The downstream

  mutating func request(_ more: Subscribers.Demand) {
    if isSubscribed { demand += more }
  }

  /// Ends. Returns what was left; nil if there was nothing.
  mutating func end() -> (subscription: any Subscription, waiting: Waiting?)? {
    guard let subscription else { return nil }
    defer { phase = .ended }
    return (subscription, waiting)
  }
}
