import Synchronization

/// What the programs print goes here: it hides the standard library's function from this module.
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
  let line = items.map { "\($0)" }.joined(separator: separator) + terminator
  guard let text = Console.text else { return Swift.print(line, terminator: "") }
  text.append(line)
}

/// What a program prints.
enum Console {
  final class Text: Sendable {
    private let text = Mutex("")

    func append(_ more: String) { text.withLock { $0 += more } }
    var lines: [String] {
      text.withLock { $0 }.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(
        String.init)
    }
  }

  @TaskLocal static var text: Text?

  /// Runs a program and returns the lines that it has printed.
  static func lines(printedBy program: () throws -> Void) rethrows -> [String] {
    let text = Text()
    try $text.withValue(text, operation: program)
    return text.lines
  }
}
