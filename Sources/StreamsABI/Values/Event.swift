import CStreams
import Glibc
import StreamsExtras

/// Events as values: lists whose first item is the kind of the event.
extension Value {
  nonisolated(unsafe) private static let valueTag = Value(tag: "value")
  nonisolated(unsafe) private static let finishedTag = Value(tag: "finished")
  nonisolated(unsafe) private static let failedTag = Value(tag: "failed")

  private init(tag: StaticString) {
    let memory = UnsafeRawBufferPointer(start: tag.utf8Start, count: tag.utf8CodeUnitCount)
    self = (try? Value(STREAMS_VALUE_STRING, copying: memory)) ?? .null
  }

  static func event(_ event: Event<Value, StreamError>) -> Result<Value, StreamError> {
    switch event {
    case .value(let value): pair(valueTag, value)
    case .finished: list(1) { _ in finishedTag }
    case .failure(let error): failed(error)
    }
  }

  private static func failed(_ error: StreamError) -> Result<Value, StreamError> {
    Result { () throws(StreamError) in
      let texts = [try text(error.message), try text(error.domain)]
      return try list([failedTag, texts[0], texts[1], Value(error.code), error.object?.pointee ?? .null])
    }
  }

  private static func text(_ text: UnsafePointer<CChar>) throws(StreamError) -> Value {
    do {
      return try Value(
        STREAMS_VALUE_STRING, copying: UnsafeRawBufferPointer(start: text, count: strlen(text)))
    } catch {
      throw StreamError(status: error.status, "a text \(error.message)")
    }
  }

  /// The event that a list describes. Throws if it describes none.
  func asEvent() throws(StreamError) -> Event<Value, StreamError> {
    let items = kind == STREAMS_VALUE_LIST.rawValue ? self.items : UnsafeBufferPointer(start: nil, count: 0)
    switch (items.first?.asText, items.count) {
    case ("value", 2): return .value(items[1])
    case ("finished", 1): return .finished
    case ("failed", 2...5):
      if let error = StreamError(described: items) { return .failure(error) }
    default: break
    }
    throw StreamError(status: STREAMS_INVALID_VALUE, "a value is not an event of streams_materialize")
  }

  /// The text of a string.
  fileprivate var asText: String? {
    kind == STREAMS_VALUE_STRING.rawValue ? String(decoding: memory, as: UTF8.self) : nil
  }
}

extension StreamError {
  /// The error that ["failed", message, domain, code, object] describes; nil if one of the items has another kind.
  fileprivate convenience init?(described items: UnsafeBufferPointer<Value>) {
    guard let message = items[1].asText else { return nil }
    var (domain, code) = ("", Int64(0))
    if items.count > 2 {
      guard let text = items[2].asText else { return nil }
      domain = text
    }
    if items.count > 3 {
      guard items[3].kind == STREAMS_VALUE_INT64.rawValue else { return nil }
      code = items[3].integer
    }
    let object = items.count > 4 && items[4].kind != STREAMS_VALUE_NULL.rawValue ? items[4] : nil
    self.init(code: code, domain: domain, message: message, carrying: object.map(CarriedValue.init))
  }
}
