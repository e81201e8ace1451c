import StreamsShims

extension MonotonicTime {
  /// The current moment of the system's monotonic clock.
  static var systemNow: MonotonicTime { MonotonicTime(nanoseconds: Int(streams_clock_now())) }

  /// The greatest moment, which never comes.
  static var never: MonotonicTime { MonotonicTime(nanoseconds: .max) }
}
