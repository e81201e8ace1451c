import CStreams
import Streams

extension Value {
  /// A number that values which are equal have in common. Throws if foreign code fails.
  func hashed() throws(StreamError) -> Int {
    var hasher = Hasher()
    // The items of lists may be shared, and more than anybody could go through.
    var left = 1000
    try hash(into: &hasher, &left)
    return hasher.finalize()
  }

  private func hash(into hasher: inout Hasher, _ left: inout Int) throws(StreamError) {
    hasher.combine(kind)
    switch streams_value_kind(rawValue: kind) {
    case STREAMS_VALUE_NULL: break
    case STREAMS_VALUE_BOOL: hasher.combine(boolean)
    case STREAMS_VALUE_INT64: hasher.combine(integer)
    case STREAMS_VALUE_DOUBLE: hasher.combine(real)
    case STREAMS_VALUE_STRING, STREAMS_VALUE_BYTES: hasher.combine(bytes: memory)
    case STREAMS_VALUE_INT64S: hasher.combine(bytes: UnsafeRawBufferPointer(integers))
    case STREAMS_VALUE_DOUBLES: for real in reals { hasher.combine(real) }
    case STREAMS_VALUE_LIST:
      hasher.combine(size)
      for item in items where left > 0 {
        left -= 1
        try item.hash(into: &hasher, &left)
      }
    default: hasher.combine(try object?.hashed() ?? 0)
    }
  }
}

/// Values all of which differ from each other.
final class DistinctValues {
  private let values = Cell<[Int: [Value]]>([:])

  /// Adds a value, and returns true, unless one of them equals it. Throws if foreign code fails.
  func insert(_ value: Value) throws(StreamError) -> Bool {
    let hash = try value.hashed()
    var compared = 0
    // What compares may be foreign code, which may come back here.
    while case let known = values.value[hash] ?? [], compared < known.count {
      for each in known[compared...] where try each.equals(value) { return false }
      compared = known.count
    }
    values.value[hash, default: []].append(value)
    return true
  }
}
