import StreamsUI
import Testing

/// Pages for a flag or an item: they are there while the binding says so.
@MainActor @Suite struct DestinationTests {
  private struct Page: View {
    let name: String
    let again: () -> Void
    @State private var count = 0
    @Environment(\.dismiss) private var dismiss
    var body: some View {
      Button("\(name) \(count)") { count += 1 }
      Button("back") { dismiss() }
      Button("again") {
        dismiss()
        again()
      }
    }
  }

  private struct Numbers: View {
    @State private var number: Int?
    var body: some View {
      Text("number \(number ?? 0)")
      NavigationStack {
        Button("one") { number = 1 }
          .navigationDestination(item: $number) { shown in
            Page(name: "page \(shown)") { number = shown + 1 }
          }
      }
    }
  }

  @Test func anItemThatIsSetAgainAfterADismissalIsShown() throws {
    let host = ViewHost(Numbers())
    try host.update()
    try host.tapEach("one", "page 1 0", "again")
    #expect(host.texts == ["number 2", "page 2 0", "back", "again"])
    try host.tapEach("page 2 0", "again", "back")
    #expect(host.texts == ["number 0", "one"])
    try host.tapEach("one")
    #expect(host.texts.contains("page 1 0"))
  }

  private struct Flag: View {
    @State private var isShown = false
    @State private var isKept = false
    @State private var path: [Int] = []
    var body: some View {
      Text("shown \(isShown) \(path)")
      Toggle("kept", isOn: $isKept)
      Button("off") { isShown = false }
      Button("one") { path = [1] }
      Button("home") { path = [] }
      NavigationStack(path: $path) {
        Button("show") { isShown = true }
          .navigationDestination(isPresented: isKept ? kept : $isShown) {
            Page(name: "page") { isShown = true }
          }
          .navigationDestination(for: Int.self) { Text("value \($0)") }
          .onChange(of: isShown) { _, isShown in if isKept { self.isShown = true } }
      }
    }
    /// Refuses to become false.
    private var kept: Binding<Bool> { Binding(get: { isShown }, set: { isShown = isShown || $0 }) }
  }

  @Test func aFlagThatIsSetAgainAfterADismissalIsShown() throws {
    let host = ViewHost(Flag())
    try host.update()
    try host.tapEach("show", "again")
    #expect(host.texts.contains("page 0") && host.texts[0] == "shown true []")
    try host.tapEach("back")
    #expect(host.texts.contains("show") && host.texts[0] == "shown false []")
  }

  @Test func aPageStaysWhereTheBindingRefusesToBecomeFalse() throws {
    let host = ViewHost(Flag())
    try host.update()
    try host.act { try host.toggle("kept") }
    try host.tapEach("show", "page 0", "back")
    #expect(host.texts.contains("page 1") && host.texts[0] == "shown true []")
    // Set to false, and to true again in the same update.
    try host.tapEach("off")
    #expect(host.texts.contains { $0.hasPrefix("page") } && host.texts[0] == "shown true []")
    // It lay above a value that is gone.
    try host.act { try host.toggle("kept") }
    try host.tapEach("back", "one")
    try host.act { try host.toggle("kept") }
    #expect(host.texts.contains("value 1"))
  }

  @Test func aKeptPageOutlivesTheValueBelowIt() throws {
    let host = ViewHost(Above())
    try host.update()
    #expect(host.texts.contains("page 0"))
    try host.tapEach("home")
    #expect(host.texts.contains("page 0") && host.texts[0] == "path []")
    try host.tapEach("back")
    #expect(host.texts.contains("page 0"))
  }

  private struct Above: View {
    @State private var path = [1]
    var body: some View {
      Text("path \(path)")
      Button("home") { path = [] }
      NavigationStack(path: $path) {
        Text("root")
          .navigationDestination(isPresented: .constant(true)) { Page(name: "page") {} }
          .navigationDestination(for: Int.self) { Text("value \($0)") }
      }
    }
  }

  private final class Song: ObservableObject {
    let name: String
    @Published var isOpen = true
    init(_ name: String) { self.name = name }
  }

  private struct SongView: View {
    @ObservedObject var song: Song
    var body: some View {
      NavigationStack {
        Text(song.name).navigationDestination(isPresented: $song.isOpen) { Page(name: song.name) {} }
      }
    }
  }

  private struct Songs: View {
    let songs: [Song]
    @State private var index = 0
    @State private var isThere = true
    var body: some View {
      if isThere { SongView(song: songs[index]) }
      Button("next") { index += 1 }
      Button("leave") { isThere = false }
    }
  }

  @Test(arguments: ["back", "leave"])
  func leavingAPageSetsTheBindingOfNow(_ way: String) throws {
    let songs = ["Air", "Bourrée"].map(Song.init)
    let host = ViewHost(Songs(songs: songs))
    try host.update()
    try host.tapEach("Air 0", "next")
    #expect(host.texts.contains("Bourrée 1"))
    try host.tapEach(way)
    #expect(songs.map(\.isOpen) == [true, false])
  }
}
