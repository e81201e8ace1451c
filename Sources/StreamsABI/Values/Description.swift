import CStreams

extension Value: CustomStringConvertible {
  /// The value as `print` shows it.
  var description: String { describe(quoted: false, depth: 0) }

  private func describe(quoted: Bool, depth: Int) -> String {
    switch streams_value_kind(rawValue: kind) {
    case STREAMS_VALUE_NULL: return "null"
    case STREAMS_VALUE_BOOL: return boolean ? "true" : "false"
    case STREAMS_VALUE_INT64: return String(integer)
    case STREAMS_VALUE_DOUBLE: return real.description
    case STREAMS_VALUE_STRING:
      let text = String(decoding: memory, as: UTF8.self)
      return quoted ? text.debugDescription : text
    case STREAMS_VALUE_BYTES: return "\(size) bytes"
    case STREAMS_VALUE_LIST:
      guard depth < maximumDepth else { return "[…]" }
      return "[" + items.map { $0.describe(quoted: true, depth: depth + 1) }.joined(separator: ", ") + "]"
    default: return object?.describe() ?? "object"
    }
  }
}
