import CStreams

extension Value {
  /// The sum of two numbers; that of two integers is an integer. Throws on overflow, and if a value is not a number.
  func adding(_ other: Value) throws(StreamError) -> Value {
    switch (streams_value_kind(rawValue: kind), streams_value_kind(rawValue: other.kind)) {
    case (STREAMS_VALUE_INT64, STREAMS_VALUE_INT64):
      let (sum, isTooLarge) = integer.addingReportingOverflow(other.integer)
      if isTooLarge {
        throw StreamError(status: STREAMS_OUT_OF_RANGE, "the sum of integers is more than 64 bits can hold")
      }
      return Value(sum)
    case (STREAMS_VALUE_DOUBLE, STREAMS_VALUE_DOUBLE): return Value(real + other.real)
    case (STREAMS_VALUE_INT64, STREAMS_VALUE_DOUBLE): return Value(Double(integer) + other.real)
    case (STREAMS_VALUE_DOUBLE, STREAMS_VALUE_INT64): return Value(real + Double(other.integer))
    default: throw StreamError(status: STREAMS_INVALID_VALUE, "values of these kinds have no sum")
    }
  }
}
