import Testing

@testable import StreamsExtras

@Suite struct IndentedTreeTests {
  @Test func branchesAreIndentedInTheirOrder() {
    let tree = indentedTree(1) { n in ("\(n)", n < 4 ? [n * 2, n * 2 + 1] : []) }
    #expect(tree == "1\n  2\n    4\n    5\n  3\n    6\n    7")
  }

  @Test func whatIsVeryDeepIsLeftOut() {
    let lines = indentedTree(0) { n in ("\(n)", [n + 1]) }.split(separator: "\n")
    #expect(lines.count == 101 && lines.last == String(repeating: "  ", count: 100) + "…")
  }

  @Test func soIsWhatIsVeryLong() {
    let lines = indentedTree(0) { n in ("\(n)", n == 0 ? Array(1...5000) : []) }.split(separator: "\n")
    #expect(lines.count == 1001 && lines.last == "…")
  }
}
