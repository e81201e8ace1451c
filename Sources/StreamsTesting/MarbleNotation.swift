/// A parsed text in marble notation: its marks, each with its moment.
struct MarbleNotation {
  enum Kind: Equatable {
    case value(String)
    case finish
    case failure
    case subscription
    case cancellation
  }

  struct Mark: Equatable {
    var kind: Kind
    /// Counted from the text's beginning.
    var moment: Int
    /// The mark's position in the text.
    var position: Int
    var isGrouped = false
  }

  let text: String
  let marks: [Mark]

  init(_ text: String) throws(MarbleError) {
    var reader = MarbleReader(text)
    self.text = text
    marks = try reader.read()
  }

  func error(at mark: Mark, _ reason: String) -> MarbleError {
    MarbleError(notation: text, position: mark.position, reason: reason)
  }
}

/// Reads marble notation character by character.
private struct MarbleReader {
  private let text: String
  private let characters: [Character]
  private var position = 0
  private var moment = 0
  private var marks: [MarbleNotation.Mark] = []
  /// Where the current group begins.
  private var groupStart: Int?
  private var hasEnded = false

  init(_ text: String) {
    self.text = text
    characters = Array(text)
  }

  mutating func read() throws(MarbleError) -> [MarbleNotation.Mark] {
    while position < characters.count { try readOne() }
    if let groupStart { throw error("the group is not closed", at: groupStart) }
    return marks
  }

  private mutating func readOne() throws(MarbleError) {
    let start = position
    let character = characters[position]
    position += 1
    switch character {
    case "-": try passMoment(at: start)
    case "(": try openGroup(at: start)
    case ")": try closeGroup(at: start)
    case "|": try mark(.finish, at: start)
    case "#": try mark(.failure, at: start)
    case "^": try mark(.subscription, at: start)
    case "!": try mark(.cancellation, at: start)
    case "'": try mark(.value(readQuoted(from: start)), at: start)
    case _ where character.isWhitespace: break
    default: try mark(.value(String(character)), at: start)
    }
  }

  private mutating func passMoment(at start: Int) throws(MarbleError) {
    guard groupStart == nil else { throw error("a group is one moment, no time passes in it", at: start) }
    moment += 1
  }

  private mutating func openGroup(at start: Int) throws(MarbleError) {
    guard groupStart == nil else { throw error("a group cannot be in a group", at: start) }
    groupStart = start
  }

  private mutating func closeGroup(at start: Int) throws(MarbleError) {
    guard let opened = groupStart else { throw error("no group was opened", at: start) }
    guard let last = marks.last, last.position > opened else { throw error("the group is empty", at: opened) }
    groupStart = nil
    moment += 1
  }

  private mutating func mark(_ kind: MarbleNotation.Kind, at start: Int) throws(MarbleError) {
    guard !hasEnded else { throw error("the stream has ended before", at: start) }
    hasEnded = kind == .finish || kind == .failure
    let isGrouped = groupStart != nil
    marks.append(.init(kind: kind, moment: moment, position: start, isGrouped: isGrouped))
    if !isGrouped { moment += 1 }
  }

  /// Reads a name up to its closing quote; a doubled quote is part of the name.
  private mutating func readQuoted(from start: Int) throws(MarbleError) -> String {
    var name = ""
    while position < characters.count {
      let character = characters[position]
      position += 1
      if character == "'" {
        guard position < characters.count, characters[position] == "'" else { return name }
        position += 1
      }
      name.append(character)
    }
    throw error("the quote is not closed", at: start)
  }

  private func error(_ reason: String, at position: Int) -> MarbleError {
    MarbleError(notation: text, position: position, reason: reason)
  }
}
