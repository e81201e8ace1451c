import StreamsShims

/// The tracked calls on a thread's stack, the outermost first.
///
/// The beginning of a call is written when something happens within it; if nothing does, one line at the end describes the whole
/// call. The calls of all trackers nest in each other, wherever they write.
final class TrackedCalls {
  private struct Call {
    /// The name of the call.
    let text: String
    let argument: String
    let write: (String) -> Void
    var isOpen = false
  }

  /// Deeper calls write their depth as a number: lines with ten thousand spaces are unreadable.
  private static let greatestIndentation = 32

  private var calls: [Call] = []
  /// Calls that writing a line makes are not tracked: that would never end.
  private var isWriting = false

  /// This thread's calls; nil while it writes a line.
  private static var current: TrackedCalls? {
    guard let known = streams_tracked_calls() else {
      let calls = TrackedCalls()
      streams_set_tracked_calls(Unmanaged.passRetained(calls).toOpaque())
      return calls
    }
    let calls = Unmanaged<TrackedCalls>.fromOpaque(known).takeUnretainedValue()
    return calls.isWriting ? nil : calls
  }

  /// Runs a call and writes its lines; `result` makes the text for the returned value.
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

  /// Writes a line for an event in which nothing else happens.
  static func note(_ text: String, _ write: (String) -> Void) {
    guard let calls = current else { return }
    calls.open()
    calls.write("- \(text)", to: write)
    calls.forgetIfEmpty()
  }

  /// Writes the beginning of the innermost call, which now has something in it. The outer calls' have been written before.
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
