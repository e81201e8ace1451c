import CStreams
import Streams
import Synchronization

/// The promise behind a handle.
final class PromiseObject {
  let future: ValuePublisher
  private let promise: Future<Value, StreamError>.Promise
  private let isKept = Atomic(false)

  init() {
    var promise: Future<Value, StreamError>.Promise?
    future = Future { promise = $0 }.eraseToAnyPublisher()
    self.promise = promise.unsafelyUnwrapped
  }

  /// Returns false if the promise has been kept already.
  func keep(_ result: Result<Value, StreamError>) -> Bool {
    if isKept.exchange(true, ordering: .relaxed) { return false }
    promise(result)
    return true
  }
}

@_cdecl("streams_promise_create") @implementation
public func streams_promise_create() -> OpaquePointer! {
  Call("streams_promise_create").handle(PromiseObject(), Kind.promise)
}

@_cdecl("streams_promise_publisher") @implementation
public func streams_promise_publisher(_ promise: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_promise_publisher")
  return call.object(promise, "promise", Kind.promise).flatMap { call.publish($0.future) }
}

@_cdecl("streams_promise_resolve") @implementation
public func streams_promise_resolve(
  _ promise: OpaquePointer!, _ value: UnsafePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_promise_resolve")
  return call.keep(promise) { call.adopt(value, "value").map { .success($0) } }
}

@_cdecl("streams_promise_reject") @implementation
public func streams_promise_reject(_ promise: OpaquePointer!, _ error: OpaquePointer!) -> streams_status {
  let call = Call("streams_promise_reject")
  return call.keep(promise) { call.object(error, "error", Kind.error).map { .failure($0) } }
}

extension Call {
  fileprivate func keep(
    _ promise: OpaquePointer?, _ result: () -> Result<Value, StreamError>?
  ) -> streams_status {
    with(UnsafeRawPointer(promise), "promise", Kind.promise) { promise in
      guard hasStack else { return STREAMS_LIMIT }
      guard let result = result() else { return streams_last_status() }
      return promise.keep(result) ? STREAMS_OK : fail(STREAMS_TERMINATED, "promise has been kept already")
    }
  }
}

extension Kind {
  static let promise = HandleKind<PromiseObject>(STREAMS_KIND_PROMISE)
}
