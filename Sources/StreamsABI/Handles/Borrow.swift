import CStreams
import Streams
import StreamsShims

/// An argument's name in messages, with its index in an array.
struct Argument: ExpressibleByStringLiteral, CustomStringConvertible {
  private let name: StaticString
  private var place: Int?

  init(stringLiteral name: StaticString) { self.name = name }

  /// An element of an array.
  subscript(place: Int) -> Argument {
    var element = self
    element.place = place
    return element
  }

  var description: String { place.map { "\(name)[\($0)]" } ?? "\(name)" }
}

/// The exported function that is being called, for the last error.
struct Call {
  let function: StaticString

  init(_ function: StaticString) { self.function = function }

  /// Sets the thread's last error to a failure of this call.
  @inline(never)
  func fail(_ status: streams_status, _ message: @autoclosure () -> String) -> streams_status {
    LastError.set(status, function, message())
    return status
  }

  /// Sets the thread's last error to the failure of a callback.
  @inline(never)
  func fail(_ error: StreamError) -> streams_status {
    LastError.set(error, function)
    return STREAMS_CALLBACK_FAILED
  }

  /// Reports what is wrong with a handle that could not be acquired.
  @inline(never)
  func refuse(_ token: Token?, _ argument: Argument) -> streams_status {
    guard let token else { return fail(STREAMS_NULL_HANDLE, "\(argument) is NULL") }
    if HandleTable.isLive(token) {
      return fail(STREAMS_LIMIT, "\(argument) is being used 65535 times at once, each from within the last")
    }
    return fail(
      STREAMS_STALE_HANDLE,
      "\(argument) has been released or consumed, or is not a handle at all")
  }

  @inline(never)
  func refuseKind(_ kind: UInt8, _ argument: Argument, expected: UInt8) -> streams_status {
    fail(
      STREAMS_WRONG_KIND,
      "\(argument) is a handle of the kind \(Kind.name(kind)), not \(Kind.name(expected))"
        + Kind.remedy(kind, expected: expected))
  }
}

extension Call {
  /// Runs `body` with the object behind a handle, and keeps the object during that.
  @inline(__always)
  func with<Object>(
    _ handle: UnsafeRawPointer?, _ argument: Argument, _ kind: HandleKind<Object>,
    _ body: (Object) -> streams_status
  ) -> streams_status {
    guard let token = Token(handle), let slot = HandleTable.acquire(token) else {
      return refuse(Token(handle), argument)
    }
    guard token.kind == kind.code else {
      HandleTable.release(slot)
      return refuseKind(token.kind, argument, expected: kind.code)
    }
    return Trampoline.enter {
      let status = Unmanaged<Object>.fromOpaque(slot.pointee.object.unsafelyUnwrapped)
        ._withUnsafeGuaranteedRef(body)
      HandleTable.release(slot)
      return status
    }
  }

  /// The object behind a handle, or nil with the last error set.
  func object<Object>(
    _ handle: OpaquePointer?, _ argument: Argument, _ kind: HandleKind<Object>
  ) -> Object? {
    var found: Object?
    _ = with(UnsafeRawPointer(handle), argument, kind) { object in
      found = object
      return STREAMS_OK
    }
    return found
  }

  /// Makes a handle with one reference for an object, or returns nil with the last error set.
  func handle<Object>(
    _ object: consuming Object, _ kind: HandleKind<Object>, usedBy shortcut: UnsafeRawPointer? = nil
  ) -> OpaquePointer? {
    let token = HandleTable.insert(consume object, kind: kind.code, isLent: false, usedBy: shortcut)
    if let token { return token.handle }
    _ = fail(STREAMS_LIMIT, "there are too many live handles, or there is no memory for one more")
    return nil
  }

  /// Lends `body` a handle. Afterwards the handle lives only as long as references that were added.
  func lending<Object>(
    _ object: Object, _ kind: HandleKind<Object>, _ body: (OpaquePointer?) -> Void
  ) {
    let token = HandleTable.insert(object, kind: kind.code, isLent: true)
    body(token?.handle)
    if let token { HandleTable.takeBack(token) }
  }

  /// Lends the object to a callback. Throws its failure.
  func lending<Object>(
    _ object: Object, _ kind: HandleKind<Object>, to callback: (OpaquePointer) -> streams_status
  ) throws(StreamError) {
    var failure: StreamError?
    lending(object, kind) { handle in
      do throws(StreamError) {
        try UserCallback.call { handle.map(callback) ?? STREAMS_LIMIT }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Calls `body` with the end of a stream: the lent handle of the error, or nil. A failure is never reported as a finish.
  func lending(
    _ completion: Subscribers.Completion<StreamError>, _ body: (OpaquePointer?) -> Void
  ) {
    switch completion {
    case .finished: body(nil)
    case .failure(let error):
      lending(error, Kind.error) { handle in body(handle ?? HandleTable.errorInReserve.handle) }
    }
  }

  func release(_ handle: UnsafeRawPointer?) -> streams_status {
    guard let token = Token(handle) else { return refuse(nil, "handle") }
    Gathering.deliverFirst()
    switch token.kind {
    case Kind.scheduler.code: return release(token, Kind.scheduler) { $0.clock.close() }
    case Kind.scopeTree.code: return release(token, Kind.scopeTree) { $0.close() }
    default: return giveUp(token)
    }
  }

  /// Releases a reference. With the last one the object is closed, even while a call still uses it: a scheduler forgets its
  /// waiting actions, a tree runs no body any more.
  private func release<Object>(
    _ token: Token, _ kind: HandleKind<Object>, _ close: (Object) -> Void
  ) -> streams_status {
    guard let slot = HandleTable.acquire(token) else { return giveUp(token) }
    let status = giveUp(token)
    if status == STREAMS_OK, !HandleTable.isLive(token), let object = slot.pointee.object {
      let object = Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
      UserCallback.releasing { close(object) }
    }
    HandleTable.release(slot)
    return status
  }

  private func giveUp(_ token: Token) -> streams_status {
    if HandleTable.giveUp(token) == .made { return STREAMS_OK }
    guard HandleTable.isLive(token) else { return refuse(token, "handle") }
    return fail(STREAMS_STALE_HANDLE, "handle is only borrowed: there is no reference of yours to give up")
  }
}

extension Kind {
  static let error = HandleKind<StreamError>(STREAMS_KIND_ERROR)
}

extension Call {
  /// False, with the last error set, where the stack is too low to start anything that could call back.
  @inline(__always)
  var hasStack: Bool { !streams_stack_is_low() || refuseDepth() }

  @inline(never)
  private func refuseDepth() -> Bool {
    _ = fail(STREAMS_LIMIT, "calls are nested too deep for what is left of this thread's stack")
    return false
  }
}
