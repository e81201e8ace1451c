import StreamsShims

/// The tracked calls that a thread is in, each within the one before.
///
/// That a call begins is written when something happens in it; if nothing has, one line tells of it all at its end. The
/// calls of all trackers nest in each other, whoever they write to.
final class TrackedCalls {
  private struct Call {
    /// What is called, and with what.
    let text: String
    let argument: String
    let write: (String) -> Void
    var isOpen = false
  }

  /// What is nested deeper says how deep instead: nobody reads lines of ten thousand spaces.
  private static let greatestIndentation = 32

  private var calls: [Call] = []
  /// While a line is being written, what that does is not tracked: it would have no end.
  private var isWriting = false

  /// Those of this thread; nil while it writes a line.
  private static var current: TrackedCalls? {
    guard let known = streams_tracked_calls() else {
      let calls = TrackedCalls()
      streams_set_tracked_calls(Unmanaged.passRetained(calls).toOpaque())
      return calls
    }
    let calls = Unmanaged<TrackedCalls>.fromOpaque(known).takeUnretainedValue()
    return calls.isWriting ? nil : calls
  }

  /// Runs a call of which lines tell; `result` says what is to be said of what it returns.
  static func run<Result>(
    _ text: String, _ argument: String, _ write: @escaping (String) -> Void,
    result: (Result) -> String, _ body: () -> Result
  ) -> Result {
    guard let calls = current else { return body() }
    calls.open()
    calls.calls.append(Call(text: text, argument: argument, write: write))
    let returned = body()
    calls.end(result(returned))
    return returned
  }

  /// Something in which nothing else happens.
  static func note(_ text: String, _ write: (String) -> Void) {
    guard let calls = current else { return }
    calls.open()
    calls.write("- \(text)", to: write)
    calls.forgetIfEmpty()
  }

  /// What goes on here is seen to be within other calls. All of these but the last have been found to hold others before.
  private func open() {
    guard let last = calls.last, !last.isOpen else { return }
    calls[calls.count - 1].isOpen = true
    write("> \(last.text)\(last.argument)", depth: calls.count - 1, to: last.write)
  }

  private func end(_ result: String) {
    let ended = calls.removeLast()
    let line = ended.isOpen ? "< \(ended.text)" : "- \(ended.text)\(ended.argument)"
    write(line + result, to: ended.write)
    forgetIfEmpty()
  }

  private func write(_ line: String, depth: Int? = nil, to write: (String) -> Void) {
    let depth = depth ?? calls.count
    let indent = String(repeating: "    ", count: min(depth, Self.greatestIndentation))
    isWriting = true
    write(depth > Self.greatestIndentation ? "\(indent)(\(depth)) \(line)" : indent + line)
    isWriting = false
  }

  private func forgetIfEmpty() {
    guard calls.isEmpty, let known = streams_tracked_calls() else { return }
    streams_set_tracked_calls(nil)
    Unmanaged<TrackedCalls>.fromOpaque(known).release()
  }
}
