import StreamsUI
import Testing

@testable import StreamsTerminal

@MainActor
struct LayoutTests {
  private func text<V: View>(rows: Int = 24, columns: Int = 80, @ViewBuilder _ view: () -> V) throws -> String
  {
    try laidOut(view(), rows: rows, columns: columns).text
  }

  // MARK: Text

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

  // MARK: Stacks

  @Test("A column is centered, or as its alignment says")
  func columns() throws {
    #expect(
      try text {
        VStack {
          Text("wide")
          Text("in")
        }
      } == "wide\n in")
    #expect(
      try text {
        VStack(alignment: .leading) {
          Text("wide")
          Text("in")
        }
      } == "wide\nin")
    #expect(
      try text {
        VStack(alignment: .trailing, spacing: 1) {
          Text("wide")
          Text("in")
        }
      } == "wide\n\n  in")
    #expect(
      try text {
        List {
          Text("one")
          Text("three")
        }
      } == "one\nthree")
    #expect(
      try text {
        Group {
          Text("one")
          Text("three")
        }
      } == "one\nthree")
  }

  @Test("A row is side by side")
  func rows() throws {
    #expect(
      try text {
        HStack {
          Text("a")
          Text("b")
        }
      } == "a b")
    #expect(
      try text {
        HStack(spacing: 0) {
          Text("a")
          Text("b")
        }
      } == "ab")
    #expect(
      try text {
        HStack {
          Text("a")
          Text("1\n2\n3")
        }
      } == "  1\na 2\n  3")
    #expect(
      try text {
        HStack(alignment: .top) {
          Text("a")
          Text("1\n2")
        }
      } == "a 1\n  2")
    #expect(
      try text {
        HStack(alignment: .bottom) {
          Text("a")
          Text("1\n2")
        }
      } == "  1\na 2")
    #expect(
      try text {
        HStack {
          VStack {
            Text("a")
            Text("b")
          }
          Text("c")
        }
      } == "a c\nb")
    #expect(try text { Label("Music", systemImage: "music.note") } == "♪ Music")
  }

  @Test("Where a row has not room for all, the narrow ones have theirs")
  func shares() throws {
    #expect(
      try text(columns: 12) {
        HStack {
          Text("id")
          Text("one two three")
        }
      } == "id one two\n   three")
    #expect(
      try text(columns: 11) {
        HStack {
          Text("aaaa bbbb")
          Text("cccc dddd")
        }
      } == "aaaa cccc\nbbbb dddd")
  }

  @Test("A spacer takes what is left")
  func spacers() throws {
    #expect(
      try text(columns: 9) {
        HStack {
          Text("a")
          Spacer()
          Text("b")
        }
      } == "a       b")
    #expect(
      try text(columns: 9) {
        HStack(spacing: 0) {
          Spacer()
          Text("b")
          Spacer()
        }
      } == "    b")
    #expect(
      try text(rows: 4) {
        VStack {
          Text("a")
          Spacer()
          Text("b")
        }
      } == "a\n\n\nb")
    #expect(
      try text(rows: 2) {
        VStack {
          Text("a")
          Spacer(minLength: 3)
          Text("b")
        }
      } == "a\n\n\n\nb")
    #expect(
      try text(rows: 3, columns: 5) {
        VStack {
          HStack {
            Text("a")
            Spacer()
            Text("b")
          }
          VStack {
            Spacer()
            Text("c")
          }
        }
      } == "a   b\n\n  c")
    #expect(
      try laidOut(
        VStack {
          HStack {
            Text("a")
            Spacer()
          }
        }.padding(), columns: 9
      ).columns == 9)
  }

  @Test("What stretches has what is in it first, and then as much as others that do")
  func stretching() throws {
    #expect(
      try text(columns: 14) {
        HStack {
          HStack {
            Text("long")
            Spacer()
          }
          Text("|")
          HStack {
            Text("b")
            Spacer()
          }
          Text("|")
        }
      } == "long  | b    |")
    #expect(
      try text(columns: 16) {
        HStack(spacing: 0) {
          HStack(spacing: 0) {
            Text("0123456789")
            Spacer()
          }
          Spacer()
          Text("|")
        }
      } == "0123456789     |")
    #expect(
      try text(columns: 11) {
        HStack(spacing: 0) {
          Text("The quick brown fox")
          Spacer()
          Text("|")
        }
      } == "The quick |\nbrown fox")
    #expect(
      try text(columns: 9) {
        HStack {
          Text("a\nb").lineLimit(1)
          Text("c")
        }
      } == "a b c")
  }

  /// Rows within rows.
  private struct Rows: View {
    let depth: Int
    var body: some View {
      HStack {
        if depth > 0 { AnyView(Rows(depth: depth - 1)) }
        Text("text")
      }
    }
  }

  @Test("Each part of a row is laid out once")
  func rowsInRows() throws {
    #expect(try work(Rows(depth: 12)) < 8 * work(Rows(depth: 6)))
    #expect(try work(Rows(depth: 24)) < 8 * work(Rows(depth: 12)))
  }

  @Test("A list is put together row by row")
  func longLists() throws {
    func list(_ count: Int) -> some View {
      List(0..<count, id: \.self) { number in Button("\(number % 10)") {} }
    }
    #expect(try work(list(10_000)) <= 10 * work(list(1000)))
  }

  @Test("A tree may be deep")
  func deep() throws {
    #expect(try laidOut(Rows(depth: 1000), columns: 4).rows.count > 0)
  }

  @Test("From right to left a row begins at the right")
  func mirrored() throws {
    let view = VStack(alignment: .leading) {
      HStack {
        Text("a")
        Text("b")
        Spacer()
        Toggle("on", isOn: .constant(true))
      }
      Text("c").padding(.leading, 2)
      VStack(alignment: .trailing) {
        Text("d")
        Text("wide")
      }
      HStack {
        Text("e")
        Text("f")
      }.environment(\.layoutDirection, .leftToRight)
    }
    let block = try laidOut(view.environment(\.layoutDirection, .rightToLeft), columns: 12)
    #expect(block.text == "on [x]   b a\n         c\n        d\n        wide\n         e f")
    #expect(block.places.map(\.columns) == [0..<6])
  }

  @Test("A divider is a line")
  func dividers() throws {
    #expect(
      try text {
        VStack {
          Text("one")
          Divider()
          Text("two")
        }
      } == "one\n───\ntwo")
    #expect(
      try text {
        HStack {
          Text("1\n2")
          Divider()
          Text("b")
        }
      } == "1 │ b\n2 │")
  }

  @Test("Padding is room at the sides that are named")
  func padding() throws {
    let block = try laidOut(Text("a").padding())
    #expect(
      block.rows.map { $0.map { $0.character } } == [[" ", " ", " "], [" ", "a", " "], [" ", " ", " "]])
    #expect(try laidOut(Text("a").padding(2)).columns == 5)
    #expect(try laidOut(Text("a").padding(.nan)).columns == 1)
    #expect(try text(columns: 5) { Text("one two").padding() } == "\n one\n two\n")
    #expect(try text(columns: 5) { Text("a").padding(.leading, 2) } == "  a")
    #expect(try text(columns: 5) { Text("a").padding(.vertical) } == "\na\n")
    #expect(try laidOut(Text("a").padding([.trailing, .bottom], 3)).rows.map(\.count) == [4, 4, 4, 4])
  }

  // MARK: Controls

  @Test("Controls are shown as such, and can be acted on")
  func controls() throws {
    let block = try laidOut(
      VStack(alignment: .leading) {
        Button("Go") {}
        Toggle("On", isOn: .constant(true))
        Toggle("Off", isOn: .constant(false))
        TextField("Name", text: .constant("Ann"))
        Button("No") {}.disabled(true)
      })
    #expect(block.text == "[ Go ]\n[x] On\n[ ] Off\nAnn\n[ No ]")
    #expect(block.places.map(\.node.label) == ["Go", "On", "Off", "Name"])
    #expect(block.places.map(\.rows) == [0..<1, 1..<2, 2..<3, 3..<4])
    #expect(block.places.map(\.columns) == [0..<6, 0..<6, 0..<7, 0..<20])
    #expect(block.places.map(\.caret) == [nil, nil, nil, 3])
    #expect(block.rows[4].prefix(6).allSatisfy { $0.style == .dim })
  }

  @Test("Options, tabs and rows show what is selected")
  func selections() throws {
    let picked = try text {
      Picker("Color", selection: .constant("red")) { ForEach(["red", "blue"], id: \.self) { Text($0) } }
    }
    #expect(picked == "Color\n(•) red\n( ) blue")
    let tabs = try laidOut(
      TabView(selection: .constant(1)) {
        Text("first page").tabItem { Text("A") }.tag(0)
        Text("second page").tabItem { Text("B") }.tag(1)
      })
    #expect(tabs.text == "[ A ] [ B ]\nsecond page" && tabs.columns == 11)
    #expect(tabs.rows[0].filter { $0.style == .bold }.count == 5)
    let list = try laidOut(List(["a", "b"], id: \.self, selection: .constant("b" as String?)) { Text($0) })
    #expect(list.text == "  a\n• b" && list.columns == 3)
    #expect(try text { List(["a", "b"], id: \.self) { Text($0) } } == "a\nb")
  }

  @Test("Sliders, steppers and secret fields are shown as such")
  func numbers() throws {
    #expect(
      try text {
        Slider(value: .constant(0.4)) { Text("Volume") }
        Slider(value: .constant(1.0))
        Stepper("Copies", value: .constant(1))
        SecureField("Password", text: .constant("abc"))
        SecureField("Password", text: .constant(""), prompt: Text("secret"))
      } == "Volume ━━━━──────\n━━━━━━━━━━\nCopies [- +]\n•••\nsecret")
  }

  @Test("A toolbar is a row above its view, and a title a bold line")
  func toolbar() throws {
    let block = try laidOut(
      NavigationStack {
        Text("text").navigationTitle("Songs").toolbar {
          Button("Add") {}
          Button("Sort") {}
        }
      })
    #expect(block.text == "[ Add ] [ Sort ]\nSongs\ntext")
    #expect(block.rows[1].prefix(5).allSatisfy { $0.style == .bold })
  }

  @Test("A picture is a character, or else its name")
  func pictures() throws {
    #expect(
      try text {
        Button {
        } label: {
          HStack {
            Image(systemName: "play.circle")
            Text("abc")
          }
        }
      } == "[ ▶ abc ]")
    #expect(try text { Image(systemName: "pause.circle.fill") } == "‖")
    #expect(try text { Image(systemName: "circle") } == "circle")
    #expect(try text { Image("logo.fill") } == "logo.fill")
    #expect(
      try text {
        Button {
        } label: {
          Text("1\n2")
        }
      } == "[ 1 ]\n  2")
  }

  @Test("A field shows its title, and then the end of its text")
  func fields() throws {
    let empty = try laidOut(TextField("Name", text: .constant("")))
    #expect(empty.text == "Name")
    #expect(empty.places[0].caret == 0)
    #expect(empty.rows[0][0].style == [.underline, .dim])
    let long = try laidOut(TextField("Name", text: .constant("0123456789")), columns: 6)
    #expect(long.text == "56789")
    #expect(long.places[0].caret == 5)
    let wide = try laidOut(TextField("Name", text: .constant("✅✅✅")), columns: 4)
    #expect(wide.text == "✅")
    #expect(wide.places[0].caret == 2)
    #expect(try laidOut(TextField("", text: .constant(String(repeating: "x", count: 30)))).columns == 31)
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
