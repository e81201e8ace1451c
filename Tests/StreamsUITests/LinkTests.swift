import StreamsUI
import Testing

@MainActor @Suite struct LinkTests {
  private struct Counter: View {
    let name: String
    @State private var count = 0
    @Environment(\.dismiss) private var dismiss
    var body: some View {
      Button("\(name) \(count)") { count += 1 }
      Button("back") { dismiss() }
      NavigationLink("deeper") { Counter(name: "deep \(name)") }
      NavigationLink("value", value: 7)
    }
  }

  private struct Browser: View {
    @State private var title = "a"
    @State private var path: [Int] = []
    var body: some View {
      Text("path \(path)")
      Button("rename") { title += "a" }
      Button("home") { path = [] }
      Button("seven") { path = [7] }
      NavigationStack(path: $path) {
        NavigationLink {
          Counter(name: title)
        } label: {
          Text("open")
        }
        NavigationLink(destination: Text("plain")) { Text("old") }
        NavigationLink("older", destination: Text("plainer"))
          .navigationDestination(for: Int.self) { Counter(name: "number \($0)") }
      }
    }
  }

  private func act(_ host: ViewHost, _ labels: String...) throws {
    for label in labels {
      try host.tap(label)
      try host.update()
    }
  }

  @Test func aLinkShowsItsView() throws {
    let host = ViewHost(Browser())
    try host.update()
    try act(host, "open", "a 0")
    #expect(host.find("a 1") != nil && host.find("open") == nil && host.find("path []") != nil)
    // The view is the link's of now, with its state.
    try act(host, "rename")
    #expect(host.find("aa 1") != nil)
    try act(host, "deeper", "deep aa 0", "deeper", "back")
    #expect(host.find("deep aa 1") != nil)
    try act(host, "back", "back", "old")
    #expect(host.find("plain") != nil && host.errors.isEmpty)
  }

  @Test func valuesAndLinksLieOnEachOther() throws {
    let host = ViewHost(Browser())
    try host.update()
    try act(host, "open", "value", "number 7 0", "deeper")
    #expect(host.find("deep number 7 0") != nil && host.find("path [7]") != nil)
    try act(host, "back")
    #expect(host.find("number 7 1") != nil)
    try act(host, "deeper", "home")
    // The link below the value stays open; that above it has gone, and does not come again.
    #expect(host.find("aa 0") == nil && host.find("a 0") != nil && host.find("path []") != nil)
    try act(host, "seven")
    #expect(host.find("number 7 0") != nil)
    try act(host, "back", "value", "deeper", "back", "back", "back")
    #expect(host.find("open") != nil && host.find("path []") != nil)
  }

  @Test func aPageIsOpenedOnce() throws {
    let host = ViewHost(Browser())
    try host.update()
    try host.tap("open")
    try host.tap("open")
    try host.update()
    try act(host, "back")
    #expect(host.find("open") != nil)
    let alone = ViewHost(NavigationLink("alone") { Text("never") })
    try alone.update()
    #expect(throws: ViewHost.ActionError.disabled(label: "alone")) { try alone.tap("alone") }
  }

  private struct Flagged: View {
    @State private var isDetailed = false
    @State private var item: String?
    @State private var path: [Int] = []
    var body: some View {
      Text("\(isDetailed) \(item ?? "none")")
      Button("home") { path = [] }
      Button("off") { isDetailed = false }
      Button("other") { item = "other" }
      NavigationStack(path: $path) {
        Button("details") { isDetailed = true }
          .navigationDestination(isPresented: $isDetailed) { Counter(name: "detail") }
        NavigationLink("one", value: 1)
          .navigationDestination(for: Int.self) { _ in
            Button("choose") { item = "first" }
              .navigationDestination(item: $item) { Counter(name: $0) }
          }
      }
    }
  }

  @Test func aFlagOrAnItemOpensAPage() throws {
    let host = ViewHost(Flagged())
    try host.update()
    try act(host, "details", "detail 0")
    #expect(host.find("detail 1") != nil && host.find("true none") != nil)
    try act(host, "back")
    #expect(host.find("details") != nil && host.find("false none") != nil)
    try act(host, "details")
    #expect(host.find("detail 0") != nil)
    try act(host, "off")
    #expect(host.find("details") != nil)
    try act(host, "one", "choose", "first 0", "other")
    #expect(host.find("other 0") != nil && host.find("false other") != nil)
    try act(host, "home")
    #expect(host.find("details") != nil && host.find("false none") != nil)
  }

  private struct Editing: ToolbarContent {
    @Environment(\.isEnabled) private var isEnabled
    let log: (String) -> Void
    var body: some ToolbarContent {
      ToolbarItem(placement: .primaryAction) { Button("add \(isEnabled)") { log("add") } }
      if isEnabled {
        ToolbarItemGroup(placement: .bottomBar) {
          Button("one") { log("one") }
          Button("two") { log("two") }
        }
      }
    }
  }

  private struct Bars: View {
    let log: (String) -> Void
    @State private var count = 0
    var body: some View {
      Group {
        Text("count \(count)")
        Text("below")
      }
      .toolbar { Button("more") { count += 1 } }
      .toolbar { Editing(log: log) }
    }
  }

  @Test func itemsOfAToolbarAct() throws {
    var log: [String] = []
    let host = ViewHost(Bars { log.append($0) })
    try host.update()
    #expect(
      host.description == """
        Toolbar
          ToolbarItem placement=primaryAction
            Button
              Text "add true"
          ToolbarItem placement=bottomBar
            Button
              Text "one"
          ToolbarItem placement=bottomBar
            Button
              Text "two"
        Toolbar
          ToolbarItem
            Button
              Text "more"
        Text "count 0"
        Text "below"
        """)
    for label in ["add true", "two"] { try host.tap(label) }
    try act(host, "more")
    #expect(log == ["add", "two"] && host.find("count 1") != nil)
  }

  @Observable final class Library { var name = "library" }

  private final class Model: ObservableObject {
    @Published var title = "model"
    nonisolated(unsafe) static var log: [String] = []
  }

  private struct Program: App {
    @StateObject private var model = Model()
    @Environment(\.scenePhase) private var phase
    var body: some Scene {
      WindowGroup("first") { Content() }
        .environmentObject(model)
        .environment(Library())
        .environment(\.lineLimit, 3)
        .onChange(of: phase) { old, new in Model.log.append("\(old) \(new)") }
        .onChange(of: phase, initial: true) { Model.log.append("phase") }
      WindowGroup("second") { Text("second") }
    }
  }

  private struct Content: View {
    @EnvironmentObject private var model: Model
    @Environment(Library.self) private var library
    @AppStorage("none") private var none = 1
    var body: some View { Text("\(model.title) \(library.name) \(none)") }
  }

  @Test func aSceneHasTheModifiersOfAView() throws {
    Model.log = []
    let host = ViewHost(app: Program())
    try host.update()
    #expect(host.texts == ["model library 1", "second"])
    #expect(host.tree.all.map { $0.attributes["lineLimit"] ?? "" }.filter { $0 != "" } == ["3"])
    #expect(host.tree.children.map { $0.attributes["title"] } == ["first", "second"])
    host.environment.scenePhase = .background
    try host.update()
    #expect(Model.log == ["phase", "phase", "active background"])
  }
}
