import CStreams
import Glibc
import StreamsShims

/// A thread's state for its caller: the last error, and the error that the running callback has named.
final class ThreadState {
  var status = STREAMS_OK
  var function: UnsafePointer<CChar> = ThreadState.empty
  var message: UnsafeMutablePointer<CChar>?
  /// The error by which a callback made the last call fail.
  var error: StreamError?
  /// How many calls that set a binding are nested in each other.
  var settings = 0
  /// The error of a binding's function that assigns, until the call that sets the binding returns.
  var settingError: StreamError?
  /// The error of `streams_callback_fail`, until the callback returns.
  var callbackError: StreamError? {
    get { named }
    set {
      let replaced = named
      named = newValue
      nameNote = newValue == nil ? 0 : note()
      // Released last, because that may run user's code.
      withExtendedLifetime(replaced) {}
    }
  }
  private var named: StreamError?
  /// The number of the note that an error is pending, or 0.
  private var nameNote: UInt64 = 0
  private var notes: UInt64 = 0

  /// Work that inner frames have left to the frame that is the thread's ``Trampoline``.
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

  /// Notes that a call has failed, for the callback that has made it, that is, for a call within another call. If the outer call
  /// itself has failed, the outermost one forgets the note.
  func noteFailure() {
    guard Trampoline.hasOne else { return }
    note()
    streams_set_trampoline(Int32(STREAMS_TRAMPOLINE_WITH_WORK))
  }

  /// Forgets which calls have failed when no callback that has made them is running.
  func forgetFailures() { streams_set_pending_error(nameNote) }

  /// Forgets a callback's notes, but no earlier ones. Returns the error that it has named, if any.
  func takeCallbackError(since before: UInt64) -> StreamError? {
    streams_set_pending_error(before)
    guard nameNote > before else { return nil }
    nameNote = 0
    return named.take()
  }

  static var empty: UnsafePointer<CChar> { StaticString("").cString }

  /// Releases the state when its thread ends.
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

  /// The thread's state, if it has any.
  static var existing: ThreadState? {
    streams_thread_state().map { Unmanaged<ThreadState>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension StaticString {
  /// The text as a C string, which lives as long as the library.
  var cString: UnsafePointer<CChar> { UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self) }
}
