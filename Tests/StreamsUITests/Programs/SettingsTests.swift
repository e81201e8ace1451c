import StreamsUI
import Testing

private enum Theme: String, CaseIterable, Identifiable {
  case system = "System"
  case light = "Light"
  case dark = "Dark"
  var id: Self { self }

  var colorScheme: ColorScheme? {
    switch self {
    case .system: nil
    case .light: .light
    case .dark: .dark
    }
  }
}

private enum Keys {
  static let theme = "theme"
  static let size = "size"
  static let name = "name"
}

private struct ReaderApp: View {
  @AppStorage(Keys.theme) private var theme = Theme.system
  @State private var isSetting = false

  var body: some View {
    VStack {
      Page(number: 1)
      Button("Settings") { isSetting = true }
    }
    .sheet(isPresented: $isSetting) { Settings() }
    .preferredColorScheme(theme.colorScheme)
  }
}

private struct Page: View {
  let number: Int
  @AppStorage(Keys.size) private var size = 12
  @AppStorage(Keys.name) private var name: String?
  @Environment(\.colorScheme) private var colorScheme

  var body: some View { Text("Page \(number) for \(name ?? "you"), \(size) points, \(colorScheme)") }
}

private struct Settings: View {
  @AppStorage(Keys.theme) private var theme = Theme.system
  @AppStorage(Keys.size) private var size = 12
  @AppStorage(Keys.name) private var name: String?
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    Form {
      Section("Appearance") {
        Picker("Theme", selection: $theme) { ForEach(Theme.allCases) { Text($0.rawValue) } }
        Stepper("Size \(size)", value: $size, in: 8...14, step: 2)
      }
      Section("You") {
        Button("Call me Ada") { name = "Ada" }
        Button("Forget me", role: .destructive) { name = nil }
      }
      Button("Done") { dismiss() }
    }
  }
}

/// Settings that two views share, and that outlive the program.
@MainActor @Suite struct SettingsTests {
  private let store = UserDefaults(suiteName: UUID().uuidString)!

  private func makeHost() throws -> ViewHost {
    let host = ViewHost(ReaderApp().defaultAppStorage(store))
    try host.update()
    return host
  }

  @Test func whatIsSetInTheSheetIsSeenBelow() throws {
    let host = try makeHost()
    #expect(host.texts.first == "Page 1 for you, 12 points, light")
    try host.tapEach("Settings")
    try host.act { try host.increment("Size 12") }
    #expect(host.texts.first == "Page 1 for you, 14 points, light" && host.find("Size 14") != nil)
    #expect(throws: ViewHost.ActionError.disabled(label: "Size 14")) { try host.increment("Size 14") }
    try host.tapEach("Call me Ada", "Done")
    #expect(host.texts.first == "Page 1 for Ada, 14 points, light" && host.labels("Sheet") == [])
  }

  @Test func theThemeIsThatOfTheWindow() throws {
    let host = try makeHost()
    try host.tapEach("Settings")
    try host.act { try host.select("Dark", in: "Theme") }
    #expect(host.tree.attributes["colorScheme"] == "dark")
    #expect(host.texts.first == "Page 1 for you, 12 points, dark" && store.string(forKey: "theme") == "Dark")
    try host.act { try host.select("System", in: "Theme") }
    #expect(host.tree.attributes["colorScheme"] == nil)
    #expect(host.texts.first == "Page 1 for you, 12 points, light")
  }

  @Test func onlyWhoReadsAValueIsEvaluated() throws {
    let host = try makeHost()
    try host.tapEach("Settings")
    #expect(try host.evaluated { try host.decrement("Size 12") }.sorted() == ["Page", "Settings"])
    // The page is light already.
    #expect(try host.evaluated { try host.select("Light", in: "Theme") } == ["ReaderApp"])
    // The settings read neither the theme nor the name.
    #expect(try host.evaluated { try host.tap("Call me Ada") } == ["Page"])
  }

  @Test func theNextRunBeginsWithThem() throws {
    let first = try makeHost()
    try first.tapEach("Settings", "Call me Ada")
    try first.act { try first.decrement("Size 12") }
    try first.act { try first.select("Dark", in: "Theme") }
    first.unmount()
    let second = try makeHost()
    #expect(second.texts == ["Page 1 for Ada, 10 points, dark", "Settings"])
    try second.tapEach("Settings", "Forget me", "Done")
    #expect(second.texts.first == "Page 1 for you, 10 points, dark")
    #expect(store.object(forKey: "name") == nil)
  }
}
