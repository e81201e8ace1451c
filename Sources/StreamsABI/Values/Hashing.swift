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

/// A value that differs from all others of its kind: it is told from them by what it is, without comparing.
final class KnownValue: Hashable {
  let value: Value

  init(_ value: Value) { self.value = value }

  static func == (first: KnownValue, second: KnownValue) -> Bool { first === second }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Values all of which differ from each other.
final class KnownValues {
  private let values = Cell<[Int: [KnownValue]]>([:])

  /// The one of them that equals a value, which becomes one if there is none. Throws if foreign code fails.
  func find(_ value: Value) throws(StreamError) -> (value: KnownValue, isNew: Bool) {
    let hash = try value.hashed()
    var compared = 0
    // What compares may be foreign code, which may come back here.
    while case let known = values.value[hash] ?? [], compared < known.count {
      for each in known[compared...] where try each.value.equals(value) { return (each, false) }
      compared = known.count
    }
    let new = KnownValue(value)
    values.value[hash, default: []].append(new)
    return (new, true)
  }
}
