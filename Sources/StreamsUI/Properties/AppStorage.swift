import Foundation
import StreamsProperty

/// A value that a store keeps from one run of the program to the next.
///
/// A body that reads the value is evaluated again when it has changed. All views with one key and one store have the same value;
/// until it is set, it is the one that the property begins with. The store is the one that is given, or that of
/// `defaultAppStorage(_:)`, or `UserDefaults.standard`.
///
///     struct Settings: View {
///       @AppStorage("isMuted") private var isMuted = false
///
///       var body: some View { Toggle("Mute", isOn: $isMuted) }
///     }
///
/// Values are of the types `Bool`, `Int`, `Double`, `String`, `URL`, `Data` and `Date`, types with a raw value that is an `Int` or
/// a `String`, and optionals of these. A value of another type in the store counts as none.
///
/// What other code sets in the store is shown when the store posts `UserDefaults.didChangeNotification`, which Foundation's does
/// not for each change, and when a view with a property of the store is evaluated.
///
/// **Threads.** May be read and set on any thread. All changes until the host's next update appear together.
@propertyWrapper
public struct AppStorage<Value>: DynamicProperty {
  private let key: String
  private let initial: Value
  private let store: UserDefaults?
  private let storing: Storing<Value>
  private var connected: StoreValue<Value>?

  private init(_ key: String, _ initial: Value, _ store: UserDefaults?, _ storing: Storing<Value>) {
    (self.key, self.initial, self.store, self.storing) = (key, initial, store, storing)
  }

  private var slot: StateSlot<Value> { (connected ?? value(in: store ?? .standard)).slot }

  private func value(in store: UserDefaults) -> StoreValue<Value> {
    StoreValues.of(store).value(key, initial, storing)
  }

  /// The value.
  public var wrappedValue: Value {
    get { slot.value }
    nonmutating set { slot.set(newValue) }
  }

  /// A binding of the value.
  public var projectedValue: Binding<Value> { slot.binding }
}

extension AppStorage: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) {
    let store = store ?? EnvironmentValues(scope: context.scope)[AppStorageKey.self] ?? .standard
    let kept = (slot as? StoreValue<Value>).flatMap { $0.isOf(store, key) ? $0 : nil }
    let value = kept ?? value(in: store)
    value.reload()
    (connected, slot) = (value, value)
  }

  static func isSame(_ old: Self, _ new: Self) -> Bool { old.key == new.key && old.store === new.store }
}

private struct AppStorageKey: EnvironmentKey {
  static var defaultValue: UserDefaults? { nil }
}

extension View {
  /// Sets the store of all ``AppStorage`` properties in the view that do not name one.
  ///
  ///     ContentView().defaultAppStorage(UserDefaults(suiteName: "player")!)
  nonisolated public func defaultAppStorage(_ store: UserDefaults) -> some View {
    modifier(EnvironmentModifier { $0[AppStorageKey.self] = store })
  }
}

extension AppStorage where Value: _StorableValue {
  /// A value with a key, which begins with this one.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
    self.init(key, wrappedValue, store, Value.storing)
  }
}

extension AppStorage where Value: RawRepresentable, Value.RawValue == Int {
  /// A value with a key, which begins with this one, by its raw value.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
    self.init(key, wrappedValue, store, Int.storing.represented(as: Value.self))
  }
}

extension AppStorage where Value: RawRepresentable, Value.RawValue == String {
  /// A value with a key, which begins with this one, by its raw value.
  public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
    self.init(key, wrappedValue, store, String.storing.represented(as: Value.self))
  }
}

extension AppStorage where Value: ExpressibleByNilLiteral {
  /// A value with a key, nil until it is set.
  public init<V: _StorableValue>(_ key: String, store: UserDefaults? = nil) where Value == V? {
    self.init(key, nil, store, V.storing.optional)
  }

  /// A value with a key, nil until it is set, by its raw value.
  public init<R: RawRepresentable>(_ key: String, store: UserDefaults? = nil)
  where Value == R?, R.RawValue == Int {
    self.init(key, nil, store, Int.storing.represented(as: R.self).optional)
  }

  /// A value with a key, nil until it is set, by its raw value.
  public init<R: RawRepresentable>(_ key: String, store: UserDefaults? = nil)
  where Value == R?, R.RawValue == String {
    self.init(key, nil, store, String.storing.represented(as: R.self).optional)
  }
}
