import StreamsUI
import Testing

@MainActor @Suite struct LabelsTests {
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
}
