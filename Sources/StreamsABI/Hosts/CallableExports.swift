import CStreams

@_cdecl("streams_callable_create") @implementation
public func streams_callable_create(_ host: UInt32, _ function: UnsafeMutableRawPointer!) -> OpaquePointer! {
  let call = Call("streams_callable_create")
  guard let host = call.host(host), let function = call.required(function, "function") else { return nil }
  return host.entered { call.handle(Callable(host, function), Kind.callable) } ?? call.refuse(host)
}

@_cdecl("streams_callable_destroy") @implementation
public func streams_callable_destroy(_ callable: UnsafeMutableRawPointer!) {
  guard let callable else { return }
  let call = Call("streams_callable_destroy")
  guard call.object(OpaquePointer(callable), "callable", Kind.callable) != nil else { return }
  _ = call.release(UnsafeRawPointer(callable))
}

@_cdecl("streams_callable_transform") @implementation
public func streams_callable_transform(
  _ callable: UnsafeMutableRawPointer!, _ in: UnsafePointer<streams_value>!,
  _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_callable_transform")
  guard call.isPresent(`in`, "in"), call.isPresent(out, "out") else { return streams_last_status() }
  return call.run(callable, `in`, "in") { callable, value in
    guard let result = callable.call(value) else { return STREAMS_CALLBACK_FAILED }
    out.store(callable.host.value(taking: result))
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_transform_batch") @implementation
public func streams_callable_transform_batch(
  _ callable: UnsafeMutableRawPointer!, _ in: UnsafePointer<streams_value>!,
  _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_callable_transform_batch")
  guard call.isPresent(`in`, "in"), call.isPresent(out, "out") else { return streams_last_status() }
  return call.run(callable, `in`, "in") { callable, batch in
    guard batch.pointee.isArray || batch.pointee.kind == STREAMS_VALUE_LIST.rawValue else {
      return call.fail(STREAMS_INVALID_VALUE, "in is neither an array nor a list")
    }
    guard let result = callable.call(batch: batch) else { return STREAMS_CALLBACK_FAILED }
    out.store(result)
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_get_value") @implementation
public func streams_callable_get_value(
  _ callable: UnsafeMutableRawPointer!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_callable_get_value")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  return call.run(callable) { callable in
    guard let result = callable.call(UnsafeBufferPointer(start: nil, count: 0)) else {
      return STREAMS_CALLBACK_FAILED
    }
    out.store(callable.host.value(taking: result))
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_set_value") @implementation
public func streams_callable_set_value(
  _ callable: UnsafeMutableRawPointer!, _ value: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_callable_set_value")
  guard call.isPresent(value, "value") else { return streams_last_status() }
  return call.run(callable, value, "value") { callable, value in
    guard let result = callable.call(value) else { return STREAMS_CALLBACK_FAILED }
    callable.host.release(result)
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_body") @implementation
public func streams_callable_body(
  _ callable: UnsafeMutableRawPointer!, _ scope: OpaquePointer!, _ input: UnsafePointer<streams_value>!,
  _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_callable_body")
  guard call.isPresent(input, "input"), call.isPresent(out, "out"),
    call.object(scope, "scope", Kind.scope) != nil
  else { return streams_last_status() }
  return call.run(callable, input, "input") { callable, input in
    let number = Value(Int64(Int(bitPattern: scope)))
    guard let result = withUnsafePointer(to: number, { callable.call($0, input) }) else {
      return STREAMS_CALLBACK_FAILED
    }
    out.store(callable.host.value(taking: result))
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_predicate") @implementation
public func streams_callable_predicate(
  _ callable: UnsafeMutableRawPointer!, _ in: UnsafePointer<streams_value>!,
  _ result: UnsafeMutablePointer<Bool>!
) -> streams_status {
  let call = Call("streams_callable_predicate")
  guard call.isPresent(`in`, "in"), call.isPresent(result, "result") else { return streams_last_status() }
  return call.run(callable, `in`, "in") { callable, value in
    guard let object = callable.call(value), let isTrue = callable.isTrue(releasing: object) else {
      return STREAMS_CALLBACK_FAILED
    }
    result.pointee = isTrue
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_compare") @implementation
public func streams_callable_compare(
  _ callable: UnsafeMutableRawPointer!, _ previous: UnsafePointer<streams_value>!,
  _ current: UnsafePointer<streams_value>!, _ same: UnsafeMutablePointer<Bool>!
) -> streams_status {
  let call = Call("streams_callable_compare")
  guard call.isPresent(previous, "previous"), call.isPresent(current, "current"), call.isPresent(same, "same")
  else { return streams_last_status() }
  return call.run(callable, previous, "previous", current, "current") { callable, previous, current in
    guard let object = callable.call(previous, current),
      let isTrue = callable.isTrue(releasing: object)
    else { return STREAMS_CALLBACK_FAILED }
    same.pointee = isTrue
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_order") @implementation
public func streams_callable_order(
  _ callable: UnsafeMutableRawPointer!, _ first: UnsafePointer<streams_value>!,
  _ second: UnsafePointer<streams_value>!, _ is_before: UnsafeMutablePointer<Bool>!
) -> streams_status {
  let call = Call("streams_callable_order")
  guard call.isPresent(first, "first"), call.isPresent(second, "second"),
    call.isPresent(is_before, "is_before")
  else { return streams_last_status() }
  return call.run(callable, first, "first", second, "second") { callable, first, second in
    guard let object = callable.call(first, second),
      let isTrue = callable.isTrue(releasing: object)
    else { return STREAMS_CALLBACK_FAILED }
    is_before.pointee = isTrue
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_combine") @implementation
public func streams_callable_combine(
  _ callable: UnsafeMutableRawPointer!, _ accumulated: UnsafePointer<streams_value>!,
  _ in: UnsafePointer<streams_value>!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_callable_combine")
  guard call.isPresent(accumulated, "accumulated"), call.isPresent(`in`, "in"), call.isPresent(out, "out")
  else { return streams_last_status() }
  return call.run(callable, accumulated, "accumulated", `in`, "in") { callable, accumulated, value in
    guard let result = callable.call(accumulated, value) else {
      return STREAMS_CALLBACK_FAILED
    }
    out.store(callable.host.value(taking: result))
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_combine_values") @implementation
public func streams_callable_combine_values(
  _ callable: UnsafeMutableRawPointer!, _ values: UnsafePointer<streams_value>!, _ count: Int,
  _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_callable_combine_values")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  return call.withReadyValues(values, count, "values") { values in
    call.run(callable) { callable in
      guard let result = callable.call(values) else { return STREAMS_CALLBACK_FAILED }
      out.store(callable.host.value(taking: result))
      return STREAMS_OK
    }
  }
}

@_cdecl("streams_callable_expand") @implementation
public func streams_callable_expand(
  _ callable: UnsafeMutableRawPointer!, _ in: UnsafePointer<streams_value>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> streams_status {
  Call("streams_callable_expand").run(callable, `in`, making: out)
}

@_cdecl("streams_callable_expand_property") @implementation
public func streams_callable_expand_property(
  _ callable: UnsafeMutableRawPointer!, _ in: UnsafePointer<streams_value>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> streams_status {
  Call("streams_callable_expand_property").run(callable, `in`, making: out)
}

@_cdecl("streams_callable_recover") @implementation
public func streams_callable_recover(
  _ callable: UnsafeMutableRawPointer!, _ error: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> streams_status {
  Call("streams_callable_recover").run(callable, error: error, out)
}

@_cdecl("streams_callable_transform_error") @implementation
public func streams_callable_transform_error(
  _ callable: UnsafeMutableRawPointer!, _ error: OpaquePointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> streams_status {
  Call("streams_callable_transform_error").run(callable, error: error, out)
}

@_cdecl("streams_callable_make_publisher") @implementation
public func streams_callable_make_publisher(
  _ callable: UnsafeMutableRawPointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> streams_status {
  Call("streams_callable_make_publisher").run(callable, making: out)
}

@_cdecl("streams_callable_make_error") @implementation
public func streams_callable_make_error(
  _ callable: UnsafeMutableRawPointer!, _ out: UnsafeMutablePointer<OpaquePointer?>!
) -> streams_status {
  Call("streams_callable_make_error").run(callable, making: out)
}

@_cdecl("streams_callable_error_predicate") @implementation
public func streams_callable_error_predicate(
  _ callable: UnsafeMutableRawPointer!, _ error: OpaquePointer!, _ result: UnsafeMutablePointer<Bool>!
) -> streams_status {
  let call = Call("streams_callable_error_predicate")
  guard call.isPresent(result, "result") else { return streams_last_status() }
  return call.run(callable, error: error) { callable, object in
    guard let isTrue = callable.isTrue(releasing: object) else { return STREAMS_CALLBACK_FAILED }
    result.pointee = isTrue
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_write") @implementation
public func streams_callable_write(
  _ callable: UnsafeMutableRawPointer!, _ text: UnsafePointer<CChar>!, _ length: Int
) {
  let call = Call("streams_callable_write")
  guard call.isPlausible(length, text != nil, "text") else { return }
  _ = call.run(callable) { callable in
    let host = callable.host
    guard let string = host.calling({ host.table.from_text(text, length) }) else {
      host.report(callable.function)
      return STREAMS_CALLBACK_FAILED
    }
    defer { host.release(string) }
    callable.callReporting(string)
    return STREAMS_OK
  }
}

@_cdecl("streams_callable_action") @implementation
public func streams_callable_action(_ callable: UnsafeMutableRawPointer!) {
  _ = Call("streams_callable_action").run(callable) { callable in
    callable.callReporting(callable.host.table.null_object)
    return STREAMS_OK
  }
}

extension Call {
  func isPresent(_ pointer: UnsafeRawPointer?, _ argument: StaticString) -> Bool {
    if pointer == nil { _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL") }
    return pointer != nil
  }

  /// Empties a struct that begins with its size.
  func empties<Table>(_ out: UnsafeMutablePointer<Table>?, _ empty: Table) -> Bool {
    guard isPresent(out, "out"), let out else { return false }
    out.initialize(to: empty)
    UnsafeMutableRawPointer(out).storeBytes(of: MemoryLayout<Table>.size, as: Int.self)
    return true
  }

  /// Runs `body` with the callable behind a handle and its host's lock held.
  @inline(__always)
  fileprivate func run(
    _ callable: UnsafeMutableRawPointer?, _ body: (Callable) -> streams_status
  ) -> streams_status {
    with(UnsafeRawPointer(callable), "callable", Kind.callable) { callable in
      if let status = callable.host.entered({ body(callable) }) { return status }
      ThreadState.current.callbackError = callable.host.retiredError
      return STREAMS_TERMINATED
    }
  }

  /// Runs `body` with the callable and a value, which is checked because any program may call this.
  @inline(__always)
  fileprivate func run(
    _ callable: UnsafeMutableRawPointer?, _ value: UnsafePointer<streams_value>, _ argument: StaticString,
    _ body: (Callable, UnsafePointer<Value>) -> streams_status
  ) -> streams_status {
    withReadyValues(value, 1, argument) { values in
      run(callable) { body($0, values.baseAddress.unsafelyUnwrapped) }
    }
  }

  fileprivate func run(
    _ callable: UnsafeMutableRawPointer?, _ first: UnsafePointer<streams_value>,
    _ firstArgument: StaticString,
    _ second: UnsafePointer<streams_value>, _ secondArgument: StaticString,
    _ body: (Callable, UnsafePointer<Value>, UnsafePointer<Value>) -> streams_status
  ) -> streams_status {
    withReadyValues(first, 1, firstArgument) { first in
      run(callable, second, secondArgument) { body($0, first.baseAddress.unsafelyUnwrapped, $1) }
    }
  }

  /// Calls the callable with a value, and stores the resulting handle in `out`.
  fileprivate func run(
    _ callable: UnsafeMutableRawPointer?, _ value: UnsafePointer<streams_value>?,
    making out: UnsafeMutablePointer<OpaquePointer?>?
  ) -> streams_status {
    guard let value = required(value, "in"), let out = required(out, "out") else {
      return streams_last_status()
    }
    return run(callable, value, "in") { callable, value in
      guard let object = callable.call(value), let handle = callable.handle(releasing: object) else {
        return STREAMS_CALLBACK_FAILED
      }
      out.pointee = handle
      return STREAMS_OK
    }
  }

  /// Calls the callable with null, and stores the resulting handle in `out`.
  fileprivate func run(
    _ callable: UnsafeMutableRawPointer?, making out: UnsafeMutablePointer<OpaquePointer?>?
  ) -> streams_status {
    guard let out = required(out, "out") else { return streams_last_status() }
    return run(callable) { callable in
      guard let result = callable.callWithNothing(), let handle = callable.handle(releasing: result) else {
        return STREAMS_CALLBACK_FAILED
      }
      out.pointee = handle
      return STREAMS_OK
    }
  }

  /// Calls the callable with an error's handle, and stores the resulting handle in `out`.
  fileprivate func run(
    _ callable: UnsafeMutableRawPointer?, error: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
  ) -> streams_status {
    guard let out = required(out, "out") else { return streams_last_status() }
    return run(callable, error: error) { callable, object in
      guard let handle = callable.handle(releasing: object) else { return STREAMS_CALLBACK_FAILED }
      out.pointee = handle
      return STREAMS_OK
    }
  }

  /// Calls the callable with an error's handle, and passes the result to `body`.
  fileprivate func run(
    _ callable: UnsafeMutableRawPointer?, error: OpaquePointer?,
    _ body: (Callable, UnsafeMutableRawPointer) -> streams_status
  ) -> streams_status {
    guard object(error, "error", Kind.error) != nil else { return streams_last_status() }
    return run(callable) { callable in
      guard let result = callable.call(number: Int64(Int(bitPattern: error))) else {
        return STREAMS_CALLBACK_FAILED
      }
      return body(callable, result)
    }
  }

  /// The host with a number, or nil with the last error set.
  func host(_ id: UInt32) -> Host? {
    guard let host = Host.find(id)?.takeUnretainedValue() else {
      _ = fail(STREAMS_INVALID_ARGUMENT, "host is \(id), which is the number of no host")
      return nil
    }
    guard !host.retired else {
      _ = fail(STREAMS_TERMINATED, "the host \(host.name) is retired")
      return nil
    }
    return host
  }

  /// A host's functions, or nil with the last error set.
  func callables(
    _ id: UInt32, _ functions: (pointer: UnsafeMutableRawPointer?, name: StaticString)...
  ) -> [Callable]? {
    guard let host = host(id) else { return nil }
    for each in functions where required(each.pointer, each.name) == nil { return nil }
    let made = host.entered { functions.map { Callable(host, $0.pointer!) } }
    if made == nil { _ = retired(host) }
    return made
  }

  /// Reports that a host was retired before the call got its lock.
  func refuse(_ host: Host) -> OpaquePointer? {
    null(STREAMS_TERMINATED, "the host \(host.name) is retired")
  }
}
