import StreamsUI
import Testing

@testable import StreamsTerminal

@MainActor
struct ControlTests {
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
}
