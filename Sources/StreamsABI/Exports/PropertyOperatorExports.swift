import CStreams
import Streams
import StreamsProperty

@_cdecl("streams_property_map") @implementation
public func streams_property_map(
  _ property: OpaquePointer!, _ transform: streams_transform_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_property_map").derive(property, transform, "transform", context, destroy) {
    property, transform, callback in
    property.map { outcome in
      outcome.flatMap { value in
        Result { () throws(StreamError) in try callback.transform(transform, value) }
      }
    }
  }
}

@_cdecl("streams_property_filter") @implementation
public func streams_property_filter(
  _ property: OpaquePointer!, _ initial_fallback: UnsafePointer<streams_value>!,
  _ predicate: streams_predicate_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_property_filter")
  return call.derive(property, predicate, "predicate", context, destroy) { property, predicate, callback in
    call.adopt(initial_fallback, "initial_fallback").map {
      property.filtered($0) { value throws(StreamError) in try callback.answers(predicate, value) }
    }
  }
}

@_cdecl("streams_property_compact_map") @implementation
public func streams_property_compact_map(
  _ property: OpaquePointer!, _ initial_fallback: UnsafePointer<streams_value>!,
  _ transform: streams_transform_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_property_compact_map")
  return call.derive(property, transform, "transform", context, destroy) { property, transform, callback in
    call.adopt(initial_fallback, "initial_fallback").map {
      property.compactMapped($0) { value throws(StreamError) in
        let made = try callback.transform(transform, value)
        return made.kind == STREAMS_VALUE_NULL.rawValue ? nil : made
      }
    }
  }
}

@_cdecl("streams_property_scan") @implementation
public func streams_property_scan(
  _ property: OpaquePointer!, _ initial: UnsafePointer<streams_value>!, _ combine: streams_combine_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_property_scan")
  return call.derive(property, combine, "combine", context, destroy) { property, combine, callback in
    call.adopt(initial, "initial").map {
      property.scanned($0) { accumulated, value in
        Result { () throws(StreamError) in try callback.combine(combine, accumulated, value) }
      }
    }
  }
}

@_cdecl("streams_property_remove_duplicates") @implementation
public func streams_property_remove_duplicates(
  _ property: OpaquePointer!, _ is_same: streams_compare_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_property_remove_duplicates").derive(property, context, destroy) { property, callback in
    property.withoutDuplicates { previous, current throws(StreamError) in
      guard let is_same else { return try previous.equals(current) }
      return try withValues(previous, current) { previous, current throws(StreamError) in
        try callback.compare(is_same, previous, current)
      }
    }
  }
}

@_cdecl("streams_property_flat_map") @implementation
public func streams_property_flat_map(
  _ property: OpaquePointer!, _ transform: streams_expand_property_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_property_flat_map").derive(property, transform, "transform", context, destroy) {
    property, transform, callback in
    let circle = StreamError(
      status: STREAMS_PROTOCOL_VIOLATION, "a property was to follow one that is derived from it")
    return property.switchToLatest(substitute: Property(Outcome.failure(circle))) { outcome in
      let made = outcome.flatMap { value in
        callback.made("the property made by a callback", Kind.property) { context, out in
          withUnsafePointer(to: value) { transform(context, $0.asC, out) }
        }
      }
      switch made {
      case .success(let object): return object.property
      case .failure(let error): return Property(Outcome.failure(error))
      }
    }
  }
}

@_cdecl("streams_property_receive_on") @implementation
public func streams_property_receive_on(
  _ property: OpaquePointer!, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_property_receive_on")
  return call.derive(property, nil, nil) { property, _ in
    call.object(scheduler, "scheduler", Kind.scheduler).map {
      property.received(on: $0.clockForStream.inCurrentContext, options: nil, substitute: .endless)
    }
  }
}

@_cdecl("streams_property_combine_latest") @implementation
public func streams_property_combine_latest(
  _ properties: UnsafePointer<OpaquePointer?>!, _ count: Int, _ combine: streams_combine_values_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_property_combine_latest").join(properties, count, combine, context, destroy) { properties in
    Property<Outcome>.combineLatest(properties, emptySentinel: .success(.null))
  }
}

@_cdecl("streams_property_zip") @implementation
public func streams_property_zip(
  _ properties: UnsafePointer<OpaquePointer?>!, _ count: Int, _ combine: streams_combine_values_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_property_zip").join(properties, count, combine, context, destroy) { properties in
    Property<Outcome>.zip(properties, emptySentinel: .success(.null))
  }
}

extension Call {
  /// Takes a callback, and makes a handle of the property that `derive` makes of it and of a property.
  fileprivate func derive(
    _ property: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?,
    _ derive: (Property<Outcome>, Callback) -> Property<Outcome>?
  ) -> OpaquePointer? {
    Trampoline.through {
      let callback = Callback(context, destroy)
      guard let object = object(property, "property", Kind.property), hasStack else { return nil }
      return derive(object.property, callback).flatMap { handle($0) }
    }
  }

  /// Takes a callback and its function, and makes a handle of the property that `derive` makes of them and of a property.
  fileprivate func derive<Function>(
    _ property: OpaquePointer?, _ function: Function?, _ argument: StaticString,
    _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?,
    _ derive: (Property<Outcome>, Function, Callback) -> Property<Outcome>?
  ) -> OpaquePointer? {
    self.derive(property, context, destroy) { property, callback in
      required(function, argument).flatMap { derive(property, $0, callback) }
    }
  }

  /// Takes a callback, and makes a handle of a property of its results for several values, or, without a function, of their
  /// lists.
  fileprivate func join(
    _ properties: UnsafePointer<OpaquePointer?>?, _ count: Int, _ combine: streams_combine_values_fn?,
    _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?,
    _ join: ([Property<Outcome>]) -> Property<[Outcome]>
  ) -> OpaquePointer? {
    Trampoline.through { () -> OpaquePointer? in
      let callback = Callback(context, destroy)
      guard isPlausible(count, properties != nil, "properties"), hasStack, hasRoom(for: count, "properties")
      else { return nil }
      var found: [Property<Outcome>] = []
      let argument: Argument = "properties"
      for (place, handle) in UnsafeBufferPointer(start: properties, count: count).enumerated() {
        guard let object = object(handle, argument[place], Kind.property) else { return nil }
        found.append(object.property)
      }
      let joined = found.isEmpty ? Property<[Outcome]>([]) : join(found)
      return handle(
        Property.joined(joined) { values in
          guard let combine else { return Value.list(values.count) { values[$0] } }
          return Result { () throws(StreamError) in
            try values.withUnsafeBufferPointer { values throws(StreamError) in
              try callback.combine(combine, values)
            }
          }
        })
    }
  }
}

extension Callback {
  /// The result of a callback for a value.
  func transform(_ function: streams_transform_fn, _ value: Value) throws(StreamError) -> Value {
    try produce { context, out in withUnsafePointer(to: value) { function(context, $0.asC, out) } }
  }
}
