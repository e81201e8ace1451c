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

  /// A file of lines, or the standard error output.
  private final class Log {
    private let name: String
    private let descriptor: Int32
    /// Whether all lines so far have been written. After the first that cannot be, the log has no more.
    private let isWhole = Lock(true)

    init(_ name: String, _ descriptor: Int32) {
      self.name = name
      self.descriptor = descriptor
    }

    func write(_ line: String) {
      // A write may wait for a reader: not with the lock.
      if !isWhole.withLock({ $0 }) { return }
      let error = Tracking.write(line, to: descriptor)
      let isFirst =
        error != 0
        && isWhole.withLock { isWhole in
          defer { isWhole = false }
          return isWhole
        }
      if isFirst { streams_report_trace_end(name, error) }
    }
  }

  nonisolated(unsafe) private static let destination = Lock<Destination?>(nil)

  @inline(__always)
  static var isOff: Bool { streams_tracing() == 0 }

  /// The publisher behind a tracker, if tracing is on.
  @inline(never)
  static func tracking(_ object: PublisherObject) -> PublisherObject {
    settle()
    // A step drops nothing, and a tracker would part it from its neighbors.
    if isForDrops, object.steps != nil { return object }
    let upstreams = (object.previous.map { [$0] } ?? []) + object.others
    guard let tracking = tracking(object.function, of: upstreams.map(\.watched)) else { return object }
    return PublisherObject(object, tracking)
  }

  /// The tracking of a publisher that a function makes of others; nil if there is none.
  static func tracking(_ function: StaticString, of upstreams: [UInt32]) -> Tracking? {
    if isOff { return nil }
    let name = function.nameOfPublisher
    let isWatched = streams_tracing() & ~Int(STREAMS_TRACE_LINES) != 0
    let watched = isWatched ? WatchedPublisher(name, of: upstreams, isForDrops: isForDrops) : nil
    return Tracking(name, .c, to: destination.withLock { $0 }?.write, watched: watched)
  }

  /// Whether only drops matter, and so nothing else passes through a tracker.
  static var isForDrops: Bool { streams_tracing() == Int(STREAMS_TRACE_DROPS) }

  /// Starts tracing with a writer, or ends it. Publishers that were made before stay as they are.
  static func set(_ new: Writer?) {
    // Released outside the lock.
    let made = new.map(Destination.init)
    settle()
    let old = destination.withLock { destination in
      let old = destination
      destination = made
      streams_set_tracing(Int(STREAMS_TRACE_LINES), new != nil)
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Reads the environment, once. `STREAMS_TRACE` without a file for events is off if it is unset, empty or 0; 1 is the standard
  /// error output, anything else a file name.
  static func settle() {
    guard streams_tracing() & Int(STREAMS_TRACE_UNDECIDED) != 0 else { return }
    destination.withLock { destination in
      guard streams_tracing() & Int(STREAMS_TRACE_UNDECIDED) != 0 else { return }
      if let said = streams_read_trace_settings().map({ String(cString: $0) }) {
        let file = said == "1" ? 2 : streams_open_log(said)
        if file < 0 { Tracking.write("streams: cannot write the trace to \(said), but here", to: 2) }
        let log = Log(said, file < 0 ? 2 : file)
        destination = Destination { log.write($0) }
        streams_set_tracing(Int(STREAMS_TRACE_LINES), true)
      }
      streams_set_tracing(Int(STREAMS_TRACE_UNDECIDED), false)
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
