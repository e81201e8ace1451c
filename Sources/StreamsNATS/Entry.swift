internal import CStreams
internal import CStreamsNATS
internal import StreamsABI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What has happened to a key of a bucket.
public struct Entry: Sendable {
  /// What an entry says.
  public enum Operation: Hashable, Sendable {
    /// The key was set.
    case set
    /// The value was removed.
    case delete
    /// The value was removed with its history.
    case purge
  }

  let message: Message

  /// The value; nil if it was removed.
  public var data: Data? { operation == .set ? message.data : nil }

  /// The value as text; nil if it was removed.
  public var text: String? { operation == .set ? message.text : nil }

  /// The number of the change, which ``Key/set(_:at:)`` takes.
  public var revision: UInt64 { message.delivery?.sequence ?? 0 }

  /// When it happened.
  public var time: Date? { message.delivery?.time }

  /// The name of the key.
  public var key: String {
    var key: UnsafePointer<CChar>?
    return message.held.withC { entry in
      _ = streams_nats_entry(entry, &key, nil)
      return key.map { String(cString: $0) } ?? ""
    }
  }

  /// What has happened.
  public var operation: Operation {
    var operation = STREAMS_NATS_PUT
    _ = message.held.withC { streams_nats_entry($0, nil, &operation) }
    switch operation {
    case STREAMS_NATS_DELETE: return .delete
    case STREAMS_NATS_PURGE: return .purge
    default: return .set
    }
  }
}

extension Entry: CustomStringConvertible {
  /// The key, and its value or that it was removed.
  public var description: String { "\(key): \(text ?? "deleted")" }
}
