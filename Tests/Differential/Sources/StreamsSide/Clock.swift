import Plan

#if STREAMS
  import Streams
#else
  import OpenCombine
#endif

/// A moment in virtual time.
struct Moment: Strideable, CustomStringConvertible {
  var ticks: Int

  func distance(to other: Moment) -> Span { Span(ticks: other.ticks - ticks) }
  func advanced(by n: Span) -> Moment { Moment(ticks: ticks + n.ticks) }
  var description: String { "\(ticks)" }
}

/// A length of virtual time.
struct Span: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, CustomStringConvertible {
  var ticks: Int

  init(ticks: Int) { self.ticks = ticks }
  init(integerLiteral value: Int) { ticks = value }
  init?<T: BinaryInteger>(exactly source: T) {
    guard let ticks = Int(exactly: source) else { return nil }
    self.ticks = ticks
  }

  var magnitude: Int { Swift.abs(ticks) }
  var description: String { "\(ticks)" }

  static func seconds(_ s: Int) -> Span { Span(ticks: s) }
  static func seconds(_ s: Double) -> Span { Span(ticks: Int(s)) }
  static func milliseconds(_ ms: Int) -> Span { Span(ticks: ms / 1000) }
  static func microseconds(_ us: Int) -> Span { Span(ticks: us / 1_000_000) }
  static func nanoseconds(_ ns: Int) -> Span { Span(ticks: ns / 1_000_000_000) }

  static func < (lhs: Span, rhs: Span) -> Bool { lhs.ticks < rhs.ticks }
  static func + (lhs: Span, rhs: Span) -> Span { Span(ticks: lhs.ticks + rhs.ticks) }
  static func - (lhs: Span, rhs: Span) -> Span { Span(ticks: lhs.ticks - rhs.ticks) }
  static func * (lhs: Span, rhs: Span) -> Span { Span(ticks: lhs.ticks * rhs.ticks) }
  static func += (lhs: inout Span, rhs: Span) { lhs = lhs + rhs }
  static func -= (lhs: inout Span, rhs: Span) { lhs = lhs - rhs }
  static func *= (lhs: inout Span, rhs: Span) { lhs = lhs * rhs }
}

/// The scheduler of the timed operators. Writes down every call.
struct Clock: Scheduler {
  typealias SchedulerTimeType = Moment
  typealias SchedulerOptions = Int

  unowned let world: World

  private func add(_ line: String) { world.trace.add("    clock: \(line)") }

  var now: Moment {
    add("now")
    return Moment(ticks: world.agenda.now)
  }

  var minimumTolerance: Span {
    add("minimumTolerance")
    return Span(ticks: 7)
  }

  func schedule(options: Int?, _ action: @escaping () -> Void) {
    add("schedule, options \(options ?? -1)")
    world.agenda.plan(at: world.agenda.now, action)
  }

  func schedule(after date: Moment, tolerance: Span, options: Int?, _ action: @escaping () -> Void) {
    add("schedule after \(date), tolerance \(tolerance), options \(options ?? -1)")
    world.agenda.plan(at: date.ticks, action)
  }

  func schedule(
    after date: Moment, interval: Span, tolerance: Span, options: Int?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    add("schedule after \(date), every \(interval), tolerance \(tolerance), options \(options ?? -1)")
    return Token(forget: world.agenda.plan(at: date.ticks, every: interval.ticks, action))
  }

  /// Unlike `AnyCancellable` it does not cancel when it is released. When it is cancelled is not compared, only
  /// what comes of it.
  private struct Token: Cancellable {
    let forget: () -> Void
    func cancel() { forget() }
  }
}
