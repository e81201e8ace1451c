import CStreams
import StreamsShims

// What a host calls, one of each for each of the first hosts, as with the send methods.
private let getters: [streams_method_fn] = [
  { object, _ in getter(1, object) }, { object, _ in getter(2, object) }, { object, _ in getter(3, object) },
  { object, _ in getter(4, object) }, { object, _ in getter(5, object) }, { object, _ in getter(6, object) },
  { object, _ in getter(7, object) }, { object, _ in getter(8, object) },
]
private let setters: [streams_setter_fn] = [
  { object, new, _ in setter(1, object, new) }, { object, new, _ in setter(2, object, new) },
  { object, new, _ in setter(3, object, new) }, { object, new, _ in setter(4, object, new) },
  { object, new, _ in setter(5, object, new) }, { object, new, _ in setter(6, object, new) },
  { object, new, _ in setter(7, object, new) }, { object, new, _ in setter(8, object, new) },
]

@_cdecl("streams_host_value_getter") @implementation
public func streams_host_value_getter(
  _ host: UInt32, _ raise: UnsafeMutableRawPointer!, _ offset: Int
) -> streams_method_fn! {
  Call("streams_host_value_getter").method(of: getters, host, raise, offset)
}

@_cdecl("streams_host_value_setter") @implementation
public func streams_host_value_setter(
  _ host: UInt32, _ raise: UnsafeMutableRawPointer!, _ offset: Int
) -> streams_setter_fn! {
  Call("streams_host_value_setter").method(of: setters, host, raise, offset)
}

@inline(__always)
private func getter(_ id: UInt32, _ self: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let host = Host.find(id), let self else { return nil }
  return host._withUnsafeGuaranteedRef { $0.value(of: self) }
}

@inline(__always)
private func setter(
  _ id: UInt32, _ self: UnsafeMutableRawPointer?, _ new: UnsafeMutableRawPointer?
) -> Int32 {
  guard let host = Host.find(id), let self else { return -1 }
  return host._withUnsafeGuaranteedRef { $0.set(new, of: self) }
}

// All with the host's lock held by the caller.
extension Host {
  @inline(__always)
  fileprivate func value(of object: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    guard let number = handleNumber(in: object) else { return nil }
    let call = Call("streams_host_value_getter")
    var found: UnsafeMutableRawPointer?
    var status = STREAMS_OK
    let hasEscaped = calledByHost {
      status = call.withCurrentValue(OpaquePointer(bitPattern: Int(number))) { current in
        makeObject(of: current.get(), &found, call)
      }
    }
    guard hasEscaped || status != STREAMS_OK else { return found }
    if let found { release(found) }
    return raise(status)
  }

  /// Makes an object of a value; without one, and with nothing wrong otherwise, the host has an error pending.
  @inline(__always)
  private func makeObject(
    of value: Value, _ object: inout UnsafeMutableRawPointer?, _ call: Call
  ) -> streams_status {
    withUnsafePointer(to: value) { value in
      do throws(ConversionFailure) {
        object = try self.object(value)
        return STREAMS_OK
      } catch {
        if case .raised = error { return STREAMS_OK }
        return call.fail(error.status, "the value cannot be an object of \(name)")
      }
    }
  }

  @inline(__always)
  fileprivate func set(_ new: UnsafeMutableRawPointer?, of object: UnsafeMutableRawPointer) -> Int32 {
    guard let number = handleNumber(in: object) else { return -1 }
    let call = Call("streams_host_value_setter")
    var status = STREAMS_OK
    let hasEscaped = calledByHost {
      status = call.withCurrentValue(OpaquePointer(bitPattern: Int(number))) { current in
        guard call.hasStack else { return STREAMS_LIMIT }
        guard !retired else { return call.retired(self) }
        guard let new else { return call.fail(STREAMS_NULL_ARGUMENT, "value is NULL") }
        current.set(value(retaining: new))
        return STREAMS_OK
      }
    }
    guard hasEscaped || status != STREAMS_OK else { return 0 }
    guard let result = raise(status) else { return -1 }
    release(result)
    return 0
  }
}
