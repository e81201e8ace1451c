import StreamsSchedulers
import StreamsUI
import Testing

private final class DataModel: ObservableObject {
  @Published var title = "title"
  @Published var isEnabled = false
  @Published private(set) var taps = 0
  let onEnd: () -> Void
  init(onEnd: @escaping () -> Void = {}) { self.onEnd = onEnd }
  func tap() { taps += 1 }
  deinit { onEnd() }
}

private struct ModelView: View {
  @ObservedObject var model: DataModel

  var body: some View {
    Toggle("Enabled", isOn: $model.isEnabled)
    Text(model.title)
  }
}

private struct Descendant: View {
  @EnvironmentObject var model: DataModel
  var body: some View {
    Text("descendant \(model.isEnabled)")
    Toggle("also", isOn: $model.isEnabled)
  }
}

private struct Middle: View {
  var body: some View { Descendant() }
}

private struct Owner: View {
  @StateObject var model = DataModel()
  @State var count = 0

  var body: some View {
    Button("again \(count)") { count += 1 }
    ModelView(model: model)
    Middle().environmentObject(model)
  }
}

@MainActor @Suite(.serialized) struct ObservedObjectTests {
  @Test func bindsToAnObjectsProperties() throws {
    let host = ViewHost(Owner())
    try host.update()
    #expect(host.texts == ["again 0", "Enabled", "title", "descendant false", "also"])
    try host.toggle("Enabled")
    // Who depends on the object, and not who is between.
    #expect(try host.evaluated() == ["Owner", "ModelView", "Descendant"])
    #expect(host.texts == ["again 0", "Enabled", "title", "descendant true", "also"])
    #expect(host.find("Enabled")?.attributes["isOn"] == "true")
    try host.toggle("also")
    try host.update()
    #expect(host.find("Enabled")?.attributes["isOn"] == "false")
  }

  @Test func aStateObjectIsMadeOnceAndReleasedWithItsView() throws {
    final class Counts {
      var made = 0
      var ended = 0
    }
    struct Child: View {
      @StateObject var model: DataModel
      let number: Int
      init(number: Int, model: @escaping () -> DataModel) {
        self.number = number
        _model = StateObject(wrappedValue: model())
      }
      var body: some View { Text("\(number) \(model.title)") }
    }
    struct Screen: View {
      let counts: Counts
      @State var number = 0
      @State var isShown = true
      var body: some View {
        Button("number") { number += 1 }
        Toggle("shown", isOn: $isShown)
        if isShown {
          Child(number: number) {
            counts.made += 1
            return DataModel { counts.ended += 1 }
          }
        }
      }
    }
    let counts = Counts()
    let host = ViewHost(Screen(counts: counts))
    for _ in 0..<3 {
      try host.update()
      try host.tap("number")
    }
    try host.update()
    #expect(host.find("3 title") != nil)
    #expect((counts.made, counts.ended) == (1, 0))
    try host.toggle("shown")
    try host.update()
    #expect((counts.made, counts.ended) == (1, 1))
    try host.toggle("shown")
    try host.update()
    #expect((counts.made, counts.ended) == (2, 1))
    host.unmount()
    #expect((counts.made, counts.ended) == (2, 2))
  }

  @Test func anotherObjectTakesThePlaceOfTheFirst() throws {
    struct Screen: View {
      let models: [DataModel]
      @State var index = 0
      var body: some View {
        Button("next") { index += 1 }
        ModelView(model: models[index % models.count])
      }
    }
    let models = [DataModel(), DataModel()]
    models[1].title = "second"
    let host = ViewHost(Screen(models: models))
    try host.update()
    try host.tap("next")
    try host.update()
    #expect(host.find("second") != nil)
    #expect(try host.evaluated { models[0].title = "unseen" } == [])
    #expect(try host.evaluated { models[1].title = "seen" } == ["ModelView"])
    #expect(host.find("seen") != nil)
  }

  /// The body runs after the change, never within it, whatever the scheduler does.
  @Test func isReadAfterItHasChanged() throws {
    let model = DataModel()
    let clock = VirtualTimeScheduler()
    let host = ViewHost(ModelView(model: model), scheduler: clock)
    clock.advance()
    model.title = "new"
    model.title = "newer"
    #expect(clock.pendingCount == 1)
    clock.advance()
    #expect(host.find("newer") != nil)

    let other = ViewHost(ModelView(model: model), scheduler: ImmediateScheduler.shared)
    try other.update()
    model.title = "newest"
    #expect(other.find("newer") != nil)
    try other.update()
    #expect(other.find("newest") != nil)
  }

  @Test func aMissingObjectIsNamed() throws {
    let before = ViewHost.report
    defer { ViewHost.report = before }
    ViewHost.report = { _ in }
    struct Screen: View {
      @State var model: DataModel?
      var body: some View {
        Button("give") { model = DataModel() }
        Text("before")
        if let model { Middle().environmentObject(model) } else { Middle() }
      }
    }
    let host = ViewHost(Screen())
    let error = #expect(throws: ViewHost.MissingObject.self) { try host.update() }
    #expect(
      error?.description
        == "no object of type DataModel for Screen/2/1/Middle/Descendant: a view above it must have "
        + ".environmentObject(_:)")
    #expect(host.texts == ["give", "before"])
    #expect(throws: ViewHost.MissingObject.self) { try host.update() }
    try host.tap("give")
    try host.update()
    #expect(host.errors.isEmpty)
    #expect(host.texts == ["give", "before", "descendant false", "also"])
  }

  @Test func anObjectsOverrideIsFollowed() throws {
    struct Screen: View {
      @State var isFirst = true
      let models: [DataModel]
      var body: some View {
        Button("swap") { isFirst.toggle() }
        Middle().environmentObject(isFirst ? models[0] : models[1])
      }
    }
    let models = [DataModel(), DataModel()]
    models[1].isEnabled = true
    let host = ViewHost(Screen(models: models))
    try host.update()
    #expect(try host.evaluated { try host.tap("swap") } == ["Screen", "Descendant"])
    #expect(host.find("descendant true") != nil)
    #expect(try host.evaluated { models[0].tap() } == [])
  }

  @Test func aProjectedObjectOutsideOfATreeIsNew() {
    let before = ViewHost.report
    defer { ViewHost.report = before }
    ViewHost.report = { _ in }
    let view = Owner()
    #expect(view.model !== view.model)
  }

  /// Whatever the view says of itself.
  @Test func anotherObjectIsObservedThoughTheViewIsEqual() throws {
    final class Model: ObservableObject {
      @Published var name: String
      init(_ name: String) { self.name = name }
    }
    struct Draft: DynamicProperty {
      @ObservedObject var model: Model
    }
    struct Child: View, Equatable {
      let number: Int
      @ObservedObject var model: Model
      let draft: Draft
      @Binding var count: Int
      init(_ number: Int, _ model: Model, _ other: Model, _ count: Binding<Int>) {
        (self.number, _model, draft, _count) = (
          number, .init(wrappedValue: model), Draft(model: other), count
        )
      }
      nonisolated static func == (one: Self, other: Self) -> Bool { one.number == other.number }
      var body: some View { Text("\(model.name) \(draft.model.name)") }
    }
    let (first, second) = (Model("first"), Model("second"))
    final class Holder {
      var model: Model
      var other: Model
      init(_ model: Model) { (self.model, other) = (model, model) }
    }
    struct Frame: View {
      let holder: Holder
      @State var count = 0
      var body: some View {
        Button("again") { count += 1 }
        let _ = count
        Child(0, holder.model, holder.other, Binding(get: { 0 }, set: { _ in }))
      }
    }
    let holder = Holder(first)
    let host = ViewHost(Frame(holder: holder))
    try host.update()
    #expect(try host.evaluated { try host.tap("again") } == ["Frame"])
    holder.model = second
    #expect(try host.evaluated { try host.tap("again") } == ["Frame", "Child"])
    #expect(host.texts == ["again", "second first"])
    #expect(try host.evaluated { second.name = "changed" } == ["Child"])
    holder.other = second
    #expect(try host.evaluated { try host.tap("again") } == ["Frame", "Child"])
    #expect(try host.evaluated { first.name = "gone" } == [])
    #expect(host.texts == ["again", "changed changed"])
  }
}
