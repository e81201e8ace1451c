import StreamsUI
import Testing

@MainActor @Suite struct ContainerTests {
  private struct Settings: View {
    @State private var isExpanded = false
    @State private var name = ""

    var body: some View {
      Form {
        Section("Name") { TextField("name", text: $name) }
        Section {
          Text("content")
        } header: {
          Text("header")
        } footer: {
          Text("footer")
        }
        ZStack(alignment: .topLeading) {
          Text("below")
          Text("above")
        }
        DisclosureGroup("more", isExpanded: $isExpanded) { Counter() }
        DisclosureGroup("own") { Text("inside") }
      }
    }
  }

  private struct Counter: View {
    @State private var count = 0
    var body: some View { Button("count \(count)") { count += 1 } }
  }

  @Test func theyShowTheirParts() throws {
    let host = ViewHost(Settings())
    try host.update()
    #expect(
      host.description == """
        Form
          Section
            Text "Name"
            TextField value=
              Text "name"
          Section
            Text "header"
            Text "content"
            Text "footer"
          ZStack alignment=top leading
            Text "below"
            Text "above"
          Toggle isOn=false
            Text "more"
          Toggle isOn=false
            Text "own"
        """)
  }

  @Test func whatIsNotExpandedHasNoState() throws {
    let host = ViewHost(Settings())
    try host.update()
    for _ in 0..<2 {
      try host.toggle("more")
      try host.update()
      try host.tap("count 0")
      try host.update()
      #expect(host.find("count 1") != nil)
      try host.toggle("more")
      try host.update()
      #expect(host.find("count 1") == nil)
    }
    try host.toggle("own")
    try host.update()
    #expect(host.find("inside") != nil)
  }

  private struct Manual: View {
    let url: URL
    @State private var isOpen: Bool?
    @Environment(\.openURL) private var openURL
    var body: some View {
      Link("manual", destination: url)
      Button("ask") { openURL(url) { isOpen = $0 } }
      Text("\(isOpen.map { "\($0)" } ?? "unknown")")
    }
  }

  @Test func aURLIsOpenedByWhomTheEnvironmentNames() throws {
    let url = try #require(URL(string: "https://example.org"))
    var opened: [URL] = []
    let open = OpenURLAction {
      opened.append($0)
      return .handled
    }
    let host = ViewHost(Manual(url: url).environment(\.openURL, open))
    try host.update()
    try host.tap("manual")
    try host.tap("ask")
    try host.update()
    #expect(opened == [url, url] && host.find("true") != nil)
    let alone = ViewHost(Manual(url: url))
    try alone.update()
    try alone.tap("ask")
    try alone.update()
    #expect(alone.find("false") != nil)
  }
}
