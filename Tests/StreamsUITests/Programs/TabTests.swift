import StreamsUI
import Testing

private enum Place: Hashable { case inbox, drafts, profile }

@Observable private final class Navigator {
  var place = Place.inbox
  var opened: [String] = []
}

private struct MailApp: View {
  @State private var navigator = Navigator()
  @State private var visits = Visits()

  var body: some View {
    TabView(selection: $navigator.place) {
      Inbox()
        .tabItem { Text("Inbox") }
        .tag(Place.inbox)
      Drafts(visits: visits)
        .tabItem { Text("Drafts") }
        .tag(Place.drafts)
      Profile(visits: visits)
        .tabItem { Text("Profile") }
        .tag(Place.profile)
    }
    .environment(navigator)
  }
}

@Observable private final class Visits {
  var drafts = 0
}

private struct Inbox: View {
  @Environment(Navigator.self) private var navigator

  var body: some View {
    @Bindable var navigator = navigator
    NavigationStack(path: $navigator.opened) {
      List(["Ada", "Grace"], id: \.self) { NavigationLink($0, value: $0) }
        .navigationTitle("Inbox")
        .navigationDestination(for: String.self) { Letter(sender: $0) }
    }
  }
}

private struct Letter: View {
  let sender: String
  @State private var isStarred = false
  @Environment(Navigator.self) private var navigator

  var body: some View {
    Text("From \(sender)")
    Toggle("Star", isOn: $isStarred)
    Button("Write") { navigator.place = .drafts }
  }
}

private struct Drafts: View {
  let visits: Visits
  @State private var text = ""

  var body: some View {
    TextField("Text", text: $text)
      .onAppear { visits.drafts += 1 }
  }
}

private struct Profile: View {
  let visits: Visits
  @Environment(Navigator.self) private var navigator

  var body: some View {
    Text("Drafts opened: \(visits.drafts)")
    Button("Open Grace's letter") {
      navigator.opened = ["Grace"]
      navigator.place = .inbox
    }
  }
}

/// Tabs that keep what is in them, and that views in them switch.
@MainActor @Suite struct TabTests {
  private func makeHost() throws -> ViewHost {
    let host = ViewHost(MailApp())
    try host.update()
    return host
  }

  private func selected(_ host: ViewHost) -> [String] {
    host.tree.all.filter { $0.kind == "Tab" && $0.attributes["isSelected"] == "true" }.map(\.label)
  }

  @Test func stateSurvivesSwitching() throws {
    let host = try makeHost()
    try host.tapEach("Ada")
    try host.act { try host.toggle("Star") }
    try host.act { try host.select("Drafts") }
    #expect(host.find("From Ada") == nil)
    try host.act { try host.type("Dear Ada", into: "Text") }
    try host.act { try host.select("Inbox") }
    #expect(host.find("From Ada") != nil && host.find("Star")?.attributes["isOn"] == "true")
    try host.act { try host.select("Drafts") }
    #expect(host.value("Text") == "Dear Ada")
  }

  @Test func aTabIsMadeWhenItIsFirstShown() throws {
    let host = ViewHost(MailApp())
    #expect(try host.evaluated() == ["MailApp", "Inbox"])
    #expect(try host.evaluated { try host.select("Profile") } == ["Profile"])
    #expect(host.find("Drafts opened: 0") != nil)
    #expect(try host.evaluated { try host.select("Drafts") } == ["Drafts", "Profile"])
    #expect(try host.evaluated { try host.select("Profile") } == [])
    #expect(host.find("Drafts opened: 1") != nil)
  }

  @Test func aViewInATabSwitchesToAnother() throws {
    let host = try makeHost()
    try host.tapEach("Ada")
    try host.act { try host.toggle("Star") }
    try host.tapEach("Write")
    #expect(selected(host) == ["Drafts"] && host.find("Text") != nil)
    try host.act { try host.select("Profile") }
    try host.tapEach("Open Grace's letter")
    #expect(selected(host) == ["Inbox"] && host.find("From Grace") != nil)
    // Another letter in the same place of the path is another view.
    #expect(host.find("Star")?.attributes["isOn"] == "false")
  }
}
