import StreamsShims

/// A tracker's name, the words it uses, and where it writes.
package struct Tracking {
  /// The object that is called.
  enum Role: String {
    case publisher = "Publisher"
    case subject = "Subject"
    case subscriber = "Subscriber"
    case subscription = "Subscription"
  }

  let words: TrackingWords
  private let prefix: String
  private let write: ((String) -> Void)?
  package let watched: WatchedPublisher?

  /// - Parameters:
  ///   - write: Receives the lines, if there are to be lines.
  ///   - watched: The publisher's record, if it is watched.
  package init(
    _ name: String, _ words: TrackingWords, to write: ((String) -> Void)?, watched: WatchedPublisher? = nil
  ) {
    prefix = name.isEmpty ? "" : "\(name): "
    self.words = words
    self.write = write
    self.watched = watched
  }

  /// Whether only drops matter, and so values need not pass through here.
  var isForDrops: Bool { write == nil && watched?.isForDrops ?? false }

  /// Runs a call, writes its lines and records it.
  func call<Result>(
    _ role: Role, _ event: TrackingWords.Event, of stream: TrackedDrops? = nil, amount: Int64 = 0,
    _ argument: @autoclosure () -> String? = nil, result: (Result) -> String = { _ in "" },
    _ body: () -> Result
  ) -> Result {
    let begun = watched?.begin(event, of: stream?.record, argument, amount) ?? 0
    defer { streams_watch_end(begun) }
    guard let write else { return body() }
    let (function, label) = words[event]
    return TrackedCalls.run(
      text(role, function), argument().map { " \(label)\($0)" } ?? "", write, result: result, body)
  }

  /// Runs a send to a subject.
  package func send<Value>(_ value: Value, _ body: () -> Void) {
    call(.subject, .send, "\(value)", body)
  }

  /// Writes that the publisher, the subject, or another object has been released.
  func end(_ role: Role) {
    if let write { TrackedCalls.note(text(role, words[.end].function), write) }
  }

  /// Writes that one of them has dropped values.
  func drop(_ count: Int, _ role: Role) {
    let (function, label) = words[.drop]
    if let write { TrackedCalls.note("\(text(role, function)) \(label)\(count)", write) }
  }

  private func text(_ role: Role, _ function: String) -> String {
    "\(prefix)\(role.rawValue) \(function)"
  }

  /// Writes a line to the standard error output.
  package static func writeToStandardError(_ line: String) { write(line, to: 2) }

  /// Writes a line to a descriptor, without a buffer. Returns 0, or the error number if that fails.
  @discardableResult
  package static func write(_ line: String, to descriptor: Int32) -> Int32 {
    var line = "\(line)\n"
    return line.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) {
        streams_write_all(descriptor, $0.baseAddress, $0.count)
      }
    }
  }
}
