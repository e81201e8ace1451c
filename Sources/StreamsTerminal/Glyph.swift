import CNcurses

/// How a character is shown.
struct Style: OptionSet {
  let rawValue: Int32

  static let reverse = Style(TERMINAL_REVERSE)
  static let bold = Style(TERMINAL_BOLD)
  static let dim = Style(TERMINAL_DIM)
  static let underline = Style(TERMINAL_UNDERLINE)

  init(rawValue: Int32) { self.rawValue = rawValue }

  private init(_ value: some BinaryInteger) { rawValue = Int32(value) }
}

/// A column of a line.
struct Glyph: Equatable {
  /// Nil if it is the second column of the character before.
  var character: Character?
  var style: Style = []

  static let blank = Glyph(character: " ")

  static func blanks(_ count: Int) -> [Glyph] { Array(repeating: blank, count: max(count, 0)) }
}

extension [Glyph] {
  /// A text on one line. What has no width of its own, such as a control character, is not shown.
  init(_ text: some StringProtocol, style: Style = []) {
    self = text.flatMap { character in
      let shown = character.isWhitespace ? " " : Character.plain(character)
      let columns = shown.columns
      guard columns > 0 else { return [Glyph]() }
      return [Glyph(character: shown, style: style)]
        + Array(repeating: Glyph(character: nil, style: style), count: columns - 1)
    }
  }

  /// As much as there is room for: characters are not cut in two.
  func cut(to columns: Int) -> [Glyph] {
    if count <= columns { return self }
    var kept = prefix(Swift.max(columns, 0))
    if self[kept.count].character == nil {
      while kept.popLast().map({ $0.character == nil }) ?? false {}
      kept += Glyph.blanks(columns - kept.count)
    }
    return Array(kept)
  }

  /// The same, and where it is cut an ellipsis at the end.
  func truncated(to columns: Int) -> [Glyph] {
    if count <= columns || columns < 1 { return cut(to: columns) }
    return cut(to: columns - 1) + [Glyph(character: "…", style: last?.style ?? [])]
  }

  /// The cells with others in their place, from a column on. Of a character that this cuts in two a blank is left.
  func covered(by cells: [Glyph], at column: Int) -> [Glyph] {
    let start = cut(to: column)
    var end = Array(dropFirst(column + cells.count))
    for index in end.indices.prefix(while: { end[$0].character == nil }) { end[index] = .blank }
    return start + Glyph.blanks(column - start.count) + cells + end
  }
}

extension Character {
  /// How many columns a terminal gives it.
  var columns: Int {
    if isASCII { return self >= " " && self != "\u{7F}" ? 1 : 0 }
    return unicodeScalars.reduce(0) { $0 + max(0, Int(terminal_columns(Self.locale, $1.value))) }
  }

  /// Without the wish to be shown in color, of which terminals think differently.
  fileprivate static func plain(_ character: Character) -> Character {
    let scalars = character.unicodeScalars
    if !scalars.contains("\u{FE0F}") { return character }
    return String(String.UnicodeScalarView(scalars.filter { $0 != "\u{FE0F}" })).first ?? " "
  }

  private nonisolated(unsafe) static let locale = terminal_locale()
}
