import CStreams
import Streams
import StreamsProperty

@_cdecl("streams_binding_create") @implementation
public func streams_binding_create(
  _ get: streams_get_value_fn!, _ set: streams_set_value_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!, _ changes: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_binding_create")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    guard changes != nil else { return call.bind(get, set, callback, nil) }
    return call.consuming(changes, "changes") { changes in
      changes.flatMap { call.bind(get, set, callback, StackChecked($0.publisher).eraseToAnyPublisher()) }
    }
  }
}

@_cdecl("streams_binding_constant") @implementation
public func streams_binding_constant(_ value: UnsafePointer<streams_value>!) -> OpaquePointer! {
  let call = Call("streams_binding_constant")
  return call.adopt(value, "value").flatMap { call.handle(.constant(.success($0))) }
}

@_cdecl("streams_binding_of_subject") @implementation
public func streams_binding_of_subject(_ subject: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_binding_of_subject")
  guard let subject = call.object(subject, "subject", Kind.subject),
    let current = call.currentValue(of: subject)
  else { return nil }
  return call.handle(
    Binding(
      get: { .success(current.get()) }, set: { $0.set { value throws(StreamError) in current.set(value) } },
      changes: subject.publisher.publisher.outcomes, substitute: .endless))
}

@_cdecl("streams_observable_object_binding") @implementation
public func streams_observable_object_binding(
  _ object: OpaquePointer!, _ name: UnsafePointer<CChar>!
) -> OpaquePointer! {
  let call = Call("streams_observable_object_binding")
  return call.object(object, "object", Kind.observableObject).flatMap { object in
    call.published(name, of: object).flatMap { published in
      let subject = published.subject
      return call.handle(
        Binding(
          get: { withExtendedLifetime(object) { .success(subject.value) } },
          set: { $0.set { value throws(StreamError) in subject.send(value) } }, at: subject.didChange,
          substitute: .endless))
    }
  }
}

@_cdecl("streams_binding_get_value") @implementation
public func streams_binding_get_value(
  _ binding: OpaquePointer!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_binding_get_value")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  out.initialize(to: streams_value())
  return call.with(UnsafeRawPointer(binding), "binding", Kind.binding) { object in
    guard call.hasStack else { return STREAMS_LIMIT }
    object.noteReading()
    return call.store(object.binding.wrappedValue, out)
  }
}

@_cdecl("streams_binding_set_value") @implementation
public func streams_binding_set_value(
  _ binding: OpaquePointer!, _ value: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_binding_set_value")
  return call.with(UnsafeRawPointer(binding), "binding", Kind.binding) { object in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let adopted = call.adopt(value, "value") else { return streams_last_status() }
    return call.set(object, to: adopted)
  }
}

@_cdecl("streams_binding_values") @implementation
public func streams_binding_values(_ binding: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_binding_values")
  return call.object(binding, "binding", Kind.binding).flatMap { object in
    call.publish(StackChecked(Deferred { object.binding.values.values.eraseToAnyPublisher() }))
  }
}

@_cdecl("streams_binding_property") @implementation
public func streams_binding_property(_ binding: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_binding_property")
  return Trampoline.through {
    guard let object = call.object(binding, "binding", Kind.binding), call.hasStack else { return nil }
    return call.handle(Property(object.binding))
  }
}

@_cdecl("streams_binding_map") @implementation
public func streams_binding_map(
  _ binding: OpaquePointer!, _ get: streams_transform_fn!, _ set: streams_combine_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_binding_map")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    guard let object = call.object(binding, "binding", Kind.binding),
      let get = call.required(get, "get"), let set = call.required(set, "set")
    else { return nil }
    return call.handle(over: object) {
      object.binding.map(
        get: { outcome in
          Result { () throws(StreamError) in try callback.transform(get, outcome.get()) }
        },
        set: { callback.combine(set, $0, $1) })
    }
  }
}

@_cdecl("streams_binding_part") @implementation
public func streams_binding_part(
  _ binding: OpaquePointer!, _ get: streams_transform_fn!, _ set: streams_combine_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_binding_part")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    guard let object = call.object(binding, "binding", Kind.binding),
      let get = call.required(get, "get"), let set = call.required(set, "set"), call.hasStack
    else { return nil }
    let read = { (whole: Outcome) in
      whole.flatMap { whole in
        Result { () throws(StreamError) in try callback.transform(get, whole) }
      }
    }
    let current = read(object.binding.wrappedValue)
    if case .failure(let error) = current {
      _ = call.fail(error)
      return nil
    }
    return call.handle(over: object) {
      object.binding.part(
        current,
        get: { whole in
          let part = read(whole)
          if case (.success, .failure) = (whole, part) { return nil }
          return part
        },
        set: { whole, part in
          let changed = callback.combine(set, whole, part)
          guard case .failure(let error) = changed else { return changed }
          BindingObject.note(error)
          return nil
        })
    }
  }
}

@_cdecl("streams_binding_element") @implementation
public func streams_binding_element(_ binding: OpaquePointer!, _ index: Int) -> OpaquePointer! {
  let call = Call("streams_binding_element")
  return Trampoline.through {
    guard let object = call.object(binding, "binding", Kind.binding), call.hasStack else { return nil }
    guard let current = object.binding.wrappedValue.item(at: index) else {
      return call.null(
        STREAMS_INVALID_ARGUMENT,
        "index is \(UInt(bitPattern: index)); the value is not a list with an item there")
    }
    if case .failure(let error) = current {
      _ = call.fail(error)
      return nil
    }
    return call.handle(over: object) {
      object.binding.part(
        current, get: { $0.item(at: index) }, set: { $0.replacingItem(at: index, by: $1) })
    }
  }
}

@_cdecl("streams_assign_to_binding") @implementation
public func streams_assign_to_binding(
  _ publisher: OpaquePointer!, _ binding: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_assign_to_binding")
  return call.run(publisher) { upstream in
    call.object(binding, "binding", Kind.binding).map { object in
      {
        let drops = Drops()
        return upstream.assigned { value in
          do throws(StreamError) { try object.set(value) } catch { drops.add(1) }
        }
      }
    }
  }
}

extension Callback {
  /// The whole with a new part.
  fileprivate func combine(_ set: streams_combine_fn, _ whole: Outcome, _ part: Outcome) -> Outcome {
    Result { () throws(StreamError) in try combine(set, whole.get(), part.get()) }
  }
}

extension Call {
  /// Sets a binding, or reports why it could not be set.
  func set(_ object: BindingObject, to value: Value) -> streams_status {
    do throws(StreamError) {
      try object.set(value)
      return STREAMS_OK
    } catch {
      return fail(error)
    }
  }

  fileprivate func handle(_ binding: Binding<Outcome>, depth: Int = 0) -> OpaquePointer? {
    handle(BindingObject(binding, depth: depth), Kind.binding)
  }

  /// Makes a handle of the binding that `derive` makes.
  fileprivate func handle(over object: BindingObject, _ derive: () -> Binding<Outcome>) -> OpaquePointer? {
    if object.depth < BindingObject.greatestDepth { return handle(derive(), depth: object.depth + 1) }
    return null(STREAMS_LIMIT, "binding is derived over \(object.depth) others already")
  }

  /// A binding of a callback's two functions. Without `changes` it reports only values that are set through it.
  fileprivate func bind(
    _ get: streams_get_value_fn?, _ set: streams_set_value_fn?, _ callback: Callback,
    _ changes: ValuePublisher?
  ) -> OpaquePointer? {
    guard let get = required(get, "get"), let set = required(set, "set") else { return nil }
    let read = { Result { () throws(StreamError) in try callback.produce { get($0, $1) } } }
    let write = { (value: Value) throws(StreamError) in
      try UserCallback.call { withUnsafePointer(to: value) { set(callback.context, $0.asC) } }
    }
    if let changes {
      return handle(
        Binding(get: read, set: { $0.set(write) }, changes: changes.outcomes, substitute: .endless))
    }
    let isSet = ObservableObjectPublisher()
    let assign = { (value: Value) throws(StreamError) in
      try write(value)
      isSet.send()
    }
    return handle(Binding(get: read, set: { $0.set(assign) }, at: isSet, substitute: .endless))
  }
}
