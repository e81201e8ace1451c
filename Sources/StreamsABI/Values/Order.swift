import CStreams
import Glibc

extension Value {
  /// Whether the value comes before another: numbers by what they are worth, strings and bytes byte by byte. Throws if
  /// values of these kinds have no order.
  func precedes(_ other: Value) throws(StreamError) -> Bool {
    switch (streams_value_kind(rawValue: kind), streams_value_kind(rawValue: other.kind)) {
    case (STREAMS_VALUE_INT64, STREAMS_VALUE_INT64): return integer < other.integer
    case (STREAMS_VALUE_DOUBLE, STREAMS_VALUE_DOUBLE): return real < other.real
    case (STREAMS_VALUE_INT64, STREAMS_VALUE_DOUBLE): return other.real.compared(to: integer) > 0
    case (STREAMS_VALUE_DOUBLE, STREAMS_VALUE_INT64): return real.compared(to: other.integer) < 0
    case (STREAMS_VALUE_STRING, STREAMS_VALUE_STRING), (STREAMS_VALUE_BYTES, STREAMS_VALUE_BYTES):
      let common = Int(min(size, other.size))
      let found = common == 0 ? 0 : memcmp(memory.baseAddress!, other.memory.baseAddress!, common)
      return found == 0 ? size < other.size : found < 0
    default:
      throw StreamError(status: STREAMS_INVALID_VALUE, "values of these kinds have no order")
    }
  }
}

extension Double {
  /// Below 0 if less than an integer, above 0 if greater, and 0 if equal to it or no number. Exact, where the integer has
  /// no double of the same value.
  fileprivate func compared(to integer: Int64) -> Int {
    if isNaN { return 0 }
    if self >= 0x1p63 { return 1 }
    if self < -0x1p63 { return -1 }
    let whole = Int64(rounded(.down))
    return whole < integer ? -1 : whole > integer || self > Double(whole) ? 1 : 0
  }
}
