/// A deadline that moves on with each value, and the one timer for it.
///
/// Moving it costs a comparison. The timer stays as it is; when it fires it is set again if the deadline has moved on.
/// A deadline that moves back is met late.
@usableFromInline
struct MovingDeadline {
  @usableFromInline
  enum Timer {
    case none
    /// A thread is setting the timer with this number.
    case isBeingSet(Int)
    case set(UInt64)
  }

  /// The result of a timer that fires.
  enum Arrival: Equatable {
    case isDue
    case comesAgain(number: Int, at: Int)
    case isNotWanted
  }

  @usableFromInline var time: Int?
  @usableFromInline var timer = Timer.none
  /// Counts the timers: one may fire before it is kept.
  @usableFromInline var count = 0
  /// True from the end on: a value that is still under way on another thread then moves nothing.
  @usableFromInline var isOver = false

  @usableFromInline
  init() {}

  /// Whether there is a deadline, and it has passed.
  func hasPassed(at now: Int) -> Bool { time.map { $0 <= now } ?? false }

  /// Moves the deadline. Returns the number of the timer to set for it, if there is none.
  @inlinable @inline(__always)
  mutating func move(to time: Int) -> Int? {
    guard !isOver else { return nil }
    self.time = time
    guard case .none = timer else { return nil }
    return begin()
  }

  @usableFromInline
  mutating func begin() -> Int {
    count += 1
    timer = .isBeingSet(count)
    return count
  }

  /// Keeps the scheduler's number of a timer that was set. Returns false if the timer must be cancelled or has fired
  /// already.
  @usableFromInline
  mutating func keep(_ name: UInt64, number: Int) -> Bool {
    guard case .isBeingSet(number) = timer else { return false }
    timer = .set(name)
    return true
  }

  /// Notes that the timer has fired.
  mutating func arrive(at now: Int) -> Arrival {
    guard let time else {
      timer = .none
      return .isNotWanted
    }
    if time > now { return .comesAgain(number: begin(), at: time) }
    timer = .none
    return .isDue
  }

  /// Ends the deadline for good. Returns the timer, to be cancelled.
  @usableFromInline
  mutating func end() -> UInt64? {
    isOver = true
    return stop()
  }

  /// Removes the deadline. Returns the timer, to be cancelled.
  @usableFromInline
  mutating func stop() -> UInt64? {
    time = nil
    defer { timer = .none }
    if case .set(let number) = timer { return number }
    return nil
  }
}
