import CStreams
import Streams
import StreamsCallbacks
import StreamsShims

@_cdecl("streams_just") @implementation
public func streams_just(_ value: UnsafePointer<streams_value>!) -> OpaquePointer! {
  let call = Call("streams_just")
  return call.adopt(value, "value").flatMap { call.publish(Just($0).setFailureType(to: StreamError.self)) }
}

@_cdecl("streams_empty") @implementation
public func streams_empty(_ complete_immediately: Bool) -> OpaquePointer! {
  Call("streams_empty").publish(Empty<Value, StreamError>(completeImmediately: complete_immediately))
}

@_cdecl("streams_fail") @implementation
public func streams_fail(_ error: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_fail")
  return call.object(error, "error", Kind.error).flatMap { call.publish(Fail<Value, StreamError>(error: $0)) }
}

@_cdecl("streams_sequence") @implementation
public func streams_sequence(_ values: UnsafePointer<streams_value>!, _ count: Int) -> OpaquePointer! {
  let call = Call("streams_sequence")
  return call.adopt(values, count: count, "values").flatMap { call.publish(sequence: $0) }
}

@_cdecl("streams_sequence_int64s") @implementation
public func streams_sequence_int64s(_ values: UnsafePointer<Int64>!, _ count: Int) -> OpaquePointer! {
  Call("streams_sequence_int64s").publish(copyOf: values, count, STREAMS_VALUE_INT64S)
}

@_cdecl("streams_sequence_doubles") @implementation
public func streams_sequence_doubles(_ values: UnsafePointer<Double>!, _ count: Int) -> OpaquePointer! {
  Call("streams_sequence_doubles").publish(copyOf: values, count, STREAMS_VALUE_DOUBLES)
}

@_cdecl("streams_sequence_numbers") @implementation
public func streams_sequence_numbers(_ numbers: UnsafePointer<streams_value>!) -> OpaquePointer! {
  let call = Call("streams_sequence_numbers")
  return call.publish(numbers: call.numbers(numbers, "numbers"))
}

@_cdecl("streams_record") @implementation
public func streams_record(
  _ values: UnsafePointer<streams_value>!, _ count: Int, _ error: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_record")
  var completion = Subscribers.Completion<StreamError>.finished
  if error != nil {
    guard let failure = call.object(error, "error", Kind.error) else { return nil }
    completion = .failure(failure)
  }
  return call.adopt(values, count: count, "values").flatMap { list in
    guard call.hasRoom(for: count, "values") else { return nil }
    return call.publish(Record(output: Array(list.items), completion: completion))
  }
}

@_cdecl("streams_deferred") @implementation
public func streams_deferred(
  _ make: streams_make_publisher_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_deferred")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    return call.required(make, "make").flatMap { make in
      call.publish(StackChecked(Deferred { callback.publisher { make($0, $1) } }))
    }
  }
}

extension Call {
  fileprivate func publish(sequence values: ListStorage) -> OpaquePointer? {
    publish(ListedValues(values, 0..<values.items.count), StoredValues(list: values))
  }

  fileprivate func publish(
    copyOf numbers: UnsafeRawPointer?, _ count: Int, _ kind: streams_value_kind
  ) -> OpaquePointer? {
    publish(numbers: array(numbers, count, kind))
  }

  fileprivate func publish(numbers: Value?) -> OpaquePointer? {
    guard let numbers, let kept = withUnsafePointer(to: numbers, { adopt($0.asC, "numbers") }) else {
      return nil
    }
    return publish(Numbers(kept), kept.numbers)
  }

  /// Publishes a piece, or, if that is empty, the sequence of its values: a piece in a stream is never empty.
  private func publish<Values: Sequence<Value>>(
    _ piece: some _Piece<Value>, _ values: Values
  ) -> OpaquePointer? {
    if piece.count > 0 { return publish(PiecePublisher<Values, StreamError>(piece, values: values)) }
    return publish(Publishers.Sequence<Values, StreamError>(sequence: values))
  }
}
