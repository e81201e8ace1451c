import Testing

@testable import StreamsUI

@MainActor @Suite struct LabelDigestTests {
  @Test func aLabelIsWhatIsInANode() throws {
    let host = ViewHost(
      VStack {
        Text("a")
        HStack {
          Image("picture")
          Text("b")
          Text("c")
        }
        HStack {
          Image("one")
          Image("two")
        }
        Button("b c") {}
      })
    try host.update()
    #expect(host.find("a b c b c")?.kind == "Window")
    #expect(host.find("b c")?.kind == "HStack")
    #expect(host.find("one two")?.kind == "HStack")
    #expect(host.find("picture")?.kind == "Image")
    #expect(host.find("") == nil)
    #expect(host.find("b") != nil && host.find("a b") == nil)
    for node in host.tree.all { #expect(host.find(node.label) != nil) }
    try host.tap("b c")
  }

  @Test func whatIsEmptyHasTheEmptyLabel() throws {
    let host = ViewHost(
      VStack {
        Text("a")
        Spacer()
        Text("")
      })
    try host.update()
    #expect(host.find("")?.kind == "Spacer")
    #expect(host.find("a ")?.kind == "Window")
    #expect(host.find("e\u{301}") == nil)
    let accented = ViewHost(Text("\u{E9}"))
    try accented.update()
    #expect(accented.find("e\u{301}")?.kind == "Window")
  }

  @Test func itIsComputedFromThoseOfParts() {
    let texts = ["", "a", "b c", "é", "e\u{301}", " ", "🇫🇷", "\u{301}", "aa"]
    for first in texts {
      for second in texts {
        let both = LabelDigest(of: first).joined(with: LabelDigest(of: second))
        #expect(both.isOfSameText(as: LabelDigest(of: "\(first) \(second)")))
        let isSame = LabelDigest(of: first).isOfSameText(as: LabelDigest(of: second))
        #expect(isSame == (first == second))
      }
      #expect(LabelDigest().joined(with: LabelDigest(of: first)) == LabelDigest(of: first))
      #expect(LabelDigest(of: first).joined(with: LabelDigest()) == LabelDigest(of: first))
    }
    #expect(LabelDigest().isOfSameText(as: LabelDigest(of: "")) && LabelDigest().isOfNone)
  }
}
