import CStreams
import StreamsShims

/// The library makes all calls of user's callbacks through this.
///
/// A callback names the error that it fails with before it returns, or a call that it makes has failed. If the callback fails,
/// that error is taken here; if it does not, the error is forgotten, so that it is never attributed to another callback. Errors
/// from before the call stay.
enum UserCallback {
  /// Calls a callback that can fail.
  @inline(__always)
  static func call(_ body: () -> streams_status) throws(StreamError) {
    let before = streams_pending_error()
    let status = body()
    if status == STREAMS_OK && streams_pending_error() == before { return }
    try check(status, since: before)
  }

  /// Calls a callback that cannot fail.
  @inline(__always)
  static func run<Result>(_ body: () -> Result) -> Result {
    let before = streams_pending_error()
    let result = body()
    if streams_pending_error() != before { forget(since: before) }
    return result
  }

  /// Calls a callback that releases something. The call in which that happens keeps its own last error, and if it is made in a
  /// scope's body, the body does not count as reader.
  static func releasing(_ body: () -> Void) {
    let reader = streams_reader()
    streams_set_reader(nil)
    LastError.keep { run(body) }
    streams_set_reader(reader)
  }

  /// Throws the error of a callback that has failed: the one that it has named, or else the one of the call whose status it
  /// returns. Forgets both if it has not failed. `answer` is what it has returned, if that is not a status.
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

  /// Forgets what a callback that has not failed has noted.
  @inline(never)
  static func forget(since before: UInt64) { _ = ThreadState.existing?.takeCallbackError(since: before) }
}
