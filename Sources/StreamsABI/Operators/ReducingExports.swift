import CStreams
import Streams

@_cdecl("streams_count") @implementation
public func streams_count(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_count").attach(publisher) { $0.count().map { Value(Int64($0)) } }
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
