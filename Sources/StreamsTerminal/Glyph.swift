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
  /// Nil for the second column of the character before.
  var character: Character?
  var style: Style = []

  static let blank = Glyph(character: " ")

  static func blanks(_ count: Int) -> [Glyph] { Array(repeating: blank, count: max(count, 0)) }
}

extension [Glyph] {
  /// A text on one line. Characters without a width, such as control characters, are left out.
  init(_ text: some StringProtocol, style: Style = []) {
    self = []
    for character in text.flatMap(\.plain) {
      let columns = character.columns
      guard columns > 0 else { continue }
      append(Glyph(character: character, style: style))
      for _ in 1..<columns { append(Glyph(character: nil, style: style)) }
    }
  }

  /// The beginning that fits, without cutting a character in two.
  func cut(to columns: Int) -> [Glyph] {
    if count <= columns { return self }
    var kept = prefix(Swift.max(columns, 0))
    if self[kept.count].character == nil {
      while kept.popLast().map({ $0.character == nil }) ?? false {}
      kept += Glyph.blanks(columns - kept.count)
    }
    return Array(kept)
  }

  /// The beginning that fits, with an ellipsis at the end if it was cut.
  func truncated(to columns: Int) -> [Glyph] {
    if count <= columns || columns < 1 { return cut(to: columns) }
    return cut(to: columns - 1) + [Glyph(character: "…", style: last?.style ?? [])]
  }

  /// Replaces cells from a column on. The other half of a character that this cuts in two becomes blank.
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
  /// The number of columns that a terminal gives it.
  var columns: Int {
    if isASCII { return self >= " " && self != "\u{7F}" ? 1 : 0 }
    return unicodeScalars.reduce(0) { $0 + max(0, Int(terminal_columns(Self.locale, $1.value))) }
  }

  /// In a form that all terminals show alike: the parts of a joined picture stand side by side, without a color of their own.
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
  /// Whether it requests presentation in color, which terminals treat differently.
  fileprivate var isPresentation: Bool { self == "\u{FE0F}" }

  /// Whether it joins or changes pictures: a joiner, a skin tone, or a tag.
  fileprivate var joinsPictures: Bool {
    self == "\u{200D}" || properties.isEmojiModifier || ("\u{E0020}"..."\u{E007F}").contains(self)
  }
}
