import Streams
import StreamsProperty
import StreamsScopes

/// A value that a window keeps, also while no view has it.
///
/// All views in a window with one key have the same value, which lives as long as the window; until it is set, it is the one that
/// the first of them begins with. Nothing keeps it longer.
///
///     struct Library: View {
///       @SceneStorage("tab") private var tab = 0
///
///       var body: some View {
///         TabView(selection: $tab) {
///           Text("Songs").tag(0)
///           Text("Albums").tag(1)
///         }
///       }
///     }
///
/// Values are of the same types as those of an ``AppStorage``.
///
/// **Threads.** May be read and set on any thread. All changes until the host's next update appear together.
@propertyWrapper
public struct SceneStorage<Value>: DynamicProperty {
  private let key: String
  private let initial: Value
  private var slot: StateSlot<Value>?

  private init(_ key: String, first: Value) { (self.key, initial) = (key, first) }

  /// The value.
  public var wrappedValue: Value {
    get { slot?.value ?? initial }
    nonmutating set {
      if let slot { return slot.set(newValue) }
      HostCore.warn("the SceneStorage \"\(key)\" was set before its view is in a window")
    }
  }

  /// A binding of the value.
  public var projectedValue: Binding<Value> { slot?.binding ?? .constant(initial) }
}

extension SceneStorage: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) {
    self.slot = SceneValues.around(context.scope)?.slot(key, initial)
    slot = self.slot
  }

  static func isSame(_ old: Self, _ new: Self) -> Bool { old.key == new.key }
}

/// The values that a window keeps.
final class SceneValues: @unchecked Sendable {
  private struct Key: Hashable {
    let name: String
    let type: ObjectIdentifier
  }

  private let slots = Lock<[Key: AnyObject]>([:])

  /// Those of the window that a scope is in, also if it is in a sheet there.
  static func around(_ scope: Scope) -> SceneValues? {
    var (window, place) = (nil as Presentation?, scope)
    while let (above, presentation) = place.enclosing(Presentation.self) {
      (window, place) = (presentation, above)
    }
    return window?.values
  }

  func slot<Value>(_ name: String, _ initial: Value) -> StateSlot<Value> {
    slots.withLock { slots in
      let key = Key(name: name, type: ObjectIdentifier(Value.self))
      if let known = slots[key] as? StateSlot<Value> { return known }
      let slot = StateSlot(initial)
      slots[key] = slot
      return slot
    }
  }
}

extension SceneStorage where Value: _StorableValue {
  /// A value with a key, which begins with this one.
  public init(wrappedValue: Value, _ key: String) { self.init(key, first: wrappedValue) }
}

extension SceneStorage where Value: RawRepresentable, Value.RawValue == Int {
  /// A value with a key, which begins with this one.
  public init(wrappedValue: Value, _ key: String) { self.init(key, first: wrappedValue) }
}

extension SceneStorage where Value: RawRepresentable, Value.RawValue == String {
  /// A value with a key, which begins with this one.
  public init(wrappedValue: Value, _ key: String) { self.init(key, first: wrappedValue) }
}

extension SceneStorage where Value: ExpressibleByNilLiteral {
  /// A value with a key, nil until it is set.
  public init<V: _StorableValue>(_ key: String) where Value == V? { self.init(key, first: nil) }

  /// A value with a key, nil until it is set.
  public init<R: RawRepresentable>(_ key: String) where Value == R?, R.RawValue == Int {
    self.init(key, first: nil)
  }

  /// A value with a key, nil until it is set.
  public init<R: RawRepresentable>(_ key: String) where Value == R?, R.RawValue == String {
    self.init(key, first: nil)
  }
}
