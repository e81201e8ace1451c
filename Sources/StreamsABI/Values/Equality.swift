import CStreams
import Glibc

extension Value {
  /// Whether two values are equal: kind, then content. Throws if foreign code fails or lists are nested too deep.
  func equals(_ other: Value, depth: Int = 0) throws(StreamError) -> Bool {
    guard kind == other.kind else { return false }
    switch streams_value_kind(rawValue: kind) {
    case STREAMS_VALUE_NULL: return true
    case STREAMS_VALUE_BOOL: return boolean == other.boolean
    case STREAMS_VALUE_INT64: return integer == other.integer
    case STREAMS_VALUE_DOUBLE: return real == other.real
    case STREAMS_VALUE_STRING, STREAMS_VALUE_BYTES:
      guard size == other.size else { return false }
      return size == 0 || memcmp(memory.baseAddress!, other.memory.baseAddress!, Int(size)) == 0
    case STREAMS_VALUE_LIST: return try listEquals(other, depth: depth + 1)
    default:
      guard let object, let otherObject = other.object else { return false }
      return try object.equals(otherObject)
    }
  }

  private func listEquals(_ other: Value, depth: Int) throws(StreamError) -> Bool {
    guard depth <= maximumDepth else {
      throw StreamError(status: STREAMS_LIMIT, "lists are nested more than \(maximumDepth) deep")
    }
    guard size == other.size else { return false }
    for index in 0..<Int(size) where try !items[index].equals(other.items[index], depth: depth) {
      return false
    }
    return true
  }
}
