/// The timer of a timeout: which of those that were started counts.
@usableFromInline
struct Deadline {
  private enum Phase {
    /// No time runs.
    case idle
    /// A timer is being made, by a thread.
    case starting(UInt32)
    case running(any Cancellable)
    /// There is no more to come in time.
    case over
  }

  private var phase = Phase.idle
  /// Counts the timers. One that was replaced may still be called, and is ignored.
  private var generation = 0
  private var hasRequested = false

  @usableFromInline
  init() {}

  /// Starts the time anew. Returns the new timer's number, and the timer to cancel; nil when all is over.
  mutating func begin(on thread: UInt32) -> (generation: Int, replaced: (any Cancellable)?)? {
    if case .over = phase { return nil }
    let replaced = timer
    phase = .starting(thread)
    generation += 1
    return (generation, replaced)
  }

  /// Keeps the timer that was made, unless it counts no longer.
  mutating func keep(_ timer: any Cancellable, for generation: Int) -> Bool {
    guard case .starting = phase, self.generation == generation else { return false }
    phase = .running(timer)
    return true
  }

  /// The time of a timer has passed. Returns whether it counts, and the timer to cancel; all is over then.
  mutating func pass(_ generation: Int, on thread: UInt32) -> (isDue: Bool, timer: (any Cancellable)?) {
    if case .over = phase { return (false, nil) }
    guard self.generation == generation else { return (false, nil) }
    if case .starting(thread) = phase { preconditionFailure("a timeout needs a scheduler whose time passes") }
    return (true, end())
  }

  /// Whether a request is the first, which starts the time anew.
  mutating func noteRequest() -> Bool {
    defer { hasRequested = true }
    return !hasRequested
  }

  /// Stops the time for good. Returns the timer to cancel.
  mutating func end() -> (any Cancellable)? {
    defer { phase = .over }
    return timer
  }

  private var timer: (any Cancellable)? {
    if case .running(let timer) = phase { timer } else { nil }
  }
}
