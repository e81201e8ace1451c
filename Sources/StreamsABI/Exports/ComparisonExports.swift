import CStreams

@_cdecl("streams_value_equal") @implementation
public func streams_value_equal(
  _ a: UnsafePointer<streams_value>!, _ b: UnsafePointer<streams_value>!,
  _ equal: UnsafeMutablePointer<Bool>!
) -> streams_status {
  Call("streams_value_equal").compare(a, b, equal, "equal", false) { a, b throws(StreamError) in
    try a.equals(b)
  }
}

@_cdecl("streams_value_compare") @implementation
public func streams_value_compare(
  _ a: UnsafePointer<streams_value>!, _ b: UnsafePointer<streams_value>!,
  _ order: UnsafeMutablePointer<Int32>!
) -> streams_status {
  Call("streams_value_compare").compare(a, b, order, "order", 0) { a, b throws(StreamError) in
    Int32(try a.compared(to: b))
  }
}

@_cdecl("streams_value_hash") @implementation
public func streams_value_hash(
  _ value: UnsafePointer<streams_value>!, _ hash: UnsafeMutablePointer<UInt64>!
) -> streams_status {
  let call = Call("streams_value_hash")
  guard let hash = call.required(hash, "hash") else { return streams_last_status() }
  hash.pointee = 0
  guard let value = call.adopt(value, "value") else { return streams_last_status() }
  return call.answer(hash) { () throws(StreamError) in UInt64(bitPattern: Int64(try value.hashed())) }
}

extension Call {
  fileprivate func compare<Answer>(
    _ a: UnsafePointer<streams_value>?, _ b: UnsafePointer<streams_value>?,
    _ out: UnsafeMutablePointer<Answer>?, _ argument: StaticString, _ empty: Answer,
    _ compare: (Value, Value) throws(StreamError) -> Answer
  ) -> streams_status {
    guard let out = required(out, argument) else { return streams_last_status() }
    out.pointee = empty
    guard let first = adopt(a, "a"), let second = adopt(b, "b") else { return streams_last_status() }
    return answer(out) { () throws(StreamError) in try compare(first, second) }
  }

  /// Stores an answer in `out`, or leaves that unchanged if there is none.
  fileprivate func answer<Answer>(
    _ out: UnsafeMutablePointer<Answer>, _ answer: () throws(StreamError) -> Answer
  ) -> streams_status {
    do throws(StreamError) {
      out.pointee = try answer()
      return STREAMS_OK
    } catch {
      let known = [STREAMS_LIMIT, STREAMS_INVALID_VALUE].first { error.code == Int64($0.rawValue) }
      return known.map { fail($0, error.text) } ?? fail(error)
    }
  }
}
