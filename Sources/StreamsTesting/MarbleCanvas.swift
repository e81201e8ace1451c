import Streams

/// Writes marbles, moment by moment.
struct MarbleCanvas {
  private let beginning: VirtualTime
  private let unit: VirtualTime.Stride
  private var finished = ""
  /// The number of moments in the finished text.
  private var moment = 0
  /// The marks of the current moment.
  private var marks: [String] = []

  init(from beginning: VirtualTime, every unit: VirtualTime.Stride) {
    precondition(unit > .nanoseconds(0), "a moment needs a length")
    self.beginning = beginning
    self.unit = unit
  }

  /// Adds a mark to the moment that contains `time`. Time does not go back.
  mutating func draw(_ mark: String, at time: VirtualTime) {
    let moment = beginning.distance(to: time).magnitude / unit.magnitude
    if moment != self.moment {
      finished = text + String(repeating: "-", count: moment - self.moment - (marks.isEmpty ? 0 : 1))
      marks = []
      self.moment = moment
    }
    marks.append(mark)
  }

  /// The text so far.
  var text: String {
    let joined = marks.reduce("", Self.join)
    return Self.join(finished, marks.count > 1 ? "(\(joined))" : joined)
  }

  /// Two adjacent quoted names would read as one with a quote in it.
  private static func join(_ text: String, _ mark: String) -> String {
    text + (text.hasSuffix("'") && mark.hasPrefix("'") ? " " : "") + mark
  }

  /// A name's notation: a single character without another meaning as it is, anything else in quotes.
  static func mark(named name: String) -> String {
    if name.count == 1, let character = name.first, !isReserved(character) { return name }
    return "'\(name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }

  private static func isReserved(_ character: Character) -> Bool {
    "-()|#^!'".contains(character) || character.isWhitespace
  }
}
