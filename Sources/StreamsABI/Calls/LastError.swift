import CStreams
import Glibc
import StreamsShims

enum LastError {
  static var status: streams_status {
    streams_exhausted() == nil ? ThreadState.existing?.status ?? STREAMS_OK : STREAMS_OUT_OF_MEMORY
  }

  static var function: UnsafePointer<CChar> {
    streams_exhausted() ?? ThreadState.existing?.function ?? ThreadState.empty
  }

  static var message: UnsafePointer<CChar> {
    if streams_exhausted() == nil, let message = ThreadState.existing?.message {
      return UnsafePointer(message)
    }
    return status == STREAMS_OK ? ThreadState.empty : StaticString("there is no memory left").cString
  }

  static func set(_ status: streams_status, _ function: StaticString, _ message: String) {
    set(status, function.cString, strdup(message))
    ThreadState.current.noteFailure()
  }

  static func set(_ error: StreamError, _ function: StaticString) {
    set(STREAMS_CALLBACK_FAILED, function.cString, strdup(error.message), error)
    ThreadState.current.noteFailure()
  }

  /// Another library's failure, with copies of its texts: the name stands behind the message, in the same memory.
  static func set(
    _ status: streams_status, copying function: UnsafePointer<CChar>, _ message: UnsafePointer<CChar>
  ) {
    let (message, function) = (beginning(of: message), beginning(of: function))
    let texts = "\(message)\0\(function)".utf8CString
    let both = malloc(texts.count)?.assumingMemoryBound(to: CChar.self)
    texts.withUnsafeBufferPointer { both?.update(from: $0.baseAddress!, count: $0.count) }
    set(status, both.map { UnsafePointer($0 + message.utf8.count + 1) } ?? ThreadState.empty, both)
    ThreadState.current.noteFailure()
  }

  private static func beginning(of text: UnsafePointer<CChar>) -> String {
    String(decoding: UnsafeRawBufferPointer(start: text, count: strnlen(text, 1000)), as: UTF8.self)
  }

  /// Without an allocation, which could end the process.
  static func setOutOfMemory(_ function: StaticString, _ argument: StaticString) {
    guard ThreadState.existing != nil || streams_has_room(4096) else {
      return streams_set_exhausted(function.cString)
    }
    let message = streams_joined(argument.cString, " does not fit into memory")
    set(STREAMS_OUT_OF_MEMORY, function.cString, message)
    ThreadState.current.noteFailure()
  }

  /// The error of a callback that returns the status of the last error; nil if that has another status.
  static func passedOn(_ status: streams_status) -> StreamError? {
    guard Self.status == status else { return nil }
    if let error = ThreadState.existing?.error { return error }
    let words = "\(String(cString: function)): \(String(cString: message))"
    return StreamError(code: Int64(status.rawValue), domain: "streams.callback", message: words)
  }

  /// Takes ownership of the message.
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

  /// The replaced error is released last, because that may run user's code.
  private static func replace(_ error: inout StreamError?, by new: StreamError?) {
    let replaced = error
    error = new
    withExtendedLifetime(replaced) {}
  }

  /// Runs `body`, and restores the last error afterwards.
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
