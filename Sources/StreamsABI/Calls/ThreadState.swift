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
    streams_set_pending_error(notes)
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
  func forgetFailures() { streams_set_pending_error(nameNote) }

  /// Forgets what a callback has noted. Returns the error, if it has named one. What was noted before it is left alone.
  func takeCallbackError(since before: UInt64) -> StreamError? {
    streams_set_pending_error(before)
    guard nameNote > before else { return nil }
    nameNote = 0
    return named.take()
  }

  static var empty: UnsafePointer<CChar> { StaticString("").cString }

  /// By which the state is released when its thread ends.
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
