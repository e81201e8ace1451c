internal import CStreams
internal import CStreamsNATS
internal import StreamsABI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What can be published: text, bytes, and messages.
public protocol Payload {
  /// It as a message to publish.
  var outgoing: OutgoingMessage { get }
}

/// A message to publish.
///
///     let message = try OutgoingMessage(json: order, headers: ["Trace": "7"], id: "order-\(order.id)")
///     try connection.publish(message, to: "orders.new")
public struct OutgoingMessage: Payload, Sendable {
  /// The payload, or why there is none.
  private let payload: Result<HeldValue, NATSError>
  /// The headers. The name of a header must not be empty, or have spaces, control characters or a colon.
  public var headers: [Header]
  /// By which the server recognizes what it has got already.
  public var id: String?

  /// A message of bytes, which are copied.
  public init(
    _ bytes: some Collection<UInt8>, headers: KeyValuePairs<String, String> = [:], id: String? = nil
  ) {
    payload =
      bytes.withContiguousStorageIfAvailable { Self.copy(UnsafeRawBufferPointer($0)) }
      ?? Array(bytes).withUnsafeBytes { Self.copy($0) }
    self.headers = headers.map(Header.init(name:value:))
    self.id = id
  }

  /// A message of text.
  public init(_ text: some StringProtocol, headers: KeyValuePairs<String, String> = [:], id: String? = nil) {
    self.init(text.utf8, headers: headers, id: id)
  }

  /// A message of what an encoder makes of a value: JSON.
  public init(
    json value: some Encodable, headers: KeyValuePairs<String, String> = [:], id: String? = nil,
    encoder: JSONEncoder = JSONEncoder()
  ) throws {
    self.init(try encoder.encode(value), headers: headers, id: id)
  }

  fileprivate init(copying message: Message) {
    do {
      headers = try message.headers
      payload = message.withUnsafeBytes { Self.copy($0) }
    } catch {
      headers = []
      payload = .failure(error)
    }
  }

  private static func copy(_ memory: UnsafeRawBufferPointer) -> Result<HeldValue, NATSError> {
    if let payload = HeldValue(copying: memory) { return .success(payload) }
    return .failure(
      NATSError(code: .refused, message: "a payload of \(memory.count) bytes does not fit into memory"))
  }

  /// The message itself.
  public var outgoing: OutgoingMessage { self }
}

extension OutgoingMessage {
  /// The value that C publishes. With a subject it has that in itself.
  func value(to subject: String? = nil) throws(NATSError) -> HeldValue {
    let payload = try payload.get()
    if headers.isEmpty && id == nil && subject == nil { return payload }
    let texts = Texts()
    var pairs: [UnsafePointer<CChar>?] = []
    for header in headers {
      pairs.append(try texts(header.name, "the name of a header"))
      pairs.append(try texts(header.value, "a header"))
    }
    let (id, to) = (try texts(id, "an id"), try texts(subject, "a subject"))
    return try HeldValue { (out) throws(NATSError) in
      try check(
        payload.withC {
          to == nil
            ? streams_nats_message($0, pairs, headers.count, id, out)
            : streams_nats_message_to(to, $0, pairs, headers.count, id, out)
        })
    }
  }
}

extension String: Payload {
  /// The text as a message.
  public var outgoing: OutgoingMessage { OutgoingMessage(self) }
}

extension Substring: Payload {
  /// The text as a message.
  public var outgoing: OutgoingMessage { OutgoingMessage(self) }
}

extension Array: Payload where Element == UInt8 {
  /// The bytes as a message.
  public var outgoing: OutgoingMessage { OutgoingMessage(self) }
}

extension Data: Payload {
  /// The bytes as a message.
  public var outgoing: OutgoingMessage { OutgoingMessage(self) }
}

extension Message: Payload {
  /// A copy of the message, with its headers. It cannot be published if one of these is not UTF-8.
  public var outgoing: OutgoingMessage { OutgoingMessage(copying: self) }
}
