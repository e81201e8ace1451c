import CStreams
import Streams

@_cdecl("streams_ignore_output") @implementation
public func streams_ignore_output(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_ignore_output").attach(publisher) { $0.ignoreOutput().map { never -> Value in } }
}

@_cdecl("streams_first") @implementation
public func streams_first(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_first").attach(publisher) { $0.first() }
}

@_cdecl("streams_first_where") @implementation
public func streams_first_where(
  _ publisher: OpaquePointer!, _ predicate: streams_predicate_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_first_where").attach(publisher, predicate, "predicate", context, destroy) {
    upstream, predicate, callback in
    upstream.tryFirst { try callback.answers(predicate, $0) }.streamErrors()
  }
}

@_cdecl("streams_last") @implementation
public func streams_last(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_last").attach(publisher) { $0.last() }
}

@_cdecl("streams_last_where") @implementation
public func streams_last_where(
  _ publisher: OpaquePointer!, _ predicate: streams_predicate_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_last_where").attach(publisher, predicate, "predicate", context, destroy) {
    upstream, predicate, callback in
    upstream.tryLast { try callback.answers(predicate, $0) }.streamErrors()
  }
}

@_cdecl("streams_drop_while") @implementation
public func streams_drop_while(
  _ publisher: OpaquePointer!, _ predicate: streams_predicate_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_drop_while").attach(publisher, predicate, "predicate", context, destroy) {
    upstream, predicate, callback in
    upstream.tryDrop { try callback.answers(predicate, $0) }.streamErrors()
  }
}

@_cdecl("streams_prefix_while") @implementation
public func streams_prefix_while(
  _ publisher: OpaquePointer!, _ predicate: streams_predicate_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_prefix_while").attach(publisher, predicate, "predicate", context, destroy) {
    upstream, predicate, callback in
    upstream.tryPrefix { try callback.answers(predicate, $0) }.streamErrors()
  }
}

@_cdecl("streams_output_at") @implementation
public func streams_output_at(_ publisher: OpaquePointer!, _ index: Int64) -> OpaquePointer! {
  let call = Call("streams_output_at")
  return call.attach(publisher) { upstream in
    call.count(index, 0...Int64.max - 1, "index").map { upstream.output(at: $0) }
  }
}

@_cdecl("streams_output_in") @implementation
public func streams_output_in(_ publisher: OpaquePointer!, _ lower: Int64, _ upper: Int64) -> OpaquePointer! {
  let call = Call("streams_output_in")
  return call.attach(publisher) { upstream in
    call.count(lower, 0...Int64.max, "lower").flatMap { first in
      call.count(upper, lower...Int64.max, "upper").map { upstream.output(in: first..<$0) }
    }
  }
}

extension Callback {
  /// A predicate's answer for a value.
  func answers(_ predicate: streams_predicate_fn, _ value: Value) throws(StreamError) -> Bool {
    var answer = false
    try UserCallback.call { withUnsafePointer(to: value) { predicate(context, $0.asC, &answer) } }
    return answer
  }
}
