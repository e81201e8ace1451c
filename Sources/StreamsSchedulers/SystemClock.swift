import StreamsShims

extension MonotonicTime {
  /// The present moment of the system's monotonic clock.
  static var systemNow: MonotonicTime { MonotonicTime(nanoseconds: Int(streams_clock_now())) }

  /// The greatest moment, which does not come.
  static var never: MonotonicTime { MonotonicTime(nanoseconds: .max) }
}
