import CStreams
import Streams
import StreamsExtras
import StreamsShims

/// The trackers of everything that is made while tracing is on.
///
/// It is off unless the environment says otherwise, which is looked at when the first pipeline is made.
enum Trace {
  /// What lines are given to.
  typealias Writer = (String) -> Void

  nonisolated(unsafe) private static let writer = Lock<Writer?>(nil)

  @inline(__always)
  static var isOff: Bool { streams_tracing() == STREAMS_TRACE_OFF }

  /// The publisher behind a tracker, if tracing is on.
  @inline(never)
  static func tracking(_ object: PublisherObject) -> PublisherObject {
    guard let tracking = tracking(object.function) else { return object }
    return PublisherObject(
      Tracker(object.publisher, tracking).eraseToAnyPublisher(), depth: object.depth + 1, by: object.function,
      of: object.previous, and: object.others)
  }

  /// How what a function makes is tracked; nil if it is not.
  static func tracking(_ function: StaticString) -> Tracking? {
    if isOff { return nil }
    if streams_tracing() == STREAMS_TRACE_UNDECIDED { decide() }
    return writer.withLock { $0 }.map { Tracking(function.nameOfPublisher, .c, to: $0) }
  }

  /// Begins to trace with a writer, or ends it. What was made before is left as it is.
  static func set(_ new: Writer?) {
    // Released outside of the lock.
    let old = writer.withLock { writer in
      let old = writer
      writer = new
      streams_set_tracing(new == nil ? STREAMS_TRACE_OFF : STREAMS_TRACE_ON)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Does what `STREAMS_TRACE` says: nothing or 0 is off, 1 the standard error output, all else the name of a file.
  private static func decide() {
    let said = streams_trace_setting().map { String(cString: $0) } ?? ""
    writer.withLock { writer in
      guard streams_tracing() == STREAMS_TRACE_UNDECIDED else { return }
      let isOn = !["", "0"].contains(said)
      if isOn {
        let file = said == "1" ? 2 : streams_open_log(said)
        writer = { Tracking.write($0, to: file < 0 ? 2 : file) }
      }
      streams_set_tracing(isOn ? STREAMS_TRACE_ON : STREAMS_TRACE_OFF)
    }
  }
}

extension StaticString {
  /// What a function of the library makes.
  var nameOfPublisher: String {
    var name = "\(self)".dropFirst("streams_".count)
    if name.hasSuffix("_create") { name.removeLast("_create".count) }
    return String(name)
  }
}
