import StreamsUI
import Testing

@testable import StreamsTerminal

@MainActor
struct LayoutTests {
  @Test("A text is broken between words")
  func words() throws {
    #expect(try text(columns: 11) { Text("The quick brown fox") } == "The quick\nbrown fox")
    #expect(try text(columns: 3) { Text("The   quick") } == "The\nqui\nck")
    #expect(try text(columns: 10) { Text("one\n\ntwo") } == "one\n\ntwo")
    #expect(try text(columns: 4) { Text(" word and") } == " wor\nd\nand")
    #expect(try laidOut(Text("one two"), columns: 7).columns == 7)
  }

  @Test(
    "A line limit truncates",
    arguments: [
      (1, "The quick…"), (2, "The quick\nbrown fox…"), (3, "The quick\nbrown fox\njumps"),
      (9, "The quick\nbrown fox\njumps"),
      (0, "The quick…"),
    ])
  func lineLimit(_ limit: Int, _ expected: String) throws {
    #expect(try text(columns: 10) { Text("The quick brown fox jumps").lineLimit(limit) } == expected)
  }

  @Test("Wide characters take two columns and are not cut in two")
  func wide() throws {
    #expect(try laidOut(Text("✅")).columns == 2)
    #expect(try laidOut(Text("日本")).rows == [line("日本")])
    #expect(try text(columns: 3) { Text("✅❌✅") } == "✅\n❌\n✅")
    #expect(try text(columns: 1) { Text("a✅b") } == "a\n\nb")
    #expect(try text(columns: 4) { Text("✅✅✅").lineLimit(1) } == "✅ …")
    #expect(line("e\u{301}").count == 1)
  }

  @Test(
    "Joined pictures stand side by side, and marks are with their characters",
    arguments: [
      ("👨\u{200D}👩\u{200D}👧", "👨👩👧", 6), ("👍🏽", "👍", 2), ("👩🏽\u{200D}💻!", "👩💻!", 5), ("🏽", "🏽", 2),
      ("❤\u{FE0F}\u{200D}🔥", "❤🔥", 3), ("1\u{FE0F}\u{20E3}", "1\u{20E3}", 1),
      ("🏴\u{E0067}\u{E0062}\u{E007F}", "🏴", 2), ("e\u{301}o\u{308}\u{301}", "e\u{301}o\u{308}\u{301}", 2),
      ("\u{301}", "", 0), ("각", "각", 2), ("ᄀ\u{1161}\u{11A8}", "ᄀ\u{1161}\u{11A8}", 2),
    ])
  func joined(_ text: String, _ shown: String, _ columns: Int) throws {
    let block = try laidOut(Text(text))
    #expect(block.columns == columns)
    #expect(block.text.unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test("Control characters do not reach the terminal")
  func control() throws {
    #expect(try text { Text("a\u{1B}[31m\tb\u{7}\u{7F}\u{9B}\r\n") } == "a[31m b\n")
    #expect(line("▶\u{FE0F}").count == 1)
  }

  @Test("Where there is no room nothing is shown, and nothing fails", arguments: [0, 1, 2, 3, 5])
  func narrow(_ room: Int) throws {
    let view = VStack {
      Text("✅ Text").lineLimit(1)
      HStack {
        Text("one")
        Spacer(minLength: 2)
        Divider()
        Button("two") {}
      }
      Toggle("three", isOn: .constant(true))
      TextField("four", text: .constant("✅✅✅"))
      Spacer()
    }.padding(2).popover(isPresented: .constant(true)) { Text("popover") }
    for rows in [0, 1, 2, 3, 9] {
      let desk = try Desk(view, rows: rows, columns: room)
      for key in [Key.tab, .tab, .down, .up, .escape] { try desk.press(key) }
      #expect(desk.picture.rows.count == rows)
      #expect(desk.picture.rows.allSatisfy { $0.count == room })
    }
  }

  @Test("The seed of all: a player")
  func player() throws {
    let view = VStack {
      Text("Song")
      Text("✅")
      Button {
      } label: {
        HStack {
          Image(systemName: "pause.circle")
          Text("abc")
        }
      }
    }.padding()
    #expect(try laidOut(view).text == "\n   Song\n    ✅\n [ ‖ abc ]\n")
  }
}
