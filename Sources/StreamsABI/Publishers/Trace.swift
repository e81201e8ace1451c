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

  /// In an object: what is generic wraps a closure once more each time that it is looked at.
  private final class Destination {
    let write: Writer

    init(_ write: @escaping Writer) { self.write = write }
  }

  nonisolated(unsafe) private static let destination = Lock<Destination?>(nil)

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
    return destination.withLock { $0 }.map { Tracking(function.nameOfPublisher, .c, to: $0.write) }
  }

  /// Begins to trace with a writer, or ends it. What was made before is left as it is.
  static func set(_ new: Writer?) {
    // Released outside of the lock.
    let made = new.map(Destination.init)
    let old = destination.withLock { destination in
      let old = destination
      destination = made
      streams_set_tracing(new == nil ? STREAMS_TRACE_OFF : STREAMS_TRACE_ON)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Does what `STREAMS_TRACE` says: nothing or 0 is off, 1 the standard error output, all else the name of a file.
  private static func decide() {
    let said = streams_trace_setting().map { String(cString: $0) } ?? ""
    destination.withLock { destination in
      guard streams_tracing() == STREAMS_TRACE_UNDECIDED else { return }
      let isOn = !["", "0"].contains(said)
      if isOn {
        let file = said == "1" ? 2 : streams_open_log(said)
        if file < 0 { Tracking.write("streams: cannot write the trace to \(said), but here", to: 2) }
        destination = Destination { Tracking.write($0, to: file < 0 ? 2 : file) }
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
