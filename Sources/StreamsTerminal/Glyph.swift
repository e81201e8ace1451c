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
    self = []
    for character in text.flatMap(\.plain) {
      let columns = character.columns
      guard columns > 0 else { continue }
      append(Glyph(character: character, style: style))
      for _ in 1..<columns { append(Glyph(character: nil, style: style)) }
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

  /// Puts others in the place of as many, from a column on. Of a character that this cuts in two a blank is left.
  mutating func cover(with cells: [Glyph], at column: Int) {
    guard !cells.isEmpty else { return }
    var cut = column
    while cut > 0, self[cut].character == nil { cut -= 1 }
    for index in cut..<column { self[index] = .blank }
    var end = column + cells.count
    replaceSubrange(column..<end, with: cells)
    while end < count, self[end].character == nil {
      self[end] = .blank
      end += 1
    }
  }
}

extension Character {
  /// How many columns a terminal gives it.
  var columns: Int {
    if isASCII { return self >= " " && self != "\u{7F}" ? 1 : 0 }
    return unicodeScalars.reduce(0) { $0 + max(0, Int(terminal_columns(Self.locale, $1.value))) }
  }

  /// As all terminals show it: what pictures are joined from stands side by side, without a color of its own.
  fileprivate var plain: [Character] {
    if isWhitespace { return [" "] }
    let scalars = unicodeScalars
    guard let first = scalars.first, scalars.count > 1 else { return [self] }
    let isPicture = first.properties.isEmoji
    let kept = scalars.filter { $0 == first || !($0.isPresentation || isPicture && $0.joinsPictures) }
    return kept.count == scalars.count ? [self] : Array(String(String.UnicodeScalarView(kept)))
  }

  private nonisolated(unsafe) static let locale = terminal_locale()
}

extension Unicode.Scalar {
  /// The wish to be shown in color, of which terminals think differently.
  fileprivate var isPresentation: Bool { self == "\u{FE0F}" }

  /// Whether it makes one picture of several, or another one of the one before: a joiner, a skin, or a tag.
  fileprivate var joinsPictures: Bool {
    self == "\u{200D}" || properties.isEmojiModifier || ("\u{E0020}"..."\u{E007F}").contains(self)
  }
}
