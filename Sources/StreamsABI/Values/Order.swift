import CStreams
import Glibc

extension Value {
  /// Whether the value comes before another: numbers by magnitude, strings and bytes byte by byte. Throws if values of these
  /// kinds have no order.
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

extension Value {
  /// Below 0 if the value comes before another, above 0 if after it, and 0 if the two are equal, or both NaN. Throws for objects
  /// without an order, and if user's code fails.
  func compared(to other: Value) throws(StreamError) -> Int {
    var lists = ComparedLists()
    return try compared(to: other, depth: 0, &lists)
  }

  private func compared(
    to other: Value, depth: Int, _ lists: inout ComparedLists
  ) throws(StreamError) -> Int {
    let (kind, otherKind) = (streams_value_kind(rawValue: kind), streams_value_kind(rawValue: other.kind))
    switch (kind, otherKind) {
    case (STREAMS_VALUE_NULL, STREAMS_VALUE_NULL): return 0
    case (STREAMS_VALUE_BOOL, STREAMS_VALUE_BOOL): return boolean == other.boolean ? 0 : boolean ? 1 : -1
    case (STREAMS_VALUE_INT64, STREAMS_VALUE_INT64): return integer.compared(to: other.integer)
    case (STREAMS_VALUE_DOUBLE, STREAMS_VALUE_DOUBLE): return real.compared(to: other.real)
    case (STREAMS_VALUE_INT64, STREAMS_VALUE_DOUBLE): return other.real.compared(to: integer) < 0 ? 1 : -1
    case (STREAMS_VALUE_DOUBLE, STREAMS_VALUE_INT64): return real.compared(to: other.integer) < 0 ? -1 : 1
    case (STREAMS_VALUE_STRING, STREAMS_VALUE_STRING), (STREAMS_VALUE_BYTES, STREAMS_VALUE_BYTES):
      return try precedes(other) ? -1 : other.precedes(self) ? 1 : 0
    case (STREAMS_VALUE_INT64S, STREAMS_VALUE_INT64S):
      return try integers.compared(to: other.integers) { $0.compared(to: $1) }
    case (STREAMS_VALUE_DOUBLES, STREAMS_VALUE_DOUBLES):
      return try reals.compared(to: other.reals) { $0.compared(to: $1) }
    case (STREAMS_VALUE_LIST, STREAMS_VALUE_LIST): return try items(compare: other, depth: depth + 1, &lists)
    case (STREAMS_VALUE_OBJECT, STREAMS_VALUE_OBJECT):
      guard let object, let other = other.object else { throw .withoutOrder }
      return try object.compared(to: other)
    default: return rank.compared(to: other.rank)
    }
  }

  /// The kind's place in the order of kinds.
  private var rank: UInt32 {
    switch streams_value_kind(rawValue: kind) {
    case STREAMS_VALUE_DOUBLE: STREAMS_VALUE_INT64.rawValue
    case STREAMS_VALUE_OBJECT: lastKind + 1
    default: kind
    }
  }

  private func items(
    compare other: Value, depth: Int, _ lists: inout ComparedLists
  ) throws(StreamError) -> Int {
    guard depth <= maximumDepth else {
      throw StreamError(status: STREAMS_LIMIT, "lists are nested more than \(maximumDepth) deep")
    }
    if size == other.size, lists.areKnownToBeEqual(items, other.items) { return 0 }
    let order = try items.compared(to: other.items) { first, second throws(StreamError) in
      try first.compared(to: second, depth: depth, &lists)
    }
    if order == 0 { lists.areEqual(items, other.items) }
    return order
  }
}

extension StreamError {
  static var withoutOrder: StreamError {
    StreamError(status: STREAMS_INVALID_VALUE, "objects of these types have no order")
  }
}

extension UnsafeBufferPointer {
  /// The order of the first two elements that differ; a prefix comes first.
  fileprivate func compared(
    to other: Self, _ order: (Element, Element) throws(StreamError) -> Int
  ) throws(StreamError) -> Int {
    for index in 0..<Swift.min(count, other.count) {
      let found = try order(self[index], other[index])
      if found != 0 { return found }
    }
    return count.compared(to: other.count)
  }
}

extension BinaryInteger {
  fileprivate func compared(to other: Self) -> Int { self < other ? -1 : self > other ? 1 : 0 }
}

extension Double {
  /// NaN comes after all numbers.
  fileprivate func compared(to other: Double) -> Int {
    self < other ? -1 : self > other ? 1 : self == other || isNaN && other.isNaN ? 0 : isNaN ? 1 : -1
  }

  /// Below 0 if less than an integer, above 0 if greater, and 0 if equal to it or NaN. Exact even if the integer has no double of
  /// the same value.
  fileprivate func compared(to integer: Int64) -> Int {
    if isNaN { return 0 }
    if self >= 0x1p63 { return 1 }
    if self < -0x1p63 { return -1 }
    let whole = Int64(rounded(.down))
    return whole < integer ? -1 : whole > integer || self > Double(whole) ? 1 : 0
  }
}
