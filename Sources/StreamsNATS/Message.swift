internal import CStreams
internal import CStreamsNATS
internal import StreamsABI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message of NATS: bytes, with a subject and headers.
///
/// A message is a small value, and copies share the bytes, which are not copied before somebody asks for a copy.
///
///     connection.consume("ORDERS", durable: "workers")
///       .tryMap { try $0.decode(Order.self) }
public struct Message: @unchecked Sendable {
  let held: HeldValue

  /// The payload. It shares the message's memory.
  public var data: Data {
    let memory = memory
    guard let base = memory.baseAddress, memory.count > 0 else { return Data() }
    let held = held
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: memory.count,
      deallocator: .custom { _, _ in withExtendedLifetime(held) {} })
  }

  /// Calls a function with the payload, which is not copied. The memory is valid during the call only.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(held) {} }
    return try body(memory)
  }

  /// The payload as text. What is not UTF-8 is replaced.
  public var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

  /// Decodes the payload, from JSON if the decoder is not another.
  ///
  ///     struct Order: Codable { var id: Int }
  ///     let order = try message.decode(Order.self)
  public func decode<Item: Decodable>(
    _ type: Item.Type = Item.self, decoder: JSONDecoder = JSONDecoder()
  ) throws -> Item {
    try decoder.decode(type, from: data)
  }

  /// What the message was published to.
  public var subject: String { text(streams_nats_subject_of) }

  /// Where an answer goes to; nil if the sender wants none.
  public var replySubject: String? {
    let reply = text(streams_nats_reply_of)
    return reply.isEmpty ? nil : reply
  }

  /// The first value of a header; nil if there is none.
  ///
  ///     let trace = message["Trace"]
  public subscript(header name: String) -> String? {
    var value: UnsafePointer<CChar>?
    _ = held.withC { message in name.withCString { streams_nats_header(message, $0, &value) } }
    return value.map { String(cString: $0) }
  }

  /// All headers. A name with several values comes several times. Throws if one is not UTF-8.
  public var headers: [Header] {
    get throws(NATSError) {
      let list = try HeldValue { (out) throws(NATSError) in
        try check(held.withC { streams_nats_headers($0, out) })
      }
      return (list.items ?? []).compactMap { pair in
        guard let pair = pair.items, let name = pair[0].text, let value = pair[1].text else { return nil }
        return Header(name: name, value: value)
      }
    }
  }

  private var memory: UnsafeRawBufferPointer {
    var bytes = streams_value()
    _ = held.withC { streams_nats_data($0, &bytes) }
    return UnsafeRawBufferPointer(start: bytes.as.bytes, count: Int(bytes.size))
  }

  private typealias Reader = (
    UnsafePointer<streams_value>?, UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) -> streams_status

  private func text(_ function: Reader) -> String {
    var text: UnsafePointer<CChar>?
    return held.withC { message in
      _ = function(message, &text)
      return text.map { String(cString: $0) } ?? ""
    }
  }
}

/// A header of a message.
public struct Header: Hashable, Sendable {
  /// Its name.
  public var name: String
  /// Its value.
  public var value: String

  /// Makes a header.
  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension Message: CustomStringConvertible {
  /// The subject and the text.
  public var description: String { "\(subject): \(text)" }
}
