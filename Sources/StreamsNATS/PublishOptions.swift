internal import CStreams
internal import CStreamsNATS

/// How to publish a stream to JetStream. What is nil has its default.
public struct PublishOptions: Sendable {
  /// How many values may be published and not confirmed: 1,000, and 1,000,000 at most.
  public var window: Int?
  /// How long to wait for a confirmation before publishing anew; 5 seconds.
  public var confirmWait: Duration?
  /// How often to publish anew before the stream fails; 5. With ids nothing is stored twice. Where no stream takes the subject the
  /// server says so, and the next attempt follows after 0.25 s: with 5 of them the stream fails after 1.25 s.
  public var retries: Int?
  /// Called for each value that the server has stored, on a thread of nats.c's.
  public var onConfirmed: (@Sendable (Confirmation) -> Void)?

  /// What the server says of a value that it has stored.
  public struct Confirmation: Hashable, Sendable {
    /// Which value it was, from 0 on.
    public let index: UInt64
    /// Its number in the stream.
    public let sequence: UInt64
    /// Whether the server had a message of the same id already, and has not stored this one.
    public let isDuplicate: Bool
  }

  /// Options for a window.
  public init(window: Int? = nil, onConfirmed: (@Sendable (Confirmation) -> Void)? = nil) {
    self.window = window
    self.onConfirmed = onConfirmed
  }

  /// The options for C, which has to consume the context, if there is one.
  func raw() throws(NATSError) -> streams_nats_publish_options {
    var raw = streams_nats_publish_options()
    raw.size = MemoryLayout<streams_nats_publish_options>.size
    if let window {
      guard window > 0 else {
        throw NATSError(code: .refused, message: "window is \(window), but has to be at least 1")
      }
      raw.window = UInt64(window)
    }
    raw.confirm_wait = confirmWait?.nanoseconds ?? 0
    raw.retries = retries.map { $0 == 0 ? -1 : Int64($0) } ?? 0
    if let onConfirmed { Listener(onConfirmed).listen(by: &raw) }
    return raw
  }
}

/// A function that C calls for each confirmation.
private final class Listener {
  let onConfirmed: (PublishOptions.Confirmation) -> Void

  init(_ onConfirmed: @escaping (PublishOptions.Confirmation) -> Void) { self.onConfirmed = onConfirmed }

  func listen(by raw: inout streams_nats_publish_options) {
    raw.context = Unmanaged.passRetained(self).toOpaque()
    raw.destroy = { $0.map { Unmanaged<Listener>.fromOpaque($0).release() } }
    raw.on_confirmed = { context, index, sequence, isDuplicate in
      guard let context else { return }
      Unmanaged<Listener>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.onConfirmed(.init(index: index, sequence: sequence, isDuplicate: isDuplicate))
      }
    }
  }
}
