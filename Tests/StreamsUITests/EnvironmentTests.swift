import Foundation
import StreamsUI
import Testing

private struct MyEnvironmentKey: EnvironmentKey {
  static let defaultValue: String = "Default value"
}

extension EnvironmentValues {
  fileprivate var myCustomValue: String {
    get { self[MyEnvironmentKey.self] }
    set { self[MyEnvironmentKey.self] = newValue }
  }
}

extension View {
  fileprivate func myCustomValue(_ myCustomValue: String) -> some View {
    environment(\.myCustomValue, myCustomValue)
  }
}

private struct Reader: View {
  let name: String
  @Environment(\.myCustomValue) private var value

  var body: some View { Text("\(name) \(value)") }
}

private struct SchemeView: View {
  @Environment(\.colorScheme) var colorScheme: ColorScheme

  var body: some View {
    if colorScheme == .dark {  // Checks the wrapped value.
      Text("dark")
    } else {
      Text("light")
    }
  }
}

private struct Other: View {
  var body: some View { Text("other") }
}

@MainActor @Suite struct EnvironmentTests {
  @Test func isReadDownToTheNextOverride() throws {
    struct Screen: View {
      @State var outer = "outer"
      @State var isInner = true

      var body: some View {
        Reader(name: "a")
        VStack {
          Reader(name: "b")
          Reader(name: "c").myCustomValue("inner")
        }
        .myCustomValue(outer)
        Button("change") { outer = "changed" }
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(host.texts == ["a Default value", "b outer", "c inner", "change"])
    var evaluations: [String] = []
    host.onEvaluation = { evaluations.append($0.view) }
    try host.tap("change")
    try host.update()
    #expect(host.texts == ["a Default value", "b changed", "c inner", "change"])
    #expect(evaluations == ["Screen", "Reader"])
    host.environment.myCustomValue = "root"
    try host.update()
    #expect(host.texts == ["a root", "b changed", "c inner", "change"])
    #expect(evaluations == ["Screen", "Reader", "Reader"])
    host.environment.myCustomValue = "root"
    try host.update()
    #expect(evaluations.count == 3)
  }

  @Test func followsTheHost() throws {
    let host = ViewHost(
      VStack {
        SchemeView()
        Other()
      })
    try host.update()
    #expect(host.texts == ["light", "other"])
    var evaluations: [String] = []
    host.onEvaluation = { evaluations.append($0.view) }
    host.environment.colorScheme = .dark
    #expect(host.environment.colorScheme == .dark)
    #expect(host.texts == ["light", "other"])
    host.environment.myCustomValue += "!"
    host.environment.myCustomValue += "?"
    #expect(host.environment.myCustomValue == "Default value!?")
    try host.update()
    #expect(host.texts == ["dark", "other"])
    #expect(evaluations == ["SchemeView"])
    #expect(host.environment.colorScheme == .dark)
  }

  @Test func hasWhatSwiftUIHas() throws {
    struct Values: View {
      @Environment(\.locale) var locale: Locale
      @Environment(\.lineLimit) var lineLimit
      @Environment(\.scenePhase) var scenePhase
      @Environment(\.pixelLength) var pixelLength
      @Environment(\.layoutDirection) var layoutDirection
      @Environment(\.isEnabled) var isEnabled

      var body: some View {
        Text(
          "\(locale.identifier) \(lineLimit ?? 0) \(scenePhase) \(pixelLength) \(layoutDirection) \(isEnabled)"
        )
      }
    }
    let view = VStack {
      Values()
      Values().lineLimit(2).disabled(true)
      Values().environment(\.locale, Locale(identifier: "de")).environment(\.lineLimit, 2)
    }
    let host = ViewHost(view)
    host.environment.locale = Locale(identifier: "en")
    host.environment.scenePhase = .inactive
    host.environment.pixelLength = 0.5
    host.environment.layoutDirection = .rightToLeft
    try host.update()
    #expect(
      host.texts == [
        "en 0 inactive 0.5 rightToLeft true", "en 2 inactive 0.5 rightToLeft false",
        "de 2 inactive 0.5 rightToLeft true",
      ])
    #expect(host.first { $0.attributes["lineLimit"] == "2" } != nil)
  }

  @Test func isTransformedFromWhatHoldsOutside() throws {
    let inner = Reader(name: "a").transformEnvironment(\.myCustomValue) { $0 += "!" }
    let host = ViewHost(inner.transformEnvironment(\.myCustomValue) { $0 += "?" })
    try host.update()
    #expect(host.texts == ["a Default value?!"])
    host.environment.myCustomValue = "b"
    try host.update()
    #expect(host.texts == ["a b?!"])
  }

  /// What a row changes for itself does not concern the rows before it.
  @Test func aChangeIsMadeOnceForEachView() throws {
    final class Count { var calls = 0 }
    struct Rows: View {
      let count: Count
      @State var rows = 100
      var body: some View {
        Button("more") { rows += 100 }
        ForEach(0..<rows, id: \.self) { _ in
          Reader(name: "row").transformEnvironment(\.myCustomValue) {
            count.calls += 1
            $0 += "!"
          }
        }
      }
    }
    let count = Count()
    let host = ViewHost(Rows(count: count))
    try host.update()
    #expect(count.calls == 100)
    try host.tap("more")
    try host.update()
    #expect(count.calls == 300)
    host.environment.myCustomValue = "a"
    try host.update()
    #expect(count.calls == 500)
    #expect(host.texts.suffix(200).allSatisfy { $0 == "row a!" })
  }

  /// With a key path that varies, an override comes and goes.
  @Test func bindsAnewWhenAnOverrideComesOrGoes() throws {
    struct Screen: View {
      @State var count = 0

      var body: some View {
        let path: WritableKeyPath<EnvironmentValues, Int?> = count % 2 == 0 ? \.lineLimit : \.other
        Button("next") { count += 1 }
        Limits().environment(path, count)
      }
    }
    struct Limits: View {
      @Environment(\.lineLimit) var lineLimit
      @Environment(\.other) var other
      var body: some View { Text("\(lineLimit ?? -1) \(other ?? -1)") }
    }
    let host = ViewHost(Screen())
    host.environment.lineLimit = 9
    for expected in ["0 -1", "9 1", "2 -1", "9 3"] {
      try host.update()
      #expect(host.texts == ["next", expected])
      try host.tap("next")
    }
  }

  @Test func isReadOutsideOfBodies() throws {
    struct Screen: View {
      @Environment(\.lineLimit) var lineLimit
      @State var seen = 0

      var body: some View {
        Button("look") { seen = lineLimit ?? -1 }
        Text("\(seen)")
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    host.environment.lineLimit = 3
    var count = 0
    host.onEvaluation = { _ in count += 1 }
    try host.update()
    #expect(count == 0)
    try host.tap("look")
    try host.update()
    #expect(host.texts == ["look", "3"])
    #expect(Environment(\.lineLimit).wrappedValue == nil)
  }

  private struct Values: View {
    @Environment(\.myCustomValue) var value
    @Environment(\.lineLimit) var limit
    @Environment(\.other) var other
    var body: some View { Text("\(value) \(limit ?? 0) \(other ?? 0)") }
  }

  @Test func isReplacedAsAWhole() throws {
    var values = EnvironmentValues()
    values.lineLimit = 1
    let host = ViewHost(Values().environment(\.self, values).myCustomValue("outer").environment(\.other, 5))
    host.environment.other = 6
    try host.update()
    #expect(host.texts == ["Default value 1 0"])
    host.environment.myCustomValue = "root"
    #expect(try host.evaluated() == [])
    #expect(host.texts == ["Default value 1 0"])
    let below = ViewHost(Values().myCustomValue("below").environment(\.self, values))
    below.environment.other = 6
    try below.update()
    #expect(below.texts == ["below 1 0"])
  }

  /// What a view has of values, a part of it may get again.
  @Test func isGivenFromFurtherUp() throws {
    struct Screen: View {
      @Environment(\.self) var values
      var body: some View {
        VStack {
          Values()
          Values().environment(\.self, values)
        }
        .myCustomValue("inner").environment(\.lineLimit, 1)
      }
    }
    let host = ViewHost(Screen().myCustomValue("outer"))
    try host.update()
    #expect(host.texts == ["inner 1 0", "outer 0 0"])
    host.environment.other = 7
    #expect(try host.evaluated() == ["Values", "Values"])
    #expect(host.texts == ["inner 1 7", "outer 0 7"])
    host.environment.lineLimit = 3
    #expect(try host.evaluated() == ["Values"])
    #expect(host.texts == ["inner 1 7", "outer 3 7"])
  }

  @Test func isReplacedAndNoLonger() throws {
    struct Screen: View {
      @Environment(\.self) var values
      @State var count = 0
      var body: some View {
        Button("next") { count += 1 }
        Values()
          .transformEnvironment(\.self) { if count % 2 == 1 { $0 = EnvironmentValues() } }
          .myCustomValue("outer")
      }
    }
    let host = ViewHost(Screen())
    host.environment.lineLimit = 2
    for expected in ["outer 2 0", "Default value 0 0", "outer 2 0"] {
      try host.update()
      #expect(host.texts == ["next", expected])
      try host.tap("next")
    }
    host.environment = EnvironmentValues()
    try host.tap("next")
    try host.update()
    #expect(host.texts == ["next", "outer 0 0"])
    #expect(host.environment.lineLimit == nil)
  }

  @Test func severalValuesAreSetAtOnce() throws {
    let view = Values().transformEnvironment(\.self) {
      $0.lineLimit = 4
      $0.other = 5
    }
    let host = ViewHost(view.myCustomValue("outer"))
    try host.update()
    #expect(host.texts == ["outer 4 5"])
  }

  /// Objects are values of the environment too.
  @Test func carriesObjects() throws {
    final class Model: ObservableObject { let name = "model" }
    struct Child: View {
      @EnvironmentObject var model: Model
      var body: some View { Text(model.name) }
    }
    struct Screen: View {
      @Environment(\.self) var values
      @State var other: ViewHost?
      var body: some View {
        Button("open") { other = ViewHost(Child().environment(\.self, values)) }
        if let other {
          let _ = try? other.update()
          Text(other.description)
        }
      }
    }
    let host = ViewHost(Screen().environmentObject(Model()))
    try host.update()
    try host.tap("open")
    try host.update()
    #expect(host.texts == ["open", "Text \"model\""])
    let before = ViewHost.report
    defer { ViewHost.report = before }
    ViewHost.report = { _ in }
    let missing = ViewHost(Child().environment(\.self, EnvironmentValues()).environmentObject(Model()))
    #expect(throws: ViewHost.MissingObject.self) { try missing.update() }
  }
}

private struct OtherKey: EnvironmentKey {
  static var defaultValue: Int? { nil }
}

extension EnvironmentValues {
  fileprivate var other: Int? {
    get { self[OtherKey.self] }
    set { self[OtherKey.self] = newValue }
  }
}
