import StreamsUI
import Testing

private struct SchemeText: View {
  let name: String
  @Environment(\.colorScheme) private var scheme
  var body: some View { Text("\(name) \(scheme)") }
}

private struct PopoverContent: View {
  @Environment(\.dismiss) private var dismiss
  var body: some View {
    SchemeText(name: "popover")
    Button("Close") { dismiss() }
  }
}

private struct MyView: View {
  @State private var isPopped = false
  @State private var isDark = true

  var body: some View {
    SchemeText(name: "view")
    Button("Pop") { isPopped = true }
    Toggle("Dark", isOn: $isDark)
      .popover(isPresented: $isPopped) {
        PopoverContent()
          .preferredColorScheme(isDark ? .dark : nil)
      }
  }
}

@MainActor @Suite struct PresentationTests {
  @Test func aPreferenceReachesThePopover() throws {
    let host = ViewHost(MyView())
    try host.update()
    #expect(host.texts == ["view light", "Pop", "Dark"])
    try host.tap("Pop")
    try host.update()
    #expect(host.texts == ["view light", "Pop", "Dark", "popover dark", "Close"])
    #expect(host.first { $0.kind == "Popover" }?.attributes == ["colorScheme": "dark"])
    #expect(host.tree.attributes == [:])
    try host.toggle("Dark")
    try host.update()
    #expect(host.find("popover light") != nil)
    try host.tap("Close")
    try host.update()
    #expect(host.first { $0.kind == "Popover" } == nil)
  }

  @Test func aPreferenceReachesTheWindow() throws {
    struct Screen: View {
      @State var isShown = true
      var body: some View {
        SchemeText(name: "a")
        Toggle("shown", isOn: $isShown)
        if isShown {
          SchemeText(name: "b").preferredColorScheme(.light).preferredColorScheme(.dark)
        }
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(host.texts == ["a dark", "shown", "b dark"])
    #expect(host.tree.attributes["colorScheme"] == "dark")
    try host.toggle("shown")
    try host.update()
    #expect(host.texts == ["a light", "shown"])
    #expect(host.tree.attributes["colorScheme"] == nil)
  }

  @Test func anAppMayBeTheMainProgram() throws {
    _ = MainApp.entry
    let host = ViewHost(app: MainApp())
    try host.update()
    #expect(host.texts == ["main"])
  }

  @Test func anAppHasWindows() throws {
    final class Model: ObservableObject { @Published var count = 0 }
    struct Extra: Scene {
      let model: Model
      var body: some Scene { WindowGroup("Extra") { Counter().environmentObject(model) } }
    }
    struct Counter: View {
      @EnvironmentObject var model: Model
      var body: some View { Button("\(model.count)") { model.count += 1 } }
    }
    struct MyApp: App {
      @StateObject private var model = Model()
      var body: some Scene {
        WindowGroup { Text("total \(model.count)") }
        Extra(model: model)
      }
    }
    let host = ViewHost(app: MyApp())
    try host.update()
    #expect(
      host.description == """
        Window
          Text "total 0"
        Window title=Extra
          Button
            Text "0"
        """)
    try host.tap("0")
    try host.update()
    #expect(host.texts == ["total 1", "1"])
  }
}

/// A program may be the main one.
private struct MainApp: App {
  static let entry: @MainActor () -> Void = MainApp.main
  var body: some Scene { WindowGroup { Text("main") } }
}
