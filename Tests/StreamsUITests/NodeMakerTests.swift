import StreamsUI
import Testing

private struct Nested: View {
  let depth: Int

  var body: some View {
    if depth > 0 {
      HStack { AnyView(Nested(depth: depth - 1)) }
    } else {
      Bottom()
    }
  }
}

private struct Bottom: View {
  @Environment(\.lineLimit) var limit
  @State var taps = 0

  var body: some View { Button("\(taps) \(limit ?? 0)") { taps += 1 } }
}

/// Trees that are deep, and no less usable for it.
@MainActor @Suite struct NodeMakerTests {
  @Test func viewsMayLieDeepInEachOther() throws {
    let depth = 100_000
    let host = ViewHost(Nested(depth: depth))
    try host.update()
    let tree = host.tree
    #expect(tree.all.count == depth + 3)
    #expect(tree.label == "0 0")
    #expect(host.find("0 0")?.kind == "Window")
    try host.tap("0 0")
    #expect(try host.evaluated() == ["Bottom"])
    host.environment.lineLimit = 3
    #expect(try host.evaluated() == ["Bottom"])
    #expect(host.texts == ["1 3"])
    host.unmount()
    #expect(tree.all.last?.text == "0 0")
  }

  @Test func aDeepTreeIsText() throws {
    let host = ViewHost(Nested(depth: 3000))
    try host.update()
    let lines = host.description.split(separator: "\n")
    #expect(lines.count == 3002)
    #expect(lines.last.map { String($0) } == String(repeating: "  ", count: 3001) + "Text \"0 0\"")
  }

  @Test func partsOutliveTheirTree() throws {
    let host = ViewHost(Nested(depth: 10))
    try host.update()
    var part: ViewHost.Node? = host.tree.children[0].children[0]
    #expect(part?.all.count == 11)
    let below = part?.children
    part = nil
    #expect(below?.first?.all.count == 10)
  }

  @Test func surroundingsAreInTheNodes() throws {
    let view = VStack {
      Text("a").lineLimit(1)
      Button("b") {}
      HStack { Text("c") }.environment(\.layoutDirection, .leftToRight)
    }
    .environment(\.layoutDirection, .rightToLeft)
    .disabled(true)
    let host = ViewHost(view)
    host.environment.lineLimit = 2
    try host.update()
    #expect(
      host.description == """
        VStack layoutDirection=rightToLeft
          Text "a" layoutDirection=rightToLeft lineLimit=1
          Button disabled=true layoutDirection=rightToLeft
            Text "b" layoutDirection=rightToLeft lineLimit=2
          HStack
            Text "c" lineLimit=2
        """)
  }

  @Test func nodesOfWhatIsNotEvaluatedFollowTheirSurroundings() throws {
    let model = Model()
    let host = ViewHost(Surrounding(model: model))
    try host.update()
    #expect(host.find("one")?.isEnabled == true && host.find("one")?.attributes["lineLimit"] == nil)
    model.isOff = true
    #expect(try host.evaluated() == ["Surrounding"])
    #expect(throws: ViewHost.ActionError.disabled(label: "one")) { try host.tap("one") }
    host.environment.lineLimit = 2
    #expect(try host.evaluated() == [])
    #expect(host.first { $0.text == "one" }?.attributes["lineLimit"] == "2")
  }

  /// What changes the environment reads for itself, so that no body is evaluated.
  @Test func nodesFollowAChangeOfTheEnvironmentAlone() throws {
    let host = ViewHost(Switched())
    try host.update()
    try host.tap("one")
    try host.tap("off")
    #expect(try host.evaluated() == [])
    #expect(throws: ViewHost.ActionError.disabled(label: "one")) { try host.tap("one") }
  }

  @Test func aBodyMayLookAtTheTreeAmidAnUpdate() throws {
    let model = Model()
    let host = ViewHost(Looking(model: model))
    model.look = { [unowned host] in _ = host.description }
    try host.update()
    #expect(host.texts == ["false", "one", "last"])
    model.isOff = true
    try host.update()
    #expect(host.texts == ["true", "one", "last"])
  }
}

private final class Model: ObservableObject {
  @Published var isOff = false
  var look: () -> Void = {}
}

private struct Inner: View {
  var body: some View { Button("one") {} }
}

private struct Surrounding: View {
  @ObservedObject var model: Model

  var body: some View { Inner().disabled(model.isOff) }
}

private struct Switched: View {
  @State private var isOn = true

  var body: some View {
    Inner().transformEnvironment(\.isEnabled) { $0 = isOn }
    Button("off") { isOn = false }
  }
}

private struct Looking: View {
  @ObservedObject var model: Model

  var body: some View {
    Text("\(model.isOff)")
    Inner()
    Last(model: model, isOff: model.isOff)
  }
}

private struct Last: View {
  let model: Model
  let isOff: Bool

  var body: some View {
    model.look()
    return Text("last")
  }
}
