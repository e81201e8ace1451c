/// The timer of a timeout: only the latest one started counts.
@usableFromInline
struct Deadline {
  private enum Phase {
    /// No timer runs.
    case idle
    /// A timer is being made, by a thread.
    case starting(UInt32)
    case running(any Cancellable)
    /// No deadline applies any more.
    case over
  }

  private var phase = Phase.idle
  /// Counts the timers. One that was replaced may still be called, and is ignored.
  private var generation = 0
  private var hasRequested = false

  @usableFromInline
  init() {}

  /// Restarts the time. Returns the new timer's number, and the timer to cancel; nil when all is over.
  mutating func begin(on thread: UInt32) -> (generation: Int, replaced: (any Cancellable)?)? {
    if case .over = phase { return nil }
    let replaced = timer
    phase = .starting(thread)
    generation += 1
    return (generation, replaced)
  }

  /// Keeps the timer that was made, unless it no longer counts.
  mutating func keep(_ timer: any Cancellable, for generation: Int) -> Bool {
    guard case .starting = phase, self.generation == generation else { return false }
    phase = .running(timer)
    return true
  }

  /// Notes that the time of a timer has passed. Returns whether it counts, and the timer to cancel; all is
  /// over then.
  mutating func pass(_ generation: Int, on thread: UInt32) -> (isDue: Bool, timer: (any Cancellable)?) {
    if case .over = phase { return (false, nil) }
    guard self.generation == generation else { return (false, nil) }
    if case .starting(thread) = phase { preconditionFailure("a timeout needs a scheduler whose time passes") }
    return (true, end())
  }

  /// Whether a request is the first, which restarts the time.
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
