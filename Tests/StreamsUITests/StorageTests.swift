import Dispatch
import StreamsUI
import Testing

@MainActor @Suite struct StorageTests {
  private enum Theme: String { case light, dark }
  private enum Level: Int {
    case low = 1
    case high
  }

  /// A store that nobody else has. It is never written to a disk.
  private let store = UserDefaults(suiteName: UUID().uuidString)!

  private struct Switch: View {
    @AppStorage("isOn") private var isOn = false
    var body: some View { Toggle("on", isOn: $isOn) }
  }

  private struct Lamp: View {
    @AppStorage("isOn") private var isOn = false
    var body: some View { Text(isOn ? "light" : "dark") }
  }

  private struct Other: View {
    @AppStorage("other") private var other = 0
    @AppStorage("isOn") private var isOn = true
    var body: some View { Text("\(other) \(isOn)") }
  }

  private struct House: View {
    var body: some View {
      Switch()
      Lamp()
      Other()
    }
  }

  @Test func viewsShareAValue() throws {
    let host = ViewHost(House().defaultAppStorage(store))
    try host.update()
    // Each has a first value of its own.
    #expect(host.texts == ["on", "dark", "0 true"])
    #expect(try host.evaluated { try host.toggle("on") } == ["Lamp"])
    #expect(host.texts == ["on", "light", "0 true"] && store.bool(forKey: "isOn"))
    #expect(try host.evaluated { try host.toggle("on") }.sorted() == ["Lamp", "Other"])
    #expect(host.texts == ["on", "dark", "0 false"])
    // The value is there for another host, and for no other store.
    let second = ViewHost(House().defaultAppStorage(store))
    try second.update()
    #expect(second.texts == host.texts)
    try second.toggle("on")
    #expect(try host.evaluated().sorted() == ["Lamp", "Other"])
    let third = ViewHost(House().defaultAppStorage(UserDefaults(suiteName: UUID().uuidString)!))
    try third.update()
    #expect(third.texts == ["on", "dark", "0 true"])
  }

  private struct Values: View {
    @AppStorage private var int: Int
    @AppStorage private var double: Double
    @AppStorage private var string: String
    @AppStorage private var url: URL
    @AppStorage private var data: Data
    @AppStorage private var date: Date
    @AppStorage private var theme: Theme
    @AppStorage private var level: Level
    @AppStorage private var name: String?
    @AppStorage private var limit: Int?
    @AppStorage private var chosen: Theme?
    @AppStorage private var height: Level?

    init(_ store: UserDefaults) {
      _int = AppStorage(wrappedValue: 1, "int", store: store)
      _double = AppStorage(wrappedValue: 1, "double", store: store)
      _string = AppStorage(wrappedValue: "1", "string", store: store)
      _url = AppStorage(wrappedValue: URL(string: "https://a.org/1")!, "url", store: store)
      _data = AppStorage(wrappedValue: Data([1]), "data", store: store)
      _date = AppStorage(wrappedValue: Date(timeIntervalSince1970: 1), "date", store: store)
      _theme = AppStorage(wrappedValue: .light, "theme", store: store)
      _level = AppStorage(wrappedValue: .low, "level", store: store)
      _name = AppStorage("name", store: store)
      _limit = AppStorage("limit", store: store)
      _chosen = AppStorage("chosen", store: store)
      _height = AppStorage("height", store: store)
    }

    var body: some View {
      Text(
        "\(int) \(double) \(string) \(url) \(data[0]) \(date.timeIntervalSince1970) \(theme) \(level.rawValue)"
      )
      Text(
        [name, limit.map { "\($0)" }, chosen?.rawValue, height.map { "\($0)" }].map { $0 ?? "-" }.joined())
      Button("set") {
        (int, double, string, url) = (2, 2.5, "2", URL(string: "https://b.org/2")!)
        (data, date, theme, level) = (Data([2]), Date(timeIntervalSince1970: 2), .dark, .high)
        (name, limit, chosen, height) = ("n", 3, .dark, .low)
      }
      Button("clear") { (name, limit, chosen, height) = (nil, nil, nil, nil) }
    }
  }

  @Test func valuesOfAllTypesAreKept() throws {
    let host = ViewHost(Values(store))
    try host.update()
    #expect(host.texts.prefix(2) == ["1 1.0 1 https://a.org/1 1 1.0 light 1", "----"])
    try host.tap("set")
    try host.update()
    let set = ["2 2.5 2 https://b.org/2 2 2.0 dark 2", "n3darklow"]
    #expect(Array(host.texts.prefix(2)) == set)
    host.unmount()
    let second = ViewHost(Values(store))
    try second.update()
    #expect(Array(second.texts.prefix(2)) == set)
    try second.tap("clear")
    try second.update()
    #expect(second.texts[1] == "----" && store.object(forKey: "name") == nil)
  }

  @Test func whatOtherCodeSetsIsShown() throws {
    let host = ViewHost(Lamp().defaultAppStorage(store))
    try host.update()
    store.set(true, forKey: "isOn")
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: store)
    try host.update()
    #expect(host.texts == ["light"])
    // A value of another type is none.
    store.set("text", forKey: "other")
    let other = ViewHost(Other().defaultAppStorage(store))
    try other.update()
    #expect(other.texts == ["0 true"])
  }

  @Test func aValueCanBeSetOutsideATreeAndOnAnyThread() throws {
    let host = ViewHost(House().defaultAppStorage(store))
    try host.update()
    nonisolated(unsafe) let isOn = AppStorage(wrappedValue: false, "isOn", store: store)
    DispatchQueue.concurrentPerform(iterations: 50) { isOn.wrappedValue = $0 % 2 == 0 }
    isOn.wrappedValue = true
    try host.update()
    #expect(host.texts == ["on", "light", "0 true"] && isOn.wrappedValue)
  }

  private struct Tabs: View {
    @SceneStorage("tab") private var tab = 1
    @SceneStorage("theme") private var theme: Theme?
    @State private var isThere = true
    @State private var isShown = true
    var body: some View {
      Toggle("there", isOn: $isThere)
      if isThere { Tab() }
      Button("dark") { theme = .dark }
      Text("tab \(tab) \(theme?.rawValue ?? "none")")
        .sheet(isPresented: $isShown) { Tab() }
    }
  }

  private struct Tab: View {
    @SceneStorage("tab") private var tab = 1
    var body: some View { Button("next \(tab)") { tab += 1 } }
  }

  @Test func aWindowKeepsValues() throws {
    let host = ViewHost(Tabs())
    let other = ViewHost(Tabs())
    try host.update()
    try other.update()
    #expect(try host.evaluated { try host.tap("next 1") } == ["Tabs", "Tab", "Tab"])
    try host.toggle("there")
    try host.tap("dark")
    try host.update()
    try host.toggle("there")
    try host.update()
    #expect(host.texts == ["there", "next 2", "dark", "tab 2 dark", "next 2"])
    #expect(other.find("tab 1 none") != nil)
  }
}
