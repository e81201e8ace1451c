/// Reads a declaration from its beginning, as far as that can be done without a parser.
struct SourceScanner {
  private var text: Substring

  init(_ text: String) { self.text = text[...] }

  /// The next word of the declaration's modifiers, such as `public` or `var`; nil at anything else. Attributes are skipped.
  mutating func word() -> String? {
    skipSpace()
    while text.first == "@" {
      text.removeFirst()
      _ = path()
      skipArguments()
      skipSpace()
    }
    let word = identifier()
    skipArguments()
    return word
  }

  /// A name, with those of the types that it is in.
  mutating func path() -> [String]? {
    skipSpace()
    var names: [String] = []
    repeat {
      guard let name = identifier() else { return nil }
      names.append(name)
    } while take(".")
    return names
  }

  /// Takes this character, if it is next.
  mutating func take(_ character: Character) -> Bool {
    skipSpace()
    guard text.first == character else { return false }
    text.removeFirst()
    return true
  }

  /// The text of a type, which ends before a character, or with the declaration.
  mutating func text(upTo end: Character) -> String {
    skipSpace()
    var taken = ""
    while let next = text.first, next != end {
      let length = spaceLength
      taken += length == 0 ? String(next) : " "
      text.removeFirst(max(length, 1))
    }
    return String(taken[...].trimmed)
  }

  /// All that is left.
  mutating func rest() -> String {
    defer { text = "" }
    return String(text.trimmed)
  }

  private mutating func identifier() -> String? {
    let name = text.prefix { $0.isLetter || $0.isNumber || "_`".contains($0) }
    text.removeFirst(name.count)
    return name.isEmpty ? nil : String(name)
  }

  /// Skips what is in parentheses, if that is next.
  private mutating func skipArguments() {
    guard text.first == "(" else { return }
    var depth = 0
    while let next = text.first {
      depth += next == "(" ? 1 : next == ")" ? -1 : 0
      text.removeFirst()
      if depth == 0 { return }
    }
  }

  private mutating func skipSpace() {
    while spaceLength > 0 { text.removeFirst(spaceLength) }
  }

  /// How many characters of white space, or of a comment, are next.
  private var spaceLength: Int {
    if text.first?.isWhitespace == true { return 1 }
    if text.hasPrefix("//") { return text.prefix { !$0.isNewline }.count }
    return text.hasPrefix("/*") ? commentLength : 0
  }

  /// The length of the comment that is next, and may have others in it.
  private var commentLength: Int {
    var (depth, length) = (0, 0)
    var rest = text
    while !rest.isEmpty {
      let mark = rest.hasPrefix("/*") ? 1 : rest.hasPrefix("*/") ? -1 : 0
      depth += mark
      length += mark == 0 ? 1 : 2
      rest.removeFirst(mark == 0 ? 1 : 2)
      if depth == 0 { break }
    }
    return length
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0.isWhitespace }
    return start.prefix(start.count - start.reversed().prefix { $0.isWhitespace }.count)
  }
}
