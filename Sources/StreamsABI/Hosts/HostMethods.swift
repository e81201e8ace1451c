import CStreams
import StreamsShims

/// The send methods of the first hosts, one for each, because a method's arguments do not tell which host calls it.
private let sendMethods: [streams_method_fn] = [
  { sendMethod(1, $0, $1) }, { sendMethod(2, $0, $1) }, { sendMethod(3, $0, $1) }, { sendMethod(4, $0, $1) },
  { sendMethod(5, $0, $1) }, { sendMethod(6, $0, $1) }, { sendMethod(7, $0, $1) }, { sendMethod(8, $0, $1) },
]

@_cdecl("streams_host_send_method") @implementation
public func streams_host_send_method(
  _ host: UInt32, _ raise: UnsafeMutableRawPointer!, _ offset: Int
) -> streams_method_fn! {
  Call("streams_host_send_method").method(of: sendMethods, host, raise, offset)
}

private let closeMethods: [streams_method_fn] = [
  { closeMethod(1, $0, $1) }, { closeMethod(2, $0, $1) }, { closeMethod(3, $0, $1) },
  { closeMethod(4, $0, $1) }, { closeMethod(5, $0, $1) }, { closeMethod(6, $0, $1) },
  { closeMethod(7, $0, $1) }, { closeMethod(8, $0, $1) },
]

@_cdecl("streams_host_close_method") @implementation
public func streams_host_close_method(
  _ host: UInt32, _ raise: UnsafeMutableRawPointer!, _ offset: Int
) -> streams_method_fn! {
  Call("streams_host_close_method").method(of: closeMethods, host, raise, offset)
}

extension Call {
  /// A host's method, of those for the first hosts.
  func method<Method>(
    of methods: [Method], _ host: UInt32, _ raise: UnsafeMutableRawPointer?, _ offset: Int
  ) -> Method? {
    guard let host = self.host(host), let raise = required(raise, "raise") else { return nil }
    return method(of: methods, host, offset) {
      let previous = host.raise
      (host.raise, host.handleOffset) = (Callable(host, raise), offset)
      withExtendedLifetime(previous) {}
    }
  }

  /// A host's method, of those for the first hosts. First runs `note` with the lock held.
  func method<Method>(of methods: [Method], _ host: Host, _ offset: Int, _ note: () -> Void) -> Method? {
    guard host.id <= UInt32(methods.count) else {
      _ = fail(STREAMS_LIMIT, "only the first \(methods.count) hosts have methods")
      return nil
    }
    guard offset >= 0 else {
      _ = fail(STREAMS_INVALID_ARGUMENT, "offset is \(offset)")
      return nil
    }
    guard host.entered(note) != nil else {
      _ = refuse(host)
      return nil
    }
    return methods[Int(host.id) - 1]
  }
}

/// Sends an object. The caller holds the host's lock.
@inline(__always)
private func sendMethod(
  _ id: UInt32, _ self: UnsafeMutableRawPointer?, _ object: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  guard let host = Host.find(id), let self else { return nil }
  return host._withUnsafeGuaranteedRef { $0.send(object, to: self) }
}

/// Releases the handle in an object. The caller holds the host's lock.
@inline(__always)
private func closeMethod(
  _ id: UInt32, _ self: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  guard let host = Host.find(id), let self else { return nil }
  return host._withUnsafeGuaranteedRef { $0.close(self) }
}

extension Host {
  /// The handle in a host's object: 0 if there is none; nil, with an error pending, if it is not an integer.
  @inline(__always)
  func handleNumber(in self: UnsafeMutableRawPointer) -> Int64? {
    let handle = (self + handleOffset).load(as: UnsafeMutableRawPointer?.self)
    let number = handle.map { table.to_int64($0) } ?? 0
    return number == -1 ? nil : number
  }

  @inline(__always)
  fileprivate func send(
    _ object: UnsafeMutableRawPointer?, to self: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    guard let number = handleNumber(in: self) else { return nil }
    guard let object, number != 0, !retired, !streams_stack_is_low(),
      let token = Token(UnsafeRawPointer(bitPattern: Int(number))), token.kind == Kind.subject.code,
      let slot = HandleTable.acquire(token)
    else { return raise(refusal(of: object, number)) }
    Gathering.deliverFirst()
    let hasEscaped = calledByHost {
      Trampoline.through {
        _ = Unmanaged<SubjectObject>.fromOpaque(slot.pointee.object!)._withUnsafeGuaranteedRef { subject in
          withValue(borrowing: object) { subject.send(UnsafeBufferPointer(start: $0, count: 1)) }
        }
        HandleTable.release(slot)
      }
    }
    if hasEscaped { return raise(STREAMS_OK) }
    table.retain(table.null_object)
    return table.null_object
  }

  @inline(__always)
  fileprivate func close(_ self: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    guard let number = handleNumber(in: self) else { return nil }
    var hasEscaped = false
    if number != 0 {
      guard let nothing = table.from_int64(0) else { return nil }
      let place = (self + handleOffset).assumingMemoryBound(to: UnsafeMutableRawPointer.self)
      let taken = place.pointee
      place.pointee = nothing
      let release = { _ = streams_release(UnsafeRawPointer(bitPattern: Int(number))) }
      if retired { release() } else { hasEscaped = calledByHost(release) }
      table.release(taken)
    }
    if hasEscaped { return raise(STREAMS_OK) }
    table.retain(table.null_object)
    return table.null_object
  }

  /// Runs a call from the host, and returns whether an error has escaped during it. The host called on this thread, so the thread
  /// holds the lock: nothing within needs to take it.
  @inline(__always)
  func calledByHost(_ body: () -> Void) -> Bool {
    let outer = mark()
    let hadEscaped = streams_has_escaped()
    streams_set_escaped(false)
    body()
    unmark(outer)
    let hasEscaped = streams_has_escaped()
    streams_set_escaped(hadEscaped)
    return hasEscaped
  }

  /// Reports why an object cannot be sent to the subject with this handle.
  @inline(never)
  private func refusal(of object: UnsafeMutableRawPointer?, _ number: Int64) -> streams_status {
    let call = Call("streams_host_send_method")
    if retired { return call.retired(self) }
    return call.with(UnsafeRawPointer(bitPattern: Int(number)), "subject", Kind.subject) { _ in
      call.hasStack ? call.fail(STREAMS_NULL_ARGUMENT, "argument is NULL") : STREAMS_LIMIT
    }
  }

  /// Raises an error for a status in the host.
  @inline(never)
  func raise(_ status: streams_status) -> UnsafeMutableRawPointer? {
    guard let raise, let argument = table.from_int64(Int64(status.rawValue)) else { return nil }
    defer { table.release(argument) }
    return self.call(raise.function, argument)
  }
}
