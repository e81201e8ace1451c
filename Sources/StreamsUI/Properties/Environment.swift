import Observation
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
  private enum Source {
    case value(KeyPath<EnvironmentValues, Value>)
    case object(EnvironmentObjectReader<Value>)
  }

  private let source: Source
  private var scope: Scope?

  /// Reads the value at a key path.
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { source = .value(keyPath) }

  /// The value. In a view that is not in a tree it is the default; an object that is missing there stops the program.
  public var wrappedValue: Value {
    let values = EnvironmentValues(scope: scope)
    switch source {
    case .value(let keyPath): return values[keyPath: keyPath]
    case .object(let reader): return reader.read(values)
    }
  }
}

extension Environment {
  /// Reads the observable object of this type that was set on a view further up.
  ///
  /// If none was set, the host shows nothing in the view's place, and adds a ``ViewHost/MissingObject`` to its errors, which
  /// `update()` throws.
  ///
  ///     ContentView().environment(Library())
  ///
  ///     struct Row: View {
  ///       @Environment(Library.self) private var library
  ///       var body: some View { Text("\(library.books.count)") }
  ///     }
  public init(_ objectType: Value.Type) where Value: AnyObject & Observable {
    source = .object(
      EnvironmentObjectReader(isMissing: { $0[ObservableKey<Value>.self].object == nil }) { values in
        if let object = values[ObservableKey<Value>.self].object { return object }
        fatalError(ViewHost.MissingObject(type: Value.self, path: "a view that is in no tree").description)
      })
  }

  /// Reads the observable object of this type that was set on a view further up, or nil.
  public init<T: AnyObject & Observable>(_ objectType: T.Type) where Value == T? {
    source = .object(EnvironmentObjectReader(isMissing: { _ in false }) { $0[ObservableKey<T>.self].object })
  }
}

/// Finds an observable object.
private struct EnvironmentObjectReader<Value> {
  let isMissing: (EnvironmentValues) -> Bool
  let read: (EnvironmentValues) -> Value
}

/// The observable object of a type. Objects are the same only if they are identical, even if they can be
/// compared.
private struct ObservableKey<T: AnyObject>: EnvironmentKey {
  struct Reference: Equatable {
    let object: T?
    static func == (one: Self, other: Self) -> Bool { one.object === other.object }
  }

  static var defaultValue: Reference { Reference(object: nil) }
}

extension Environment: @unchecked Sendable where Value: Sendable {}

extension Environment: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) {
    scope = context.scope
    guard case .object(let reader) = source, reader.isMissing(EnvironmentValues(scope: scope)) else { return }
    let missing = ViewHost.MissingObject(type: Value.self, path: HostCore.path(of: context.scope))
    context.problem = context.problem ?? missing
  }

  static func isSame(_ old: Self, _ new: Self) -> Bool {
    switch (old.source, new.source) {
    case (.value(let old), .value(let new)): old == new
    case (.object, .object): true
    default: false
    }
  }
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
      return (box as? EnvironmentBox<K>)?.value ?? K.defaultValue
    }
    set { given[ObjectIdentifier(key)] = EnvironmentBox<K>(newValue) }
  }

  /// The values that are set here, and those that are inherited.
  var all: [ObjectIdentifier: AnyObject] {
    (scope?.environmentValues() ?? [:]).merging(given) { $1 }
  }
}

/// A value of the environment that can be compared.
class AnyEnvironmentBox {
  /// Without another one, it is compared with the default.
  func isEqual(to other: AnyObject?) -> Bool { false }

  static func areEqual(_ one: AnyObject, _ other: AnyObject?) -> Bool {
    (one as? AnyEnvironmentBox)?.isEqual(to: other) ?? (one === other)
  }
}

final class EnvironmentBox<Key: EnvironmentKey>: AnyEnvironmentBox {
  let value: Key.Value

  init(_ value: Key.Value) { self.value = value }

  override func isEqual(to other: AnyObject?) -> Bool {
    guard let other else { return StreamsUI.areEqual(value, Key.defaultValue) }
    return (other as? EnvironmentBox).map { StreamsUI.areEqual(value, $0.value) } ?? false
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

  /// Sets an observable object for the views in this one, where `@Environment(Library.self)` finds it by its type.
  ///
  ///     ContentView().environment(Library())
  ///
  /// With nil there is none for them, whatever is set further up.
  nonisolated public func environment<T: AnyObject & Observable>(_ object: T?) -> some View {
    modifier(EnvironmentModifier { $0[ObservableKey<T>.self] = ObservableKey<T>.Reference(object: object) })
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
