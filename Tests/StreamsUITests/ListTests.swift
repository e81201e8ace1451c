import StreamsUI
import Testing

@MainActor @Suite struct ListTests {
  private struct Song: Identifiable {
    let id: Int
    let title: String
  }

  private static let songs = [
    Song(id: 1, title: "Air"), Song(id: 2, title: "Bourrée"), Song(id: 3, title: "Canon"),
  ]

  private struct OneOf: View {
    @State private var chosen: Int?
    var body: some View {
      List(ListTests.songs, selection: $chosen) { Row(song: $0) }
      Chosen(text: $chosen.map(get: { $0.map { "\($0)" } ?? "none" }, set: { old, _ in old }))
      Button("clear") { chosen = nil }
    }
  }

  private struct Row: View {
    let song: Song
    var body: some View { Text(song.title) }
  }

  private struct Chosen: View {
    @Binding var text: String
    var body: some View { Text(text) }
  }

  private func selected(_ host: ViewHost) -> [String] {
    host.tree.all.filter { $0.attributes["isSelected"] == "true" }.map(\.label)
  }

  private func select(_ host: ViewHost, _ labels: String...) throws {
    for label in labels {
      try host.select(label)
      try host.update()
    }
  }

  @Test func oneRowIsSelected() throws {
    let host = ViewHost(OneOf())
    try host.update()
    #expect(selected(host) == [])
    // Neither the view around the list nor its rows are evaluated.
    #expect(try host.evaluated { try host.select("Bourrée") } == ["Chosen"])
    #expect(selected(host) == ["Bourrée"] && host.find("2") != nil)
    try select(host, "Air", "Air")
    #expect(selected(host) == ["Air"])
    try host.tap("clear")
    try host.update()
    #expect(selected(host) == [] && host.find("none") != nil)
  }

  private struct SomeOf: View {
    @State private var chosen: Set<String> = ["red"]
    var body: some View {
      Text("chosen: " + chosen.sorted().joined(separator: " "))
      List(selection: $chosen) {
        Section("warm") {
          Text("Red").tag("red")
          Text("Pink").tag("pink")
        }
        Group {
          Section("cold") { ForEach(["blue", "green"], id: \.self) { AnyView(Text($0)) } }
        }
        .environment(\.lineLimit, 1)
        Text("untagged")
        Text("other").tag(5)
      }
    }
  }

  @Test func severalRowsAreSelected() throws {
    let host = ViewHost(SomeOf())
    try host.update()
    #expect(selected(host) == ["Red"])
    try select(host, "Pink", "green", "Red")
    #expect(selected(host) == ["Pink", "green"] && host.find("chosen: green pink") != nil)
    #expect(host.find("cold")?.attributes["lineLimit"] == "1")
    for label in ["untagged", "other", "warm"] {
      #expect(throws: ViewHost.ActionError.self) { try host.select(label) }
    }
  }

  @Test func allWaysToMakeAListCompile() throws {
    let one = Binding.constant(2 as Int?)
    let several = Binding.constant(Set([1, 3]))
    let songs = Self.songs
    func rows<V: View>(_ view: V) throws -> [String] {
      let host = ViewHost(view)
      try host.update()
      return selected(host)
    }
    #expect(try rows(List(songs, id: \.id, selection: one) { Text($0.title) }) == ["Bourrée"])
    #expect(try rows(List(songs, id: \.id, selection: several) { Text($0.title) }) == ["Air", "Canon"])
    #expect(try rows(List(songs, selection: several) { Text($0.title) }) == ["Air", "Canon"])
    #expect(try rows(List(selection: one) { ForEach(songs) { Text($0.title) } }) == ["Bourrée"])
    #expect(try rows(List(songs) { Text($0.title) }) == [])
  }

  private struct Editor: View {
    @State private var items = ["a", "b", "c", "fixed"]
    @State private var isLocked = false
    @State private var chosen: String?
    var body: some View {
      Text(items.joined(separator: " "))
      Toggle("locked", isOn: $isLocked)
      List(selection: $chosen) {
        ForEach(items, id: \.self) { item in
          Item(name: item).deleteDisabled(item == "fixed").moveDisabled(item == "fixed")
        }
        .onDelete(perform: isLocked ? nil : { items.remove(atOffsets: $0) })
        .onMove { items.move(fromOffsets: $0, toOffset: $1) }
      }
    }
  }

  private struct Item: View {
    let name: String
    @State private var count = 0
    var body: some View { Button("\(name) \(count)") { count += 1 } }
  }

  @Test func rowsAreDeletedAndMoved() throws {
    let host = ViewHost(Editor())
    try host.update()
    try host.tap("c 0")
    try host.update()
    // Offsets are those of now, also for rows that were not evaluated.
    #expect(try host.evaluated { try host.delete("a 0") } == ["Editor"])
    #expect(host.find("b c fixed") != nil)
    try host.move("c 1", toOffset: 0)
    try host.update()
    #expect(host.find("c b fixed") != nil && host.find("c 1") != nil)
    try host.move("c 1", toOffset: 3)
    try host.update()
    #expect(host.find("b fixed c") != nil)
    try host.delete("c 1")
    try host.update()
    #expect(host.find("b fixed") != nil)
    try select(host, "b 0")
    #expect(selected(host) == ["b 0"])
  }

  @Test func whatIsForbiddenThrows() throws {
    let host = ViewHost(Editor())
    try host.update()
    let forbidden = ViewHost.ActionError.disabled(label: "fixed 0")
    #expect(throws: forbidden) { try host.delete("fixed 0") }
    #expect(throws: forbidden) { try host.move("fixed 0", toOffset: 0) }
    #expect(throws: ViewHost.ActionError.notFound(kind: "Row", label: "none")) { try host.delete("none") }
    try host.toggle("locked")
    try host.update()
    #expect(throws: ViewHost.ActionError.disabled(label: "a 0")) { try host.delete("a 0") }
    try host.move("a 0", toOffset: 2)
    try host.update()
    #expect(host.find("b a c fixed") != nil)
  }

  @Test func rowsAreEditedOnlyInLists() throws {
    let host = ViewHost(VStack { ForEach(0..<2) { Text("\($0)") }.onDelete { _ in } })
    try host.update()
    #expect(host.first { $0.row != nil } == nil)
    #expect(throws: ViewHost.ActionError.notFound(kind: "Row", label: "0")) { try host.delete("0") }
  }

  private struct Switching: View {
    let log: (String) -> Void
    @State private var isEditing = false
    @State private var chosen: String?
    @FocusState private var focused: String?
    var body: some View {
      Toggle("editing", isOn: $isEditing)
      Text("focus \(focused ?? "none")")
      List(["a", "b"], id: \.self, selection: isEditing ? $chosen : nil) { name in
        Item(name: name).focused($focused, equals: name)
          .onAppear { log("+\(name)") }.onDisappear { log("-\(name)") }
      }
    }
  }

  @Test func rowsStayWhenTheSelectionBeginsOrEnds() throws {
    var log: [String] = []
    var host: ViewHost? = ViewHost(Switching { log.append($0) })
    try host?.update()
    try host?.tapEach("a 0")
    for isEditing in [true, false, true] {
      try host?.act { try host?.toggle("editing") }
      try host?.act { host?.focused = host?.first { $0.kind == "Button" && $0.label == "b 0" } }
      #expect(host?.labels("Row").count == (isEditing ? 2 : 0))
      #expect(host?.find("a 1") != nil && host?.find("focus b") != nil && log == ["+a", "+b"])
    }
    host = nil
    #expect(log.sorted() == ["+a", "+b", "-a", "-b"])
  }
}
