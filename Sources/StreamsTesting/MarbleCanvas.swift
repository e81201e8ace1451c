import Streams

/// Writes marbles, moment by moment.
struct MarbleCanvas {
  private let beginning: VirtualTime
  private let unit: VirtualTime.Stride
  private var finished = ""
  /// How many moments the finished text is long.
  private var moment = 0
  /// What happens in the moment that is being written.
  private var marks: [String] = []

  init(from beginning: VirtualTime, every unit: VirtualTime.Stride) {
    precondition(unit > .nanoseconds(0), "a moment needs a length")
    self.beginning = beginning
    self.unit = unit
  }

  /// Writes a mark into the moment of which `time` is a part. Time does not go back.
  mutating func draw(_ mark: String, at time: VirtualTime) {
    let moment = beginning.distance(to: time).magnitude / unit.magnitude
    if moment != self.moment {
      finished = text + String(repeating: "-", count: moment - self.moment - (marks.isEmpty ? 0 : 1))
      marks = []
      self.moment = moment
    }
    marks.append(mark)
  }

  /// What was written so far.
  var text: String {
    let joined = marks.reduce("", Self.join)
    return Self.join(finished, marks.count > 1 ? "(\(joined))" : joined)
  }

  /// Two quoted names side by side would be one with a quote in it.
  private static func join(_ text: String, _ mark: String) -> String {
    text + (text.hasSuffix("'") && mark.hasPrefix("'") ? " " : "") + mark
  }

  /// How a name is written: a character that means nothing else as it is, all else in quotes.
  static func mark(named name: String) -> String {
    if name.count == 1, let character = name.first, !isReserved(character) { return name }
    return "'\(name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }

  private static func isReserved(_ character: Character) -> Bool {
    "-()|#^!'".contains(character) || character.isWhitespace
  }
}
