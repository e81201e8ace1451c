import Testing

@testable import StreamsTesting

@Suite struct MarbleNotationTests {
  /// The marks with their moments: "a2 (b4 c4) |6".
  private func read(_ text: String) throws -> String {
    try MarbleNotation(text).marks.map { mark in
      let name =
        switch mark.kind {
        case .value(let name): name
        case .finish: "|"
        case .failure: "#"
        case .subscription: "^"
        case .cancellation: "!"
        }
      return mark.isGrouped ? "(\(name)\(mark.moment))" : "\(name)\(mark.moment)"
    }.joined(separator: " ")
  }

  @Test func countsMoments() throws {
    #expect(try read("") == "")
    #expect(try read("---") == "")
    #expect(try read("--a-b-|") == "a2 b4 |6")
    #expect(try read("a-#") == "a0 #2")
    #expect(try read("-a^b!") == "a1 ^2 b3 !4")
    #expect(try read("1é日🙂|--") == "10 é1 日2 🙂3 |4")
  }

  @Test func aGroupIsOneMoment() throws {
    #expect(try read("--a-b-(cd)-|") == "a2 b4 (c6) (d6) |8")
    #expect(try read("(a)(b|)") == "(a0) (b1) (|1)")
    #expect(try read("-(^!)") == "(^1) (!1)")
  }

  @Test func spacesTakeNoTime() throws {
    #expect(try read("  -- a  - ( b c ) |\n") == "a2 (b4) (c4) |5")
  }

  @Test func longNamesStandInQuotes() throws {
    #expect(try read("-'10'-(a'b c')|") == "101 (a3) (b c3) |4")
    #expect(try read("'' '-' 'it''s' ''''") == "0 -1 it's2 '3")
  }

  @Test(arguments: [
    ("a-(bc", 2, "the group is not closed"),
    ("a-(b-c)", 4, "a group is one moment, no time passes in it"),
    ("(a(b))", 2, "a group cannot be in a group"),
    ("-a)", 2, "no group was opened"),
    ("a-( )-b", 2, "the group is empty"),
    ("a|-b", 3, "the stream has ended before"),
    ("#|", 1, "the stream has ended before"),
    ("(a|b)", 3, "the stream has ended before"),
    ("-'ab", 1, "the quote is not closed"),
    ("'ab''", 0, "the quote is not closed"),
  ])
  func namesThePlaceOfAMistake(text: String, position: Int, reason: String) {
    let expected = MarbleError(notation: text, position: position, reason: reason)
    #expect(throws: expected) { try MarbleNotation(text) }
  }

  /// What is written can be read again, whatever the values are called.
  @Test func readsWhatIsWritten() throws {
    var random = SystemRandomNumberGenerator()
    let names = ["a", "7", "10", "it's", "'", "", " ", "-", "(", "|", "a'", "'b", "''", "é", "^", "!", "#"]
    for _ in 0..<500 {
      var canvas = MarbleCanvas(from: .zero, every: 1)
      var expected: [MarbleNotation.Kind] = []
      var moments: [Int] = []
      var moment = 0
      for _ in 0..<Int.random(in: 0..<8, using: &random) {
        moment += [0, 0, 1, 1, 3].randomElement(using: &random)!
        let name = names.randomElement(using: &random)!
        canvas.draw(MarbleCanvas.mark(named: name), at: .zero.advanced(by: .seconds(moment)))
        expected.append(.value(name))
        moments.append(moment)
      }
      let marks = try MarbleNotation(canvas.text).marks
      #expect(marks.map(\.kind) == expected, "\(canvas.text)")
      #expect(marks.map(\.moment) == moments, "\(canvas.text)")
    }
  }
}
