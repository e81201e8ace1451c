import StreamsUI
import Testing

@testable import StreamsTerminal

@MainActor
struct PageTests {
  @Test("A popover is a box on top of the rest")
  func popover() throws {
    let view = VStack(alignment: .leading) {
      Text("0123456789")
      Text("✅✅✅✅✅").popover(isPresented: .constant(true)) { Text("ab") }
      Text("0123456789")
    }
    #expect(try Desk(view, rows: 3, columns: 10).text == "012┌──┐789\n✅ │ab│ ✅\n012└──┘789")
  }

  @Test("A popover that is larger than the screen is scrolled")
  func largePopover() throws {
    let view = Text("").popover(isPresented: .constant(true)) {
      ForEach(0..<9) { number in Button("\(number)") {} }
    }
    let desk = try Desk(view, rows: 4, columns: 9)
    #expect(desk.text == " ┌─────┐\n │[ 0 ]│\n │[ 1 ]│\n └─────┘")
    try desk.press(.backTab)
    #expect(desk.text == " ┌─────┐\n │[ 7 ]│\n │[ 8 ]│\n └─────┘")
    #expect(desk.marked == "[ 8 ]")
  }

  @Test("Of several popovers the last is used, and they lie on each other")
  func nested() throws {
    let view = Text("").popover(isPresented: .constant(true)) {
      VStack {
        Text("outer")
        Button("One") {}
      }
      .popover(isPresented: .constant(true)) { Button("Two") {} }
    }
    let desk = try Desk(view, rows: 5, columns: 20)
    #expect(desk.marked == "[ Two ]")
    #expect(!desk.text.contains("One"))
  }

  @Test("Windows with titles are one below the other")
  func windows() throws {
    struct Program: App {
      var body: some Scene {
        WindowGroup("First") { Text("one") }
        WindowGroup { Button("two") {} }
      }
    }
    let host = ViewHost(app: Program())
    try host.update()
    let picture = Interaction(host.tree, size: Size(rows: 3, columns: 10)).picture
    #expect(picture.text == "First\none\n[ two ]")
    #expect(picture.text(in: .bold) == "First")
    #expect(picture.text(in: .reverse) == "[ two ]")
  }

  @Test("A window's color scheme is the picture's")
  func scheme() throws {
    #expect(try Desk(Text("a")).picture.scheme == nil)
    #expect(try Desk(Text("a").preferredColorScheme(.dark)).picture.scheme == "dark")
  }

  @Test("What is put over a wide character leaves a blank of it")
  func covering() {
    func covered(_ text: String, by other: String, at column: Int) -> [Glyph] {
      var cells = line(text)
      cells.cover(with: line(other), at: column)
      return cells
    }
    #expect(covered("✅✅", by: "x", at: 1) == line(" x✅"))
    #expect(covered("✅✅", by: "x", at: 0) == line("x ✅"))
    #expect(covered("✅✅", by: "x", at: 3) == line("✅ x"))
    #expect(covered("✅✅", by: "xy", at: 1) == line(" xy "))
    #expect(covered("✅✅", by: "abcd", at: 0) == line("abcd"))
    #expect(covered("✅✅", by: "", at: 1) == line("✅✅"))
  }

  @Test("A window from right to left begins at the right")
  func mirrored() throws {
    struct Program: App {
      var body: some Scene {
        WindowGroup("First") { Text("one") }
        WindowGroup { Button("two") {} }
      }
    }
    let host = ViewHost(app: Program())
    host.environment.layoutDirection = .rightToLeft
    try host.update()
    let picture = Interaction(host.tree, size: Size(rows: 3, columns: 10)).picture
    #expect(picture.text == "     First\n       one\n   [ two ]")
  }

  @Test("Pictures that look alike are equal")
  func equality() throws {
    let desk = try Desk(TextField("Name", text: .constant("a")))
    let picture = desk.picture
    #expect(picture == desk.picture)
    #expect(picture.caret?.column == 1)
    var other = picture
    other.caret = nil
    #expect(other != picture)
  }
}
