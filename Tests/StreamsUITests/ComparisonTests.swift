import StreamsUI
import Testing

private final class Model: ObservableObject {
  @Published var name: String
  init(_ name: String) { self.name = name }
}

private struct Child: View, Equatable {
  let number: Int
  @ObservedObject var model: Model
  nonisolated static func == (one: Self, other: Self) -> Bool { one.number == other.number }
  var body: some View { Text(model.name) }
}

private struct Reference {
  weak var model: Model?
}

private struct Unowned {
  unowned let model: Model
}

private indirect enum Tree<Value> {
  case empty
  case leaf(Value)
  case node(Tree, Tree)
}

private enum Either<Value> {
  case left(Value)
  case right(String)
}

/// Takes a value as one of its fields.
private struct Holding<Value>: View {
  let value: Value
  let texts: (Value) -> [String]
  var body: some View { Text(texts(value).joined(separator: " ")) }
}

/// Evaluated again and again, with another value if a test says so.
private struct Screen<Value>: View {
  @ObservedObject var model: Model
  let make: () -> Value
  let texts: (Value) -> [String]
  var body: some View {
    let _ = model.name
    Holding(value: make(), texts: texts)
  }
}

/// What a view is made of is compared wherever it lies in a value.
@MainActor @Suite struct ComparisonTests {
  /// Whether a view is evaluated again when the view around it is, and then when `change` has been called.
  private func evaluations<Value>(
    _ change: @escaping () -> Void, _ make: @escaping () -> Value
  ) throws -> [Bool] {
    let model = Model("")
    let texts: (Value) -> [String] = { _ in [] }
    let host = ViewHost(Screen(model: model, make: make, texts: texts))
    try host.update()
    return try [{}, change].map { change in
      try host.evaluated {
        change()
        model.name += "again"
      }.contains("Holding")
    }
  }

  /// Looks at each of the ways in which a value can lie in another.
  private func everywhere<Value>(
    _ expected: [Bool], _ make: @escaping () -> Value, _ prepare: @escaping () -> Void,
    _ change: @escaping () -> Void
  ) throws {
    func expect<Wrapped>(_ wrap: @escaping (Value) -> Wrapped, line: Int = #line) throws {
      prepare()
      let found = try evaluations(change) { wrap(make()) }
      #expect(found == expected, "\(Wrapped.self)")
    }
    try expect { $0 }
    try expect { Optional($0) }
    try expect { Optional(Optional($0)) }
    try expect { [$0] }
    try expect { [[$0], []] }
    try expect { [Optional($0), nil] }
    try expect { ["a": $0] }
    try expect { ["a": [$0], "b": []] }
    try expect { (1, $0) }
    try expect { Optional((1, $0)) }
    try expect { [(key: "a", value: $0)] }
    try expect { Either.left($0) }
    try expect { [Either.right("a text that is on the heap, as it is long"), .left($0)] }
    try expect { Tree.leaf($0) }
    try expect { Tree.node(.leaf($0), .empty) }
  }

  @Test func anotherObservedObjectIsSeen() throws {
    var model = Model("first")
    try everywhere([false, true], { Child(number: 0, model: model) }, {}) { model = Model("second") }
  }

  @Test func anObjectThatStaysIsTheSame() throws {
    let model = Model("first")
    try everywhere([false, false], { Child(number: 0, model: model) }, {}) {}
  }

  @Test func anotherTextIsSeen() throws {
    var text = ""
    try everywhere([false, true], { text }, { text = "a text that is on the heap, as it is long" }) {
      text += " and longer"
    }
  }

  @Test func weakReferencesNeverCountAsEqual() throws {
    var model: Model? = Model("there")
    let values: () -> Reference = { Reference(model: model) }
    try everywhere([true, true], values, { model = model ?? Model("there") }) { model = nil }
    // What is kept has another value without being another.
    var kept: Any?
    func keep<Value>(_ value: Value) -> Value {
      kept = kept ?? value
      return kept as? Value ?? value
    }
    let make = { [Reference(model: model)] }
    try everywhere([true, true], { keep(make()) }, { (kept, model) = (nil, Model("there")) }) { model = nil }
  }

  @Test func unownedReferencesNeverCountAsEqual() throws {
    let model = Model("there")
    try everywhere([true, true], { Unowned(model: model) }, {}) {}
  }

  /// A type that has itself in it.
  @Test func aTreeOfValuesIsCompared() throws {
    struct Node {
      var text: String
      var children: [Node] = []
    }
    var leaf = "a text that is on the heap, as it is long"
    let make = { Node(text: "top", children: [Node(text: "middle", children: [Node(text: leaf)])]) }
    #expect(try evaluations({ leaf += "er" }, make) == [false, true])
  }
}
