import CStreams
import Glibc
import StreamsShims

/// What a thread remembers for its caller: the last error, and the error that the running callback named.
final class ThreadState {
  var status = STREAMS_OK
  var function: UnsafePointer<CChar> = ThreadState.empty
  var message: UnsafeMutablePointer<CChar>?
  /// The error of `streams_callback_fail`, until the callback returns.
  var callbackError: StreamError? {
    get { named }
    set {
      let replaced = named
      named = newValue
      names += 1
      streams_set_named_error(newValue == nil ? 0 : names)
      // Released last, for that may run foreign code.
      withExtendedLifetime(replaced) {}
    }
  }
  private var named: StreamError?
  private var names: UInt64 = 0

  deinit { free(message) }

  func takeCallbackError() -> StreamError? {
    defer { callbackError = nil }
    return callbackError
  }

  static var empty: UnsafePointer<CChar> { StaticString("").cString }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { Unmanaged<ThreadState>.fromOpaque($0!).release() }
    return key
  }()

  static var current: ThreadState {
    if let state = existing { return state }
    let state = ThreadState()
    pthread_setspecific(key, Unmanaged.passRetained(state).toOpaque())
    return state
  }

  /// The thread's state, if anything has been remembered.
  static var existing: ThreadState? {
    pthread_getspecific(key).map { Unmanaged<ThreadState>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension StaticString {
  /// The text as C reads it; it lives as long as the library.
  var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

enum LastError {
  static func set(_ status: streams_status, _ function: StaticString, _ message: String) {
    let state = ThreadState.current
    state.status = status
    state.function = function.cString
    free(state.message)
    state.message = strdup(message)
  }
}

@_cdecl("streams_last_status") @implementation
public func streams_last_status() -> streams_status { ThreadState.existing?.status ?? STREAMS_OK }

@_cdecl("streams_last_function") @implementation
public func streams_last_function() -> UnsafePointer<CChar>! {
  ThreadState.existing?.function ?? ThreadState.empty
}

@_cdecl("streams_last_message") @implementation
public func streams_last_message() -> UnsafePointer<CChar>! {
  ThreadState.existing?.message.map { UnsafePointer($0) } ?? ThreadState.empty
}

@_cdecl("streams_clear_last_error") @implementation
public func streams_clear_last_error() {
  guard let state = ThreadState.existing else { return }
  state.status = STREAMS_OK
  state.function = ThreadState.empty
  free(state.message)
  state.message = nil
}
