import StreamsScopes

/// A value that a view reads from its environment.
///
/// A body that reads it is evaluated again when it changes.
///
///     struct Sign: View {
///       @Environment(\.colorScheme) private var colorScheme
///       var body: some View { Text(colorScheme == .dark ? "night" : "day") }
///     }
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
  private let keyPath: KeyPath<EnvironmentValues, Value>
  private var scope: Scope?

  /// Reads the value at a key path.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  /// The value. In a view that is not in a tree it is the default.
  public var wrappedValue: Value { EnvironmentValues(scope: scope)[keyPath: keyPath] }
}

extension Environment: @unchecked Sendable where Value: Sendable {}

extension Environment: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) { scope = context.scope }

  static func isSame(_ old: Self, _ new: Self) -> Bool { old.keyPath == new.keyPath }
}

/// The key of a value in the environment, with the value's default.
///
///     private struct VolumeKey: EnvironmentKey {
///       static let defaultValue = 5
///     }
///
///     extension EnvironmentValues {
///       var volume: Int {
///         get { self[VolumeKey.self] }
///         set { self[VolumeKey.self] = newValue }
///       }
///     }
public protocol EnvironmentKey {
  /// The type of the value.
  associatedtype Value
  /// The value if no view above has set one.
  static var defaultValue: Value { get }
}

/// The values that views give to the views in them.
public struct EnvironmentValues {
  /// The scope whose values are inherited.
  let scope: Scope?
  /// The values that are set here.
  private(set) var given: [ObjectIdentifier: AnyObject] = [:]

  /// An environment in which all values have their defaults.
  public init() { self.init(scope: nil) }

  init(scope: Scope?, given: [ObjectIdentifier: AnyObject] = [:]) {
    (self.scope, self.given) = (scope, given)
  }

  /// The value for a key.
  public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
    get {
      let box = given[ObjectIdentifier(key)] ?? scope?.environmentValue(ObjectIdentifier(key))
      return (box as? EnvironmentBox<K.Value>)?.value ?? K.defaultValue
    }
    set { given[ObjectIdentifier(key)] = EnvironmentBox(newValue) }
  }

  /// The values that are set here, and those that are inherited.
  var all: [ObjectIdentifier: AnyObject] {
    (scope?.environmentValues() ?? [:]).merging(given) { $1 }
  }
}

/// A value of the environment that can be compared.
class AnyEnvironmentBox {
  func isEqual(to other: AnyObject) -> Bool { false }

  static func areEqual(_ one: AnyObject, _ other: AnyObject) -> Bool {
    (one as? AnyEnvironmentBox)?.isEqual(to: other) ?? (one === other)
  }
}

final class EnvironmentBox<Value>: AnyEnvironmentBox {
  let value: Value

  init(_ value: Value) { self.value = value }

  override func isEqual(to other: AnyObject) -> Bool {
    (other as? EnvironmentBox<Value>).map { StreamsUI.areEqual(value, $0.value) } ?? false
  }
}

extension View {
  /// Sets a value for the views in this one.
  ///
  ///     ContentView().environment(\.locale, Locale(identifier: "de"))
  ///
  /// With `\.self` it sets all values: those not among them have their defaults, whatever is set further up.
  nonisolated public func environment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
  ) -> some View {
    modifier(EnvironmentModifier { $0[keyPath: keyPath] = value })
  }

  /// Changes a value for the views in this one.
  nonisolated public func transformEnvironment<V>(
    _ keyPath: WritableKeyPath<EnvironmentValues, V>, transform: @escaping (inout V) -> Void
  ) -> some View {
    modifier(EnvironmentModifier { transform(&$0[keyPath: keyPath]) })
  }
}

nonisolated struct EnvironmentModifier: ViewModifier, WholeModifier {
  typealias Body = Never
  let change: (inout EnvironmentValues) -> Void

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.within(EnvironmentChange.init) { scope, kept, _ in
      kept.change = view.modifier.change
      scope.evaluate()
      V._makeView(view.content, inputs)
    }
  }
}

/// A change of the environment. It observes the values that it changes: when they change, it is made again, without an evaluation
/// of the view that it is in.
private final class EnvironmentChange: RetainedContent {
  var change: (inout EnvironmentValues) -> Void = { _ in }

  override func evaluate(in scope: Scope) {
    // It starts from the values outside.
    var values = EnvironmentValues(scope: scope.parent)
    change(&values)
    let areOthers = values.scope !== scope.parent
    scope.setEnvironment(
      areOthers ? values.all : values.given, isClosed: areOthers, isEqual: AnyEnvironmentBox.areEqual)
    NodeMaker.forgetNodes(from: scope.parent)
  }
}
