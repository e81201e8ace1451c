import StreamsUI
import Testing

@testable import StreamsTerminal

/// What keys do to controls, rows and pages.
@MainActor
struct KeyTests {
  private struct Songs: View {
    @State var songs = ["a", "b", "c"]
    @State var chosen: Set<String> = []
    @State var color = "red"

    var body: some View {
      List(selection: $chosen) {
        ForEach(songs, id: \.self) { song in
          HStack {
            Text(song)
            Button("play") { songs = ["played"] }
          }
        }
        .onDelete { songs.remove(atOffsets: $0) }
        .onMove { songs.move(fromOffsets: $0, toOffset: $1) }
      }
      Picker("", selection: $color) { ForEach(["red", "blue"], id: \.self) { Text($0) } }
    }
  }

  @Test("Rows are selected, moved and deleted, and what is in them can be used")
  func rows() throws {
    let desk = try Desk(Songs())
    #expect(desk.marked == "  a [ play ]")
    #expect(try desk.press(.character(" ")).marked == "• a [ play ]")
    try desk.press(.character("-"))
    #expect(try desk.press(.character("+"), .character("+"), .character("+")).marked == "• a [ play ]")
    #expect(desk.text.hasPrefix("  b [ play ]\n  c [ play ]\n• a [ play ]"))
    #expect(try desk.press(.character("-")).text.hasPrefix("  b [ play ]\n• a [ play ]\n  c"))
    #expect(try desk.press(.backspace).text.hasPrefix("  b [ play ]\n  c [ play ]\n"))
    #expect(try desk.press(.tab).marked == "[ play ]")
    try desk.press(.backspace, .character("+"))
    #expect(try desk.press(.enter).text.hasPrefix("  played"))
  }

  private struct Mixer: View {
    @State var volume = 0.5
    @State var copies = 1
    @State var name = ""
    @State var sent = ""

    var body: some View {
      Slider(value: $volume)
      Stepper("Copies", value: $copies, in: 0...2)
      TextField("Name", text: $name).onSubmit { sent = name }
      Text("\(volume) \(copies) \(sent)")
    }
  }

  @Test("Plus and minus change sliders and steppers; Return submits a field and goes on")
  func changing() throws {
    let desk = try Desk(Mixer())
    #expect(try desk.press(.character("+"), .character("+")).marked == "━━━━━━━───")
    for _ in 0..<9 { try desk.press(.character("-")) }
    #expect(desk.marked == "──────────")
    try desk.press(.tab, .character("+"), .character("+"), .character("-"), .character("+"))
    #expect(desk.text.hasSuffix("0.0 2"))
    try desk.press(.tab)
    try desk.type("a+")
    #expect(try desk.press(.enter).text.hasSuffix("0.0 2 a+"))
    #expect(desk.marked == "──────────")
  }

  private struct Login: View {
    @State var name = ""
    @State var log = ""
    @FocusState var field: Int?

    var body: some View {
      TextField("Name", text: $name).focused($field, equals: 1).onSubmit { field = 3 }
      TextField("Skipped", text: $name).focused($field, equals: 2)
      Button("Go") { field = nil }.focused($field, equals: 3)
      Button("Other") { field = 2 }
      Text("field \(field ?? 0)")
    }
  }

  @Test("The focus follows the program's, and sets it")
  func focus() throws {
    let desk = try Desk(Login())
    #expect(desk.text.hasSuffix("field 1"))
    #expect(try desk.press(.tab).text.hasSuffix("field 2"))
    #expect(try desk.press(.backTab, .enter).text.hasSuffix("field 3") && desk.marked == "[ Go ]")
    // Without a focus of the program, the marker stays.
    #expect(try desk.press(.enter).text.hasSuffix("field 0") && desk.marked == "[ Go ]")
    #expect(try desk.press(.tab, .backTab).text.hasSuffix("field 3"))
    #expect(try desk.press(.tab).text.hasSuffix("field 0"))
    #expect(try desk.press(.enter).text.hasSuffix("field 2") && desk.picture.caret?.row == 1)
  }

  @Test("Escape leaves a page")
  func leaving() throws {
    let desk = try Desk(NavigationStack { NavigationLink("open") { Text("page") } })
    #expect(try desk.press(.escape).marked == "[ open ]")
    #expect(try desk.press(.enter).text == "page")
    #expect(try desk.press(.escape).text == "[ open ]")
  }

  @Test("Ctrl-R refreshes")
  func refreshing() async throws {
    let count = CurrentValueSubject<Int, Never>(0)
    nonisolated(unsafe) let counting = count
    let desk = try Desk(List { Text("a") }.refreshable { counting.value += 1 })
    try desk.press(.refresh)
    for _ in 0..<1000 where count.value == 0 { await Task.yield() }
    #expect(count.value == 1)
    try Desk(Text("a")).press(.refresh)
  }

  @Test("Options are selected")
  func options() throws {
    let desk = try Desk(Songs(songs: []))
    #expect(try desk.press(.tab, .enter).text.hasSuffix("( ) red\n(•) blue"))
  }
}
