import StreamsUI

private struct LevelKey: EnvironmentKey {
  static let defaultValue = 0
}

extension EnvironmentValues {
  var partLevel: Int {
    get { self[LevelKey.self] }
    set { self[LevelKey.self] = newValue }
  }
}

/// What a counter shows: who it is, what it was given, and what it keeps.
func counterTitle(_ name: String, _ text: String, _ level: Int, _ count: Int, _ serial: Int) -> String {
  "\(name)|\(text)|\(level)|\(count)|\(serial)"
}

/// The object that a counter keeps.
final class Life: ObservableObject {
  let serial: Int
  @Published var count = 0
  private let census: ScreenCensus
  private var last: String

  init(_ census: ScreenCensus, _ text: String) {
    (self.census, last, serial) = (census, text, census.nextSerial())
    census.count("life", 1)
  }

  deinit { census.count("life", -1) }

  func appear(_ name: String) { census.appear(serial, name) }
  func disappear(_ name: String) { census.disappear(serial, name) }

  func change(from old: String, to new: String) {
    if old != last || old == new { census.fault("\(old) became \(new) after \(last)") }
    last = new
  }
}

private struct LifeModifier: ViewModifier {
  let life: Life
  let name: String
  let text: String

  func body(content: Content) -> some View {
    content
      .onAppear { life.appear(name) }
      .onDisappear { life.disappear(name) }
      .onChange(of: text) { life.change(from: $0, to: $1) }
  }
}

/// Counts taps: in a state, by a binding, in an object of one of two kinds, or in a modifier.
struct PartCounter: View {
  let name: String
  let text: String
  let flavor: Int
  let census: ScreenCensus

  init(_ part: Part, _ name: String, text: String? = nil, flavor: Int? = nil) {
    (self.name, self.text) = ("\(part.id)\(name)", text ?? part.text)
    (self.flavor, census) = ((flavor ?? part.id) % 5, part.census)
  }

  var body: some View {
    switch flavor {
    case 0: OfState(name: name, text: text, life: Life(census, text))
    case 1: OfBinding(name: name, text: text, life: Life(census, text))
    case 2: OfObject(name: name, text: text, life: Life(census, text))
    case 3: OfObservable(name: name, text: text, life: Life(census, text), model: CountModel(census))
    default: Spacer().modifier(OfModifier(name: name, text: text, life: Life(census, text)))
    }
  }
}

private struct OfState: View {
  let name: String
  let text: String
  @StateObject var life: Life
  @State private var count = 0
  @Environment(\.partLevel) private var level

  init(name: String, text: String, life: @autoclosure @escaping () -> Life) {
    (self.name, self.text) = (name, text)
    _life = StateObject(wrappedValue: life())
  }

  var body: some View {
    Button(counterTitle(name, text, level, count, life.serial)) { count += 1 }
      .modifier(LifeModifier(life: life, name: name, text: text))
  }
}

private struct OfBinding: View {
  let name: String
  let text: String
  @StateObject var life: Life
  @State private var count = 0

  init(name: String, text: String, life: @autoclosure @escaping () -> Life) {
    (self.name, self.text) = (name, text)
    _life = StateObject(wrappedValue: life())
  }

  var body: some View {
    BoundButton(name: name, text: text, serial: life.serial, count: $count)
      .modifier(LifeModifier(life: life, name: name, text: text))
  }
}

private struct BoundButton: View {
  let name: String
  let text: String
  let serial: Int
  @Binding var count: Int
  @Environment(\.partLevel) private var level

  var body: some View { Button(counterTitle(name, text, level, count, serial)) { count += 1 } }
}

private struct OfObject: View {
  let name: String
  let text: String
  @StateObject var life: Life

  init(name: String, text: String, life: @autoclosure @escaping () -> Life) {
    (self.name, self.text) = (name, text)
    _life = StateObject(wrappedValue: life())
  }

  var body: some View {
    BoundButton(name: name, text: text, serial: life.serial, count: $life.count)
      .modifier(LifeModifier(life: life, name: name, text: text))
  }
}

@Observable private final class CountModel {
  var count = 0
  private let census: ScreenCensus

  init(_ census: ScreenCensus) {
    self.census = census
    census.count("model", 1)
  }

  deinit { census.count("model", -1) }
}

private struct OfObservable: View {
  let name: String
  let text: String
  @StateObject var life: Life
  @State var model: CountModel
  @Environment(\.partLevel) private var level

  init(name: String, text: String, life: @autoclosure @escaping () -> Life, model: CountModel) {
    (self.name, self.text) = (name, text)
    _life = StateObject(wrappedValue: life())
    _model = State(initialValue: model)
  }

  var body: some View {
    @Bindable var model = model
    VStack {
      if model.count % 2 == 0 {
        Button(counterTitle(name, text, level, model.count, life.serial)) { model.count += 1 }
      } else {
        BoundButton(name: name, text: text, serial: life.serial, count: $model.count)
      }
    }
    .modifier(LifeModifier(life: life, name: name, text: text))
  }
}

private struct OfModifier: ViewModifier {
  let name: String
  let text: String
  @StateObject var life: Life
  @State private var count = 0
  @Environment(\.partLevel) private var level

  init(name: String, text: String, life: @autoclosure @escaping () -> Life) {
    (self.name, self.text) = (name, text)
    _life = StateObject(wrappedValue: life())
  }

  func body(content: Content) -> some View {
    content
    Button(counterTitle(name, text, level, count, life.serial)) { count += 1 }
      .modifier(LifeModifier(life: life, name: name, text: text))
  }
}
