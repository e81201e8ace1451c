import StreamsProperty
import StreamsUI
import Testing

@MainActor @Suite(.serialized) struct StateTests {
  struct Counter: View {
    @State var count: Int
    var title = "count"

    var body: some View {
      Button(title) { count += 1 }
      Text("\(count)")
    }
  }

  @Test func livesAsLongAsTheViewsIdentity() throws {
    struct Screen: View {
      @State var start = 1
      @State var id = 0

      var body: some View {
        Counter(count: start, title: "count \(start)").id(id)
        Button("start") { start += 10 }
        Button("id") { id += 1 }
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    try host.tap("count 1")
    try host.update()
    #expect(host.texts == ["count 1", "2", "start", "id"])
    try host.tap("start")
    try host.update()
    // The view is another value in the same place: its state stays.
    #expect(host.texts == ["count 11", "2", "start", "id"])
    try host.tap("id")
    try host.update()
    #expect(host.texts == ["count 11", "11", "start", "id"])
  }

  @Test func changesInOneTurnAreOneUpdate() throws {
    struct Screen: View {
      @State var one = 0
      @State var two = 0

      var body: some View {
        Button("both") {
          one += 1
          two += 1
          one += 1
        }
        Text("\(one) \(two)")
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(try host.evaluated { try host.tap("both") } == ["Screen"])
    #expect(host.texts == ["both", "2 1"])
    #expect(try host.evaluated() == [])
  }

  @Test func anEqualValueChangesNothing() throws {
    struct Box { let object: StateTests.Object }
    struct Screen: View {
      @State var number: Int? = 1
      @State var box: Box
      let same: Box

      var body: some View {
        Button("number") { number = 1 }
        Button("box") { box = same }
        Button("none") { number = nil }
        Text("\(number ?? 0) \(box.object.name)")
      }
    }
    let box = Box(object: Object(name: "a"))
    let host = ViewHost(Screen(box: box, same: box))
    try host.update()
    #expect(try host.evaluated { try host.tap("number") } == [])
    #expect(try host.evaluated { try host.tap("box") } == [])
    #expect(try host.evaluated { try host.tap("none") } == ["Screen"])
    #expect(try host.evaluated { try host.tap("none") } == [])
  }

  final class Object {
    let name: String
    init(name: String) { self.name = name }
  }

  @Test func onlyReadersAreEvaluated() throws {
    struct Reader: View {
      @Binding var text: String
      var body: some View { Text("reads \(text)") }
    }
    struct Writer: View {
      @Binding var text: String
      var body: some View { Button("write") { text += "!" } }
    }
    struct Screen: View {
      @State var text = "a"

      var body: some View {
        Reader(text: $text)
        Writer(text: $text)
        TextField("Text", text: $text)
        Toggle("Is long", isOn: $text.isLong)
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(try host.evaluated { try host.tap("write") } == ["Reader"])
    #expect(try host.evaluated { try host.type("typed", into: "Text") } == ["Reader"])
    #expect(host.find("reads typed") != nil)
    #expect(host.find("Text")?.attributes["value"] == "typed")
    #expect(host.find("Is long")?.attributes["isOn"] == "true")
    #expect(try host.evaluated { try host.toggle("Is long") } == ["Reader"])
    #expect(host.find("Text")?.attributes["value"] == "t")
  }

  @Test func isReadOutsideOfBodiesWithoutAnEvaluation() throws {
    struct Screen: View {
      @State var hidden = 0
      @State var seen = 0

      var body: some View {
        Button("hidden") { hidden += 1 }
        Button("look") { seen = hidden }
        Text("\(seen)")
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(try host.evaluated { try host.tap("hidden") } == [])
    #expect(try host.evaluated { try host.tap("look") } == ["Screen"])
    #expect(host.find("1") != nil)
  }

  @Test func whatIsSetOutsideOfATreeIsReported() throws {
    let before = ViewHost.report
    defer { ViewHost.report = before }
    let messages = CurrentValueSubject<[String], Never>([])
    nonisolated(unsafe) let sent = messages
    ViewHost.report = { sent.value.append($0) }
    let view = Counter(count: 1)
    view.count = 5
    view.$count.wrappedValue = 6
    #expect(view.count == 1)
    #expect(messages.value == ["a State<Int> was set before its view is in a tree; it keeps its first value"])
    let host = ViewHost(view)
    try host.update()
    #expect(host.find("1") != nil)
    #expect(State<Int?>().wrappedValue == nil)
  }

  /// Whoever watches the binding is told of all changes, whoever makes them.
  @Test func sendsItsValuesThroughItsBinding() throws {
    struct Screen: View {
      @State var count = 0
      @State var seen: [Int] = []
      @State var cancellable: AnyCancellable?

      var body: some View {
        Button("direct") { count += 1 }
        Button("bound") { $count.wrappedValue += 1 }
        Text("\(seen)").onAppear { cancellable = $count.values.sink { seen.append($0) } }
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    try host.tap("direct")
    try host.tap("bound")
    try host.update()
    #expect(host.texts.last == "[0, 1, 2]")
  }

  @Test func aCustomPropertyIsConnected() throws {
    struct Draft: DynamicProperty {
      @State var text = "a"
      @Environment(\.lineLimit) private var limit
      var title = ""
      mutating func update() { title = "\(text) \(limit ?? 0)" }
    }
    struct Screen: View {
      var draft = Draft()
      var body: some View {
        Button("type") { draft.text += "b" }
        Text(draft.title)
      }
    }
    let host = ViewHost(Screen().lineLimit(3))
    try host.update()
    #expect(host.texts == ["type", "a 3"])
    try host.tap("type")
    try host.update()
    #expect(host.texts == ["type", "ab 3"])
  }

  @Test func isKeptByAViewModifierToo() throws {
    struct Tapped: ViewModifier {
      @State private var count = 0
      let name: String

      func body(content: Content) -> some View {
        content
        Button(name) { count += 1 }
        Text("\(count)")
      }
    }
    let host = ViewHost(Text("a").modifier(Tapped(name: "one")).modifier(Tapped(name: "two")))
    try host.update()
    #expect(host.texts == ["a", "one", "0", "two", "0"])
    #expect(try host.evaluated { try host.tap("two") } == ["Tapped"])
    #expect(host.texts == ["a", "one", "0", "two", "1"])
  }

  @Test func hasNoPlaceInAPlainStructure() throws {
    struct Plain { @State var count = 0 }
    struct Dynamic: DynamicProperty { @State var count = 0 }
    struct Screen: View {
      let plain = Plain()
      let dynamic = Dynamic()
      var body: some View {
        Button("count") {
          plain.count += 1
          dynamic.count += 1
        }
        Text("\(plain.count) \(dynamic.count)")
      }
    }
    let before = ViewHost.report
    defer { ViewHost.report = before }
    nonisolated(unsafe) var reports: [String] = []
    ViewHost.report = { reports.append($0) }
    let host = ViewHost(Screen())
    try host.update()
    try host.tap("count")
    try host.update()
    #expect(host.texts == ["count", "0 1"])
    #expect(reports.count == 1 && reports[0].hasPrefix("a State<Int> was set before its view is in a tree"))
  }
}

extension String {
  fileprivate var isLong: Bool {
    get { count > 3 }
    set { self = newValue ? self + "long" : String(prefix(1)) }
  }
}
