import CStreams
import Streams
import StreamsExtras

extension Value {
  /// A hash: equal values have the same. Throws if user's code fails.
  func hashed() throws(StreamError) -> Int {
    if kind == STREAMS_VALUE_INT64.rawValue { return spread(integer) }
    var hasher = Hasher()
    // Lists may share their items, so that there can be too many to visit.
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

/// By what the hashes of integers are made: random, so that nobody can choose keys that meet in a table.
private let secret = UInt64.random(in: .min ... .max)

/// The hash of an integer, in a fraction of `Hasher`'s time: the last step of MurmurHash3, by which each bit changes all others.
private func spread(_ integer: Int64) -> Int {
  var bits = UInt64(bitPattern: integer) ^ secret
  bits = (bits ^ bits &>> 33) &* 0xff51_afd7_ed55_8ccd
  bits = (bits ^ bits &>> 33) &* 0xc4ce_b9fe_1a85_ec53
  return Int(bitPattern: UInt(bits ^ bits &>> 33))
}

extension KnownKeys<Value> {
  /// The number of the known value that equals a value; if there is none, the value becomes known. Throws if user's code fails.
  func find(_ value: Value) throws(StreamError) -> (number: Int, isNew: Bool) {
    try find(value, hash: value.hashed()) { first, second throws(StreamError) in try first.equals(second) }
  }
}
