import StreamsUI
import Testing

@MainActor @Suite struct SelectionTests {
  private enum Color: String, CaseIterable, Identifiable {
    case red, green, blue
    var id: Self { self }
  }

  private struct Painter: View {
    @State private var color = Color.red
    @State private var size: Int? = 1
    var body: some View {
      Picker("Color", selection: $color) { ForEach(Color.allCases) { Text($0.rawValue) } }
      Picker("Size", selection: $size) {
        Text("none").tag(nil as Int?)
        Text("small").tag(1 as Int?)
        Text("wrong").tag("2")
        Text("untagged")
      }
      Text("\(color.rawValue) \(size.map(String.init) ?? "none")")
    }
  }

  @Test func aPickerSelects() throws {
    let host = ViewHost(Painter())
    try host.update()
    let selected = { host.tree.all.filter { $0.attributes["isSelected"] == "true" }.map(\.label) }
    #expect(selected() == ["red", "small"])
    try host.select("blue", in: "Color")
    try host.select("none", in: "Size")
    try host.update()
    #expect(selected() == ["blue", "none"] && host.find("blue none") != nil)
    try host.select("wrong", in: "Size")
    try host.select("untagged")
    #expect(try host.evaluated() == [])
    #expect(throws: ViewHost.ActionError.notFound(kind: "Option", label: "pink")) {
      try host.select("pink", in: "Color")
    }
    #expect(throws: ViewHost.ActionError.notFound(kind: "Picker", label: "Shape")) {
      try host.select("red", in: "Shape")
    }
    #expect(throws: ViewHost.ActionError.notFound(kind: "Tab, Option or Row", label: "pink")) {
      try host.select("pink")
    }
  }

  private struct Counter: View {
    let name: String
    let log: (String) -> Void
    @State private var count = 0
    var body: some View {
      Button("\(name) \(count)") { count += 1 }
        .onAppear { log("+\(name)") }.onDisappear { log("-\(name)") }
    }
  }

  private struct Screen: View {
    let log: (String) -> Void
    @State var tab = "a"
    @State private var isThere = true
    var body: some View {
      Toggle("there", isOn: $isThere)
      Text("tab \(tab)")
      if isThere {
        TabView(selection: $tab) {
          Counter(name: "first", log: log).tag("a").tabItem { Text("A") }
          Counter(name: "second", log: log).tabItem { Text("B") }.tag("b")
        }
      }
    }
  }

  @Test func theStateOfATabSurvives() throws {
    var log: [String] = []
    let host = ViewHost(Screen { log.append($0) })
    try host.update()
    #expect(host.find("first 0") != nil && host.find("second 0") == nil && log == ["+first"])
    try host.tap("first 0")
    try host.select("B")
    try host.update()
    #expect(host.find("first 1") == nil && host.find("second 0") != nil && host.find("tab b") != nil)
    try host.select("A")
    try host.update()
    #expect(host.find("first 1") != nil && host.find("second 0") == nil && log == ["+first", "+second"])
    try host.toggle("there")
    try host.update()
    #expect(log.sorted() == ["+first", "+second", "-first", "-second"])
  }

  private struct Untagged: View {
    var body: some View {
      TabView {
        Text("one").tabItem { Text("1") }
        Text("two").tabItem { Text("2") }
      }
    }
  }

  @Test func aTabViewSelectsByItself() throws {
    let host = ViewHost(Untagged())
    try host.update()
    #expect(host.texts == ["1", "one", "2"])
    try host.select("2")
    try host.update()
    #expect(host.texts == ["1", "2", "two"])
    #expect(throws: ViewHost.ActionError.self) { try host.tap("one") }
  }

  private struct Choosing: View {
    let isBound: Bool
    let log: (String) -> Void
    @State private var bound = 2
    @State private var numbers = [1, 2, 3]
    var body: some View {
      Text("bound \(bound)")
      Button("all") { numbers = [1, 2, 3] }
      ForEach(1..<4) { number in Button("without \(number)") { numbers.removeAll { $0 == number } } }
      TabView(selection: isBound ? $bound : nil) {
        ForEach(numbers, id: \.self) { number in
          Counter(name: "\(number)", log: log).tabItem { Text("tab \(number)") }
        }
      }
    }
  }

  @Test(arguments: [true, false]) func theFirstTabIsShownIfThereIsNoneOfTheSelection(_ isBound: Bool) throws {
    var log: [String] = []
    let host = ViewHost(Choosing(isBound: isBound) { log.append($0) })
    try host.update()
    try host.act { try host.select("tab 2") }
    try host.tapEach("2 0")
    #expect(host.labels("Page") == ["2 1"])
    log = []
    try host.tapEach("without 2")
    #expect(host.labels("Page") == ["1 0"] && log.contains("-2"))
    try host.tapEach("1 0", "without 1")
    #expect(host.labels("Page") == ["3 0"])
    let selected = { host.tree.all.filter { $0.attributes["isSelected"] == "true" }.map(\.label) }
    #expect(selected() == ["tab 3"] && host.texts[0] == "bound 2")
    // The binding has kept its value.
    try host.tapEach("all")
    #expect(host.labels("Page") == ["2 0"] && selected() == ["tab 2"])
    try host.tapEach("without 1", "without 2", "without 3")
    #expect(host.labels("Page") == [] && host.labels("TabView") == [""])
  }

  @Test func aTabThatComesBackAppearsWhenItIsShown() throws {
    var log: [String] = []
    let host = ViewHost(Choosing(isBound: true) { log.append($0) })
    try host.update()
    for tab in ["tab 2", "tab 1"] { try host.act { try host.select(tab) } }
    log = []
    try host.tapEach("without 2")
    #expect(log == ["-2"])
    try host.tapEach("all")
    #expect(log == ["-2"])
    try host.act { try host.select("tab 2") }
    #expect(log == ["-2", "+2"] && host.labels("Page") == ["2 0"])
  }

  private struct Asking: View {
    @State private var isAsking = false
    @State private var isAskingAll = false
    var body: some View {
      TabView {
        Button("ask") { isAsking = true }.alert("sure?", isPresented: $isAsking) {}.tabItem { Text("1") }
        Group {
          Button("ask all") { isAskingAll = true }.tabItem { Text("2") }
          Text("three").tabItem { Text("3") }.alert("really?", isPresented: .constant(false)) {}
        }
        .alert("all?", isPresented: $isAskingAll) {}
      }
    }
  }

  @Test func anAlertLeavesTheTabsAsTheyAre() throws {
    let host = ViewHost(Asking())
    try host.update()
    #expect(host.texts == ["1", "ask", "2", "3"])
    try host.tapEach("ask")
    #expect(host.texts == ["1", "ask", "sure?", "OK", "2", "3"])
    try host.tapEach("OK")
    try host.act { try host.select("2") }
    try host.tapEach("ask all")
    #expect(host.texts == ["1", "2", "ask all", "3", "all?", "OK"])
    try host.tapEach("OK")
    try host.act { try host.select("3") }
    #expect(host.texts == ["1", "2", "3", "three"])
  }

  /// Against the same done one by one.
  @Test func elementsMoveAndGo() {
    for count in 0..<6 {
      for bits in 0..<(1 << count) {
        let offsets = IndexSet((0..<count).filter { bits >> $0 & 1 == 1 })
        var rest = Array(0..<count)
        rest.remove(atOffsets: offsets)
        #expect(rest == (0..<count).filter { !offsets.contains($0) })
        for destination in 0...count {
          var moved = Array(0..<count)
          moved.move(fromOffsets: offsets, toOffset: destination)
          let before = (0..<destination).filter { !offsets.contains($0) }
          let after = (destination..<count).filter { !offsets.contains($0) }
          #expect(moved == before + offsets + after)
        }
      }
    }
  }
}
