import StreamsUI
import Testing

@testable import StreamsTerminal

@MainActor
struct InteractionTests {
  private struct Grid: View {
    @State var last = ""

    var body: some View {
      VStack(alignment: .leading) {
        HStack {
          button("a")
          button("b")
          button("c")
        }
        Text("last: \(last)")
        HStack {
          button("d")
          button("e")
        }
      }
    }

    private func button(_ name: String) -> some View { Button(name) { last = name } }
  }

  @Test("Tab goes around, and Shift-Tab back")
  func tabs() throws {
    let desk = try Desk(Grid())
    var seen = [desk.marked]
    for _ in 0..<5 { seen.append(try desk.press(.tab).marked) }
    #expect(seen == ["a", "b", "c", "d", "e", "a"].map { "[ \($0) ]" })
    #expect(try desk.press(.backTab).marked == "[ e ]")
  }

  @Test("Arrows go to what is nearest")
  func arrows() throws {
    let desk = try Desk(Grid())
    #expect(try desk.press(.right).marked == "[ b ]")
    #expect(try desk.press(.down).marked == "[ e ]")
    #expect(try desk.press(.down).marked == "[ e ]")
    #expect(try desk.press(.left).marked == "[ d ]")
    #expect(try desk.press(.up).marked == "[ a ]")
    #expect(try desk.press(.up).marked == "[ a ]")
  }

  @Test("Return and the space bar tap", arguments: [Key.enter, .character(" ")])
  func tapping(_ key: Key) throws {
    let desk = try Desk(Grid())
    try desk.press(.tab, key)
    #expect(desk.text.contains("last: b"))
    #expect(desk.marked == "[ b ]")
  }

  private struct Form: View {
    @State var name = "Ann"
    @State var isOn = false

    var body: some View {
      TextField("Name", text: $name)
      Toggle("On", isOn: $isOn)
      Text("\(name) is \(isOn ? "on" : "off")")
    }
  }

  @Test("Text is typed into a field, with all characters")
  func typing() throws {
    let desk = try Desk(Form())
    try desk.type("e q✅")
    #expect(desk.text.contains("Anne q✅ is off"))
    #expect(desk.picture.caret?.column == 8)
    try desk.press(.backspace, .backspace, .backspace)
    #expect(desk.text.contains("Anne is off"))
    for _ in 0..<9 { try desk.press(.backspace) }
    #expect(desk.text == "Name\n[ ] On\n is off")
    #expect(!desk.isOver)
  }

  @Test("What is pasted is one change, and so are keys that come faster than they are looked at")
  func pasting() throws {
    let desk = try Desk(Form())
    var updates = 0
    var bodies = 0
    desk.host.onUpdate = { updates += 1 }
    desk.host.onEvaluation = { _ in bodies += 1 }
    let pasted = String(repeating: "text ", count: 600)
    try desk.take(pasted.map { .character($0) } + [.backspace, .backspace])
    #expect((updates, bodies) == (1, 1))
    #expect(desk.host.texts.last == "Ann" + pasted.dropLast(2) + " is off")
    try desk.take([.character("a"), .character("b"), .enter, .character(" "), .backTab, .character("c")])
    #expect((updates, bodies) == (4, 4))
    #expect(desk.host.texts.last == "Ann" + pasted.dropLast(2) + "abc is on")
    try desk.take([.tab, .character(" "), .character(" "), .character("q"), .character(" ")])
    #expect(desk.isOver && updates == 6)
  }

  @Test("What is pasted is for fields only, and has no lines there")
  func pastingElsewhere() throws {
    #expect(Key.enter.pasted == .pasted(" ") && Key.tab.pasted == .pasted(" ") && Key.up.pasted == nil)
    let desk = try Desk(Form())
    let pasted = [Key.character("q"), .enter, .character("s"), .backspace].compactMap(\.pasted)
    try desk.take(pasted)
    #expect(desk.host.texts.last == "Annq s is off")
    #expect(try desk.press(.tab).marked == "[ ] On")
    try desk.take(pasted)
    #expect(!desk.isOver)
    #expect(desk.host.texts.last == "Annq s is off")
  }

  @Test("A character that comes in several parts is one")
  func joined() throws {
    let desk = try Desk(Form())
    try desk.take("e\u{301}👩\u{200D}💻".unicodeScalars.map { .character(Character($0)) })
    #expect(desk.host.texts.last == "Anne\u{301}👩\u{200D}💻 is off")
    #expect(desk.picture.caret?.column == 8)
    #expect(try desk.press(.backspace).host.texts.last == "Anne\u{301} is off")
    #expect(try desk.press(.backspace).host.texts.last == "Ann is off")
  }

  @Test("From right to left the arrows go where they point")
  func mirrored() throws {
    let desk = try Desk(Grid().environment(\.layoutDirection, .rightToLeft))
    #expect(desk.marked == "[ a ]")
    #expect(try desk.press(.left).marked == "[ b ]")
    #expect(try desk.press(.left).marked == "[ c ]")
    #expect(try desk.press(.right).marked == "[ b ]")
    #expect(try desk.press(.tab).marked == "[ c ]")
  }

  @Test("A toggle is turned on and off; Return goes on from a field")
  func toggling() throws {
    let desk = try Desk(Form())
    try desk.press(.enter, .enter)
    #expect(desk.text.contains("Ann is on"))
    #expect(desk.marked == "[x] On")
    #expect(try desk.press(.character(" ")).text.contains("Ann is off"))
    try desk.press(.character("x"), .backspace, .escape)
    #expect(desk.text.contains("Ann is off"))
  }

  @Test("Ctrl-C ends, and Q where it is no text")
  func ending() throws {
    #expect(try Desk(Form()).press(.interrupt).isOver)
    #expect(try !Desk(Form()).press(.character("q")).isOver)
    #expect(try Desk(Form()).press(.tab, .character("q")).isOver)
    #expect(try Desk(Text("")).press(.character("q")).isOver)
  }

  private struct Asking: View {
    @State var isAsking = false
    @State var answers = 0

    var body: some View {
      Button("First") {}
      Button("Ask") { isAsking = true }
        .popover(isPresented: $isAsking) {
          Button("No") { isAsking = false }
          Button("Yes") { answers += 1 }
        }
      Text("\(answers) answers")
    }
  }

  @Test("A popover has the focus, and gives it back when it is closed")
  func popover() throws {
    let desk = try Desk(Asking())
    #expect(try desk.press(.tab, .enter).marked == "[ No ]")
    #expect(try desk.press(.tab, .enter, .tab, .tab).marked == "[ Yes ]")
    #expect(try desk.press(.escape).marked == "[ Ask ]")
    #expect(!desk.text.contains("┌"))
    #expect(desk.text.contains("1 answers"))
    #expect(try desk.press(.enter).marked == "[ No ]")
    #expect(try desk.press(.enter).marked == "[ Ask ]")
  }

  private final class Names: ObservableObject { @Published var all = ["a", "b", "c"] }

  private struct NameList: View {
    @ObservedObject var names: Names

    var body: some View {
      List(names.all, id: \.self) { name in Button(name) { names.all.removeAll { $0 == name } } }
      Text("end")
    }
  }

  @Test("The focus stays with the control that has it, wherever that goes, and moves on when it is gone")
  func identity() throws {
    let names = Names()
    let desk = try Desk(NameList(names: names))
    try desk.press(.tab)
    names.all = ["z", "y", "b", "c"]
    try desk.update()
    #expect(desk.marked == "[ b ]")
    #expect(try desk.press(.enter).marked == "[ c ]")
    #expect(try desk.press(.enter).marked == "[ y ]")
    names.all = []
    try desk.update()
    #expect(desk.marked == "")
    try desk.press(.tab, .backTab, .up, .down, .enter, .backspace)
    names.all = ["new"]
    try desk.update()
    #expect(desk.marked == "[ new ]")
  }

  @Test("What has the focus is scrolled to, and text beyond it too")
  func scrolling() throws {
    let names = Names()
    names.all = (0..<100).map { "\($0)" }
    let desk = try Desk(NameList(names: names), rows: 3, columns: 9)
    #expect(desk.text == "[ 0 ]\n[ 1 ]\n[ 2 ]")
    #expect(try desk.press(.down, .down, .down).text == "[ 1 ]\n[ 2 ]\n[ 3 ]")
    #expect(try desk.press(.up).text == "[ 1 ]\n[ 2 ]\n[ 3 ]")
    #expect(try desk.press(.backTab, .backTab, .backTab).marked == "[ 99 ]")
    #expect(try desk.press(.down).text == "[ 98 ]\n[ 99 ]\nend")
    #expect(try desk.press(.down).text == "[ 98 ]\n[ 99 ]\nend")
    desk.size.rows = 1
    #expect(desk.text == "[ 99 ]")
    names.all = []
    try desk.update()
    #expect(desk.text == "end")
  }

  @Test("Without controls the arrows scroll")
  func reading() throws {
    let desk = try Desk(Text("1\n2\n3\n4"), rows: 2)
    #expect(try desk.press(.up).text == "1\n2")
    #expect(try desk.press(.down).text == "2\n3")
    #expect(try desk.press(.down, .down, .down).text == "3\n4")
    #expect(try desk.press(.up).text == "2\n3")
  }

  @Test("Text beyond the last control can be read, whatever changes meanwhile")
  func readingOn() throws {
    let view = VStack(alignment: .leading) {
      Button("one") {}
      Text("2\n3\n4\n5")
    }
    let desk = try Desk(view, rows: 2, columns: 9)
    #expect(try desk.press(.down, .down, .down, .down).text == "4\n5")
    try desk.update()
    #expect(desk.text == "4\n5")
    #expect(try desk.press(.up, .up).text == "2\n3")
    #expect(try desk.press(.tab).text == "[ one ]\n2")
  }

  private struct Wizard: View {
    @State var screen = 0

    var body: some View {
      if screen == 0 {
        ForEach(0..<4, id: \.self) { number in Button("go \(number)") { screen = 1 } }
      } else {
        Second(screen: $screen)
      }
    }

    private struct Second: View {
      @Binding var screen: Int
      @State var isLong = true

      var body: some View {
        Button("first") {}
        Button("second") {}
        if isLong { Button("third") { isLong = false } }
        Button("last") { screen = 0 }
      }
    }
  }

  @Test("The focus of a new screen is its first control; of one that changes, it stays where it is")
  func screens() throws {
    let desk = try Desk(Wizard(), rows: 2, columns: 20)
    #expect(try desk.press(.tab, .tab, .enter).marked == "[ first ]")
    #expect(desk.text == "[ first ]\n[ second ]")
    #expect(try desk.press(.tab, .tab, .enter).marked == "[ last ]")
    #expect(try desk.press(.enter).marked == "[ go 0 ]")
  }

  @Test("Controls with one identity are gone through all the same")
  func twins() throws {
    let desk = try Desk(ForEach([1, 1], id: \.self) { _ in Button("twin") {} }, columns: 9)
    try desk.press(.tab)
    #expect(desk.picture.rows[1][0].style == .reverse)
    #expect(desk.picture.rows[0][0].style == [])
  }
}
