import CStreams

extension streams_status {
  /// Its name and number for messages: a callback may return any number.
  var described: String {
    // As C prints it: -1, not the unsigned number with the same bits.
    return name.description == "STREAMS_UNKNOWN"
      ? "\(Int32(truncatingIfNeeded: rawValue)), which is not a status" : "\(name) (\(rawValue))"
  }
}

extension streams_status {
  var name: StaticString {
    switch self {
    case STREAMS_OK: "STREAMS_OK"
    case STREAMS_NULL_HANDLE: "STREAMS_NULL_HANDLE"
    case STREAMS_STALE_HANDLE: "STREAMS_STALE_HANDLE"
    case STREAMS_WRONG_KIND: "STREAMS_WRONG_KIND"
    case STREAMS_NULL_ARGUMENT: "STREAMS_NULL_ARGUMENT"
    case STREAMS_INVALID_SIZE: "STREAMS_INVALID_SIZE"
    case STREAMS_INVALID_VALUE: "STREAMS_INVALID_VALUE"
    case STREAMS_INVALID_UTF8: "STREAMS_INVALID_UTF8"
    case STREAMS_INVALID_ARGUMENT: "STREAMS_INVALID_ARGUMENT"
    case STREAMS_ZERO_DEMAND: "STREAMS_ZERO_DEMAND"
    case STREAMS_DEMAND_EXCEEDED: "STREAMS_DEMAND_EXCEEDED"
    case STREAMS_TERMINATED: "STREAMS_TERMINATED"
    case STREAMS_CALLBACK_FAILED: "STREAMS_CALLBACK_FAILED"
    case STREAMS_PROTOCOL_VIOLATION: "STREAMS_PROTOCOL_VIOLATION"
    case STREAMS_OUT_OF_RANGE: "STREAMS_OUT_OF_RANGE"
    case STREAMS_OUT_OF_MEMORY: "STREAMS_OUT_OF_MEMORY"
    case STREAMS_LIMIT: "STREAMS_LIMIT"
    case STREAMS_TIMED_OUT: "STREAMS_TIMED_OUT"
    case STREAMS_ASSERTION_FAILED: "STREAMS_ASSERTION_FAILED"
    default: "STREAMS_UNKNOWN"
    }
  }
}
