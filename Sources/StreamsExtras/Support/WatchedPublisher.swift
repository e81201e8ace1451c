import Streams
import StreamsShims

/// The record of a publisher that is watched: for the list of live streams, the trace file and warnings of drops.
package final class WatchedPublisher {
  let record: OpaquePointer?
  /// Whether only drops are watched.
  let isForDrops: Bool

  /// `upstreams` are the numbers of the publishers that it is made of.
  package init(_ name: String, of upstreams: [UInt32], isForDrops: Bool) {
    var name = name
    record = name.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        streams_watch_publisher($0.baseAddress, $0.count, upstreams, upstreams.count)
      }
    }
    self.isForDrops = isForDrops
  }

  package var number: UInt32 { streams_watched_number(record) }

  /// Records that a call begins. The result is for `streams_watch_end`.
  func begin(
    _ event: TrackingWords.Event, of stream: OpaquePointer?, _ argument: () -> String?, _ amount: Int64
  ) -> UInt64 {
    var text = streams_tracing() & Int(STREAMS_TRACE_FILE) == 0 ? "" : argument() ?? ""
    return text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        streams_watch_begin(record, stream, event.rawValue, $0.baseAddress, $0.count, amount)
      }
    }
  }

  deinit { streams_unwatch_publisher(record) }
}

extension Subscribers.Demand {
  /// As the records count it: `Int64.max` is unlimited.
  var watched: Int64 { max.map { Int64(clamping: $0) } ?? .max }
}
