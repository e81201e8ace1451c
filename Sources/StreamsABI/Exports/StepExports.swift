import CStreams

@_cdecl("streams_map") @implementation
public func streams_map(
  _ publisher: OpaquePointer!, _ transform: streams_transform_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_map").append(publisher, transform, "transform", context, destroy) { .map($0) }
}

@_cdecl("streams_map_batch") @implementation
public func streams_map_batch(
  _ publisher: OpaquePointer!, _ transform: streams_transform_batch_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_map_batch").attach(publisher, transform, "transform", context, destroy) {
    upstream, transform, callback in
    BatchStage(upstream: upstream, transform: transform, callback: callback)
  }
}

@_cdecl("streams_encode") @implementation
public func streams_encode(
  _ publisher: OpaquePointer!, _ encode: streams_transform_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_encode").append(publisher, encode, "encode", context, destroy) { .map($0) }
}

@_cdecl("streams_decode") @implementation
public func streams_decode(
  _ publisher: OpaquePointer!, _ decode: streams_transform_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_decode").append(publisher, decode, "decode", context, destroy) { .map($0) }
}

@_cdecl("streams_filter") @implementation
public func streams_filter(
  _ publisher: OpaquePointer!, _ is_included: streams_predicate_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_filter").append(publisher, is_included, "is_included", context, destroy) { .filter($0) }
}

@_cdecl("streams_compact_map") @implementation
public func streams_compact_map(
  _ publisher: OpaquePointer!, _ transform: streams_transform_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_compact_map").append(publisher, transform, "transform", context, destroy) { .compactMap($0) }
}

extension Call {
  /// Consumes a publisher and makes a handle of it with one more stateless step.
  fileprivate func append<Function>(
    _ publisher: OpaquePointer?, _ function: Function?, _ argument: StaticString,
    _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?,
    _ make: (Function) -> Step.Function
  ) -> OpaquePointer? {
    Trampoline.through {
      guard let function else { return refuse(publisher, argument, context, destroy) }
      let step = Step(make(function), context, destroy)
      guard let object = consume(publisher) else { return nil }
      step.follow(object.steps)
      return publish(PublisherObject(consume object, consume step, by: self.function))
    }
  }

  /// Releases the publisher and destroys the context if there is no function.
  @inline(never)
  private func refuse(
    _ publisher: OpaquePointer?, _ argument: StaticString, _ context: UnsafeMutableRawPointer?,
    _ destroy: streams_destroy_fn?
  ) -> OpaquePointer? {
    consuming(publisher) { object in
      withExtendedLifetime(Callback(context, destroy)) {
        if object != nil { _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL") }
      }
    }
    return nil
  }
}
