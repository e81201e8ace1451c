import CStreams

extension Value: CustomStringConvertible {
  /// The value as `print` shows it.
  var description: String {
    var text = ""
    describe { text += String(decoding: $0, as: UTF8.self) }
    return text
  }

  /// Describes the value in pieces of whole characters, so that no piece is as long as the value.
  func describe(to write: (UnsafeRawBufferPointer) -> Void) {
    var items = Self.describedItems
    describe(quoted: false, depth: 0, &items, to: write)
  }

  /// Lists may share their items, so that the full description of a small value could take forever.
  private static let describedItems = 10_000

  private func describe(
    quoted: Bool, depth: Int, _ left: inout Int, to write: (UnsafeRawBufferPointer) -> Void
  ) {
    switch streams_value_kind(rawValue: kind) {
    case STREAMS_VALUE_INT64S, STREAMS_VALUE_DOUBLES:
      describeItems(numbers, depth: depth, &left, to: write)
    case STREAMS_VALUE_STRING:
      quoted ? describeQuoted(to: write) : write(memory)
    case STREAMS_VALUE_LIST:
      guard depth < maximumDepth else { return Self.write("[…]", to: write) }
      describeItems(items, depth: depth, &left, to: write)
    default:
      Self.write(scalarDescription, to: write)
    }
  }

  private func describeItems(
    _ items: some Sequence<Value>, depth: Int, _ left: inout Int, to write: (UnsafeRawBufferPointer) -> Void
  ) {
    Self.write("[", to: write)
    for (index, item) in items.enumerated() {
      if index > 0 { Self.write(", ", to: write) }
      guard left > 0 else {
        Self.write("…", to: write)
        break
      }
      left -= 1
      item.describe(quoted: true, depth: depth + 1, &left, to: write)
    }
    Self.write("]", to: write)
  }

  private var scalarDescription: String {
    switch streams_value_kind(rawValue: kind) {
    case STREAMS_VALUE_NULL: "null"
    case STREAMS_VALUE_BOOL: boolean ? "true" : "false"
    case STREAMS_VALUE_INT64: String(integer)
    case STREAMS_VALUE_DOUBLE: real.description
    case STREAMS_VALUE_BYTES: "\(size) bytes"
    default: object?.describe() ?? "object"
    }
  }

  private func describeQuoted(to write: (UnsafeRawBufferPointer) -> Void) {
    Self.write("\"", to: write)
    var rest = memory[...]
    while !rest.isEmpty {
      var end = rest.index(rest.startIndex, offsetBy: 4096, limitedBy: rest.endIndex) ?? rest.endIndex
      while end < rest.endIndex, rest[end] & 0xc0 == 0x80 { end -= 1 }
      let piece = String(decoding: rest[..<end], as: UTF8.self).debugDescription
      Self.write(String(piece.dropFirst().dropLast()), to: write)
      rest = rest[end...]
    }
    Self.write("\"", to: write)
  }

  private static func write(_ text: String, to write: (UnsafeRawBufferPointer) -> Void) {
    var text = text
    text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }
}
