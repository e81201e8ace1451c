import CStreams
import Glibc
import StreamsShims

/// What a thread remembers for its caller: the last error, and the error that the running callback named.
final class ThreadState {
  var status = STREAMS_OK
  var function: UnsafePointer<CChar> = ThreadState.empty
  var message: UnsafeMutablePointer<CChar>?
  /// With which a callback made the last call fail.
  var error: StreamError?
  /// How many calls set a binding, each within the last.
  var settings = 0
  /// With which a binding's function that sets has failed, until the call that has set returns.
  var settingError: StreamError?
  /// The error of `streams_callback_fail`, until the callback returns.
  var callbackError: StreamError? {
    get { named }
    set {
      let replaced = named
      named = newValue
      nameNote = newValue == nil ? 0 : note()
      // Released last, for that may run foreign code.
      withExtendedLifetime(replaced) {}
    }
  }
  private var named: StreamError?
  /// The number of the note that an error is named, 0 if none is.
  private var nameNote: UInt64 = 0
  private var notes: UInt64 = 0

  /// What frames below have left to the one that is the thread's ``Trampoline``.
  private var left: [() -> Void] = []

  deinit { free(message) }

  func leave(_ work: @escaping () -> Void) { left.append(work) }

  func takeLeft() -> [() -> Void] {
    defer { left = [] }
    return left
  }

  @discardableResult
  private func note() -> UInt64 {
    notes += 1
    streams_set_named_error(notes)
    return notes
  }

  /// Notes that a call has failed, for the callback that has made it: one within another call. That other one may be what
  /// has failed itself; then the outermost forgets it.
  func noteFailure() {
    guard Trampoline.hasOne else { return }
    note()
    streams_set_trampoline(Int32(STREAMS_TRAMPOLINE_WITH_WORK))
  }

  /// Forgets which calls have failed, where no callback is running that has made them.
  func forgetFailures() { streams_set_named_error(nameNote) }

  /// Forgets what a callback has noted. Returns the error, if it has named one. What was noted before it is left alone.
  func takeCallbackError(since before: UInt64) -> StreamError? {
    streams_set_named_error(before)
    guard nameNote > before else { return nil }
    nameNote = 0
    return named.take()
  }

  static var empty: UnsafePointer<CChar> { StaticString("").cString }

  /// By which the state is let go of when its thread ends.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) {
      streams_set_thread_state(nil)
      Unmanaged<ThreadState>.fromOpaque($0!).release()
    }
    return key
  }()

  static var current: ThreadState {
    if let state = existing { return state }
    let state = ThreadState()
    let kept = Unmanaged.passRetained(state).toOpaque()
    pthread_setspecific(key, kept)
    streams_set_thread_state(kept)
    return state
  }

  /// The thread's state, if anything has been remembered.
  static var existing: ThreadState? {
    streams_thread_state().map { Unmanaged<ThreadState>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension StaticString {
  /// The text as C reads it; it lives as long as the library.
  var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}

enum LastError {
  static func set(_ status: streams_status, _ function: StaticString, _ message: String) {
    set(status, function.cString, strdup(message))
    ThreadState.current.noteFailure()
  }

  static func set(_ error: StreamError, _ function: StaticString) {
    set(STREAMS_CALLBACK_FAILED, function.cString, strdup(error.message), error)
    ThreadState.current.noteFailure()
  }

  /// Without an allocation that could end the process.
  static func setOutOfMemory(_ function: StaticString, _ argument: StaticString) {
    guard ThreadState.existing != nil || streams_has_room(4096) else {
      return streams_set_exhausted(function.cString)
    }
    let message = streams_joined(argument.cString, " does not fit into memory")
    set(STREAMS_OUT_OF_MEMORY, function.cString, message)
    ThreadState.current.noteFailure()
  }

  /// With what a callback fails that returns the status of the last error; nil if it is another's.
  static func passedOn(_ status: streams_status) -> StreamError? {
    guard streams_last_status() == status else { return nil }
    if let error = ThreadState.existing?.error { return error }
    let words = "\(String(cString: streams_last_function())): \(String(cString: streams_last_message()))"
    return StreamError(code: Int64(status.rawValue), domain: "streams.callback", message: words)
  }

  /// Takes over the message.
  private static func set(
    _ status: streams_status, _ function: UnsafePointer<CChar>, _ message: UnsafeMutablePointer<CChar>?,
    _ error: StreamError? = nil
  ) {
    streams_set_exhausted(nil)
    let state = ThreadState.current
    state.status = status
    state.function = function
    free(state.message)
    state.message = message
    replace(&state.error, by: error)
  }

  /// What is replaced is released last, for that may run foreign code.
  private static func replace(_ error: inout StreamError?, by new: StreamError?) {
    let replaced = error
    error = new
    withExtendedLifetime(replaced) {}
  }

  /// Runs `body`, after which there is the same last error as before.
  static func keep(_ body: () -> Void) {
    let exhausted = streams_exhausted()
    if let state = ThreadState.existing, state.status != STREAMS_OK || exhausted != nil {
      return keep(state, exhausted, body)
    }
    body()
    clear()
    streams_set_exhausted(exhausted)
  }

  @inline(never)
  private static func keep(_ state: ThreadState, _ exhausted: UnsafePointer<CChar>?, _ body: () -> Void) {
    let (status, function, message, error) = (state.status, state.function, state.message, state.error)
    state.message = nil
    clear()
    body()
    set(status, function, message, error)
    streams_set_exhausted(exhausted)
  }

  static func clear() {
    streams_set_exhausted(nil)
    guard let state = ThreadState.existing else { return }
    state.status = STREAMS_OK
    state.function = ThreadState.empty
    if let message = state.message { free(message) }
    state.message = nil
    if state.error != nil { replace(&state.error, by: nil) }
  }
}

@_cdecl("streams_last_status") @implementation
public func streams_last_status() -> streams_status {
  streams_exhausted() == nil ? ThreadState.existing?.status ?? STREAMS_OK : STREAMS_OUT_OF_MEMORY
}

@_cdecl("streams_last_function") @implementation
public func streams_last_function() -> UnsafePointer<CChar>! {
  streams_exhausted() ?? ThreadState.existing?.function ?? ThreadState.empty
}

@_cdecl("streams_last_message") @implementation
public func streams_last_message() -> UnsafePointer<CChar>! {
  if streams_exhausted() == nil, let message = ThreadState.existing?.message { return UnsafePointer(message) }
  return streams_last_status() == STREAMS_OK
    ? ThreadState.empty : StaticString("there is no memory left").cString
}

@_cdecl("streams_last_error") @implementation
public func streams_last_error() -> OpaquePointer! {
  guard streams_exhausted() == nil, let error = ThreadState.existing?.error else { return nil }
  return HandleTable.insert(error, kind: Kind.error.code, isLent: false)?.handle
}

@_cdecl("streams_clear_last_error") @implementation
public func streams_clear_last_error() { LastError.clear() }
