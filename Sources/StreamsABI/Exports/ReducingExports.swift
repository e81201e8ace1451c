import CStreams
import Streams

@_cdecl("streams_count") @implementation
public func streams_count(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_count").attach(publisher) { $0.count().map { Value(Int64($0)) } }
}

@_cdecl("streams_sum") @implementation
public func streams_sum(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_sum").attach(publisher) { $0.tryReduce(Value(Int64(0))) { try $0.adding($1) }.streamErrors() }
}

@_cdecl("streams_contains") @implementation
public func streams_contains(
  _ publisher: OpaquePointer!, _ value: UnsafePointer<streams_value>!
) -> OpaquePointer! {
  let call = Call("streams_contains")
  return call.attach(publisher) { upstream in
    call.adopt(value, "value").map { sought in
      upstream.tryContains { try $0.equals(sought) }.map { Value($0) }.streamErrors()
    }
  }
}

@_cdecl("streams_contains_where") @implementation
public func streams_contains_where(
  _ publisher: OpaquePointer!, _ predicate: streams_predicate_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_contains_where").attach(publisher, predicate, "predicate", context, destroy) {
    upstream, predicate, callback in
    upstream.tryContains { try callback.answers(predicate, $0) }.map { Value($0) }.streamErrors()
  }
}

@_cdecl("streams_all_satisfy") @implementation
public func streams_all_satisfy(
  _ publisher: OpaquePointer!, _ predicate: streams_predicate_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_all_satisfy").attach(publisher, predicate, "predicate", context, destroy) {
    upstream, predicate, callback in
    upstream.tryAllSatisfy { try callback.answers(predicate, $0) }.map { Value($0) }.streamErrors()
  }
}

@_cdecl("streams_min") @implementation
public func streams_min(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_min").attach(publisher) { $0.tryMin { try $0.precedes($1) }.streamErrors() }
}

@_cdecl("streams_max") @implementation
public func streams_max(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_max").attach(publisher) { $0.tryMax { try $0.precedes($1) }.streamErrors() }
}

@_cdecl("streams_min_by") @implementation
public func streams_min_by(
  _ publisher: OpaquePointer!, _ is_before: streams_order_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_min_by").attach(publisher, is_before, "is_before", context, destroy) {
    upstream, isBefore, callback in
    upstream.tryMin { try callback.orders(isBefore, $0, $1) }.streamErrors()
  }
}

@_cdecl("streams_max_by") @implementation
public func streams_max_by(
  _ publisher: OpaquePointer!, _ is_before: streams_order_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_max_by").attach(publisher, is_before, "is_before", context, destroy) {
    upstream, isBefore, callback in
    upstream.tryMax { try callback.orders(isBefore, $0, $1) }.streamErrors()
  }
}

extension Callback {
  /// Whether an order puts the first value before the second.
  fileprivate func orders(
    _ isBefore: streams_order_fn, _ first: Value, _ second: Value
  ) throws(StreamError) -> Bool {
    var answer = false
    try UserCallback.call { withValues(first, second) { isBefore(context, $0, $1, &answer) } }
    return answer
  }
}
