import CStreams
import Streams
import StreamsExtras
import StreamsShims

/// The trackers of all publishers and subjects that are made while tracing is on.
///
/// It is off unless the environment variable says otherwise, which is read when the first pipeline is made.
enum Trace {
  /// Receives the lines.
  typealias Writer = (String) -> Void

  /// An object, because a generic container wraps a closure once more at each access.
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

  /// The tracking of publishers that a function makes; nil if there is none.
  static func tracking(_ function: StaticString) -> Tracking? {
    if isOff { return nil }
    if streams_tracing() == STREAMS_TRACE_UNDECIDED { decide() }
    return destination.withLock { $0 }.map { Tracking(function.nameOfPublisher, .c, to: $0.write) }
  }

  /// Starts tracing with a writer, or ends it. Publishers that were made before stay as they are.
  static func set(_ new: Writer?) {
    // Released outside the lock.
    let made = new.map(Destination.init)
    let old = destination.withLock { destination in
      let old = destination
      destination = made
      streams_set_tracing(new == nil ? STREAMS_TRACE_OFF : STREAMS_TRACE_ON)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Reads `STREAMS_TRACE`: unset, empty or 0 is off, 1 is the standard error output, anything else a file name.
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
  /// The name of the publisher that a function makes.
  var nameOfPublisher: String {
    var name = "\(self)".dropFirst("streams_".count)
    if name.hasSuffix("_create") { name.removeLast("_create".count) }
    return String(name)
  }
}
