import CStreams
import Streams
import StreamsShims

/// Whether two values are equal.
struct EqualPair: PairTransform {
  @inline(__always)
  func callAsFunction(
    _ previous: UnsafePointer<Value>, _ current: UnsafePointer<Value>
  ) throws(StreamError) -> Bool {
    try previous.pointee.equals(current.pointee)
  }
}

/// Whether a comparison callback says that two values are the same.
struct ComparedPair: PairTransform {
  let function: streams_compare_fn
  let callback: Callback

  @inline(__always)
  func callAsFunction(
    _ previous: UnsafePointer<Value>, _ current: UnsafePointer<Value>
  ) throws(StreamError) -> Bool {
    try callback.compare(function, previous.asC, current.asC)
  }
}

/// The result of a callback for two values.
struct CombinedPair: Accumulation {
  let function: streams_combine_fn
  let callback: Callback

  @inline(__always)
  func callAsFunction(
    _ accumulated: UnsafePointer<Value>, _ next: UnsafePointer<Value>
  ) throws(StreamError) -> Value {
    try callback.produce { context, out in function(context, accumulated.asC, next.asC, out) }
  }

  /// Numbers have no owner to count: they are copied as they are.
  @inline(__always)
  func accumulate(
    _ value: UnsafePointer<Value>, in result: UnsafeMutablePointer<Value>,
    _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) throws(StreamError) -> Subscribers.Demand {
    let kept = result.asC
    guard _fastPath(kept.pointee.owner == nil && streams_pending_error() == 0)
    else { return try accumulateOwned(value, in: result, deliver) }
    // The C program is responsible for what its callbacks write: the stack needs no protection.
    return try _withUnprotectedUnsafeTemporaryAllocation(of: streams_value.self, capacity: 2) {
      places throws(StreamError) in
      let last = places.baseAddress.unsafelyUnwrapped
      let next = last + 1
      streams_copy_plain(last, kept)
      next.initialize(to: streams_value())
      let status = function(callback.context, last, value.asC, next)
      // Calls that the callback has made may have replaced the last result.
      let isPlain = streams_is_plain(Int32(bitPattern: status.rawValue), next, streams_pending_error())
      guard _fastPath(isPlain && kept.pointee.owner == nil)
      else { return try keep(next, status, in: result, deliver) }
      streams_copy_plain(kept, next)
      return deliver(UnsafePointer(next).asValue)
    }
  }

  @inline(never)
  private func accumulateOwned(
    _ value: UnsafePointer<Value>, in result: UnsafeMutablePointer<Value>,
    _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) throws(StreamError) -> Subscribers.Demand {
    var last = result.pointee
    var next = try withUnsafeMutablePointer(to: &last) { last throws(StreamError) in try self(last, value) }
    return keep(&next, in: result, deliver)
  }

  /// Keeps the result, unless something has failed.
  @inline(never)
  private func keep(
    _ next: UnsafeMutablePointer<streams_value>, _ status: streams_status,
    in result: UnsafeMutablePointer<Value>, _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) throws(StreamError) -> Subscribers.Demand {
    try UserCallback.check(status, since: 0)
    var next = try Value.takingResult(next)
    return keep(&next, in: result, deliver)
  }
}

extension Callback {
  /// Whether a comparison callback says that two values are the same.
  @inline(__always)
  func compare(
    _ function: streams_compare_fn, _ previous: UnsafePointer<streams_value>,
    _ current: UnsafePointer<streams_value>
  ) throws(StreamError) -> Bool {
    var same = false
    try UserCallback.call { function(context, previous, current, &same) }
    return same
  }

  func combine(
    _ function: streams_combine_fn, _ accumulated: Value, _ next: Value
  ) throws(StreamError) -> Value {
    try withValues(accumulated, next) { accumulated, next throws(StreamError) in
      try produce { context, out in function(context, accumulated, next, out) }
    }
  }
}

/// Two values as C values.
@inline(__always)
func withValues<Result, Failure: Error>(
  _ first: Value, _ second: Value,
  _ body: (UnsafePointer<streams_value>, UnsafePointer<streams_value>) throws(Failure) -> Result
) throws(Failure) -> Result {
  try withUnsafePointer(to: first) { first throws(Failure) in
    try withUnsafePointer(to: second) { second throws(Failure) in try body(first.asC, second.asC) }
  }
}
