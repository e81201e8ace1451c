import CStreams
import Streams

/// Whether two values are equal.
struct EqualPair: PairTransform {
  @inline(__always)
  func callAsFunction(
    _ previous: UnsafePointer<Value>, _ current: UnsafePointer<Value>
  ) throws(StreamError) -> Bool {
    try previous.pointee.equals(current.pointee)
  }
}

/// Whether a comparison calls two values the same.
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

/// What a callback makes of two values.
struct CombinedPair: PairTransform {
  let function: streams_combine_fn
  let callback: Callback

  @inline(__always)
  func callAsFunction(
    _ accumulated: UnsafePointer<Value>, _ next: UnsafePointer<Value>
  ) throws(StreamError) -> Value {
    try callback.produce { context, out in function(context, accumulated.asC, next.asC, out) }
  }
}

extension Callback {
  /// Whether a comparison calls two values the same.
  @inline(__always)
  func compare(
    _ function: streams_compare_fn, _ previous: UnsafePointer<streams_value>,
    _ current: UnsafePointer<streams_value>
  ) throws(StreamError) -> Bool {
    var same = false
    try ForeignCode.call { function(context, previous, current, &same) }
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

/// Two values as C sees them.
@inline(__always)
func withValues<Result, Failure: Error>(
  _ first: Value, _ second: Value,
  _ body: (UnsafePointer<streams_value>, UnsafePointer<streams_value>) throws(Failure) -> Result
) throws(Failure) -> Result {
  try withUnsafePointer(to: first) { first throws(Failure) in
    try withUnsafePointer(to: second) { second throws(Failure) in try body(first.asC, second.asC) }
  }
}
