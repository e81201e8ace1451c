import CStreams
import StreamsShims

/// The door through which the library calls what is not its own: callbacks of any kind.
///
/// A callback names the error that it fails with before it returns, or a call of its own has failed. Here that is taken if
/// it fails, and forgotten if it does not, so that it is never charged to another one. What was before the call is left
/// alone.
enum UserCallback {
  /// Calls what can fail.
  @inline(__always)
  static func call(_ body: () -> streams_status) throws(StreamError) {
    let before = streams_pending_error()
    let status = body()
    if status == STREAMS_OK && streams_pending_error() == before { return }
    try check(status, since: before)
  }

  /// Calls what cannot fail.
  @inline(__always)
  static func run<Result>(_ body: () -> Result) -> Result {
    let before = streams_pending_error()
    let result = body()
    if streams_pending_error() != before { forget(since: before) }
    return result
  }

  /// Calls what releases something. The call in which that happens keeps its own last error, and if it is made in a
  /// scope's body, this is no part of it.
  static func releasing(_ body: () -> Void) {
    let reader = streams_reader()
    streams_set_reader(nil)
    LastError.keep { run(body) }
    streams_set_reader(reader)
  }

  /// Throws the error of a callback that has failed: that which it has named, or else that of the call whose status it
  /// returns. Forgets both if it has not failed. `answer` is what it has returned, where that is no status.
  @inline(never)
  static func check(
    _ status: streams_status, since before: UInt64, _ answer: StaticString? = nil
  ) throws(StreamError) {
    let hasNoted = streams_pending_error() != before
    let named = hasNoted ? ThreadState.existing?.takeCallbackError(since: before) : nil
    guard status != STREAMS_OK else { return }
    throw named
      ?? (hasNoted && answer == nil ? LastError.passedOn(status) : nil)
      ?? StreamError(
        code: Int64(status.rawValue), domain: "streams.callback",
        message: "a callback returned \(answer?.description ?? status.described), and no error is named")
  }

  /// Forgets what a callback has noted that has not failed.
  @inline(never)
  static func forget(since before: UInt64) { _ = ThreadState.existing?.takeCallbackError(since: before) }
}
