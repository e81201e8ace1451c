import Foundation
import Streams
import StreamsProperty

/// How values are kept in a store.
struct Storing<Value> {
  /// Nil if the store has no such value.
  let read: (UserDefaults, _ key: String) -> Value?
  let write: (UserDefaults, _ key: String, Value) -> Void

  /// The value as an optional: nil is no value in the store.
  var optional: Storing<Value?> {
    Storing<Value?>(
      read: { .some(read($0, $1)) },
      write: { store, key, value in
        if let value { write(store, key, value) } else { store.removeObject(forKey: key) }
      })
  }

  /// The value by its raw value.
  func represented<R: RawRepresentable>(as type: R.Type) -> Storing<R> where R.RawValue == Value {
    Storing<R>(
      read: { read($0, $1).flatMap(R.init(rawValue:)) }, write: { write($0, $1, $2.rawValue) })
  }
}

/// A type of which stores keep the values themselves.
public protocol _StorableValue {
  static func _read(from store: UserDefaults, _ key: String) -> Self?
  func _write(to store: UserDefaults, _ key: String)
}

extension _StorableValue {
  static var storing: Storing<Self> {
    Storing(read: Self._read, write: { $2._write(to: $0, $1) })
  }

  public static func _read(from store: UserDefaults, _ key: String) -> Self? {
    store.object(forKey: key) as? Self
  }
  public func _write(to store: UserDefaults, _ key: String) { store.set(self, forKey: key) }
}

extension String: _StorableValue {}
extension Data: _StorableValue {}
extension Date: _StorableValue {}

extension Bool: _StorableValue {
  public static func _read(from store: UserDefaults, _ key: String) -> Bool? {
    store.object(forKey: key).map { _ in store.bool(forKey: key) }
  }
}

extension Int: _StorableValue {
  public static func _read(from store: UserDefaults, _ key: String) -> Int? {
    store.object(forKey: key).map { _ in store.integer(forKey: key) }
  }
}

extension Double: _StorableValue {
  public static func _read(from store: UserDefaults, _ key: String) -> Double? {
    store.object(forKey: key).map { _ in store.double(forKey: key) }
  }
}

/// As its text: what Foundation makes of a URL here loses its host.
extension URL: _StorableValue {
  public static func _read(from store: UserDefaults, _ key: String) -> URL? {
    store.string(forKey: key).flatMap { URL(string: $0) }
  }

  public func _write(to store: UserDefaults, _ key: String) { store.set(absoluteString, forKey: key) }
}

/// A value of a store, for all views that have it with this key and type.
class AnyStoreValue {
  /// Shows what the store has now.
  func reload() {}
}

/// The values of a store that views have. It is there as long as one of them is.
final class StoreValues: @unchecked Sendable {
  private struct Weak<Object: AnyObject> {
    weak var object: Object?
  }

  nonisolated(unsafe) private static let stores = Lock<[ObjectIdentifier: Weak<StoreValues>]>([:])

  let store: UserDefaults
  private let values = Lock<[Weak<AnyStoreValue>]>([])
  private var observer: (any NSObjectProtocol)?

  static func of(_ store: UserDefaults) -> StoreValues {
    stores.withLock { stores in
      if let known = stores[ObjectIdentifier(store)]?.object { return known }
      stores = stores.filter { $0.value.object != nil }
      let values = StoreValues(store)
      stores[ObjectIdentifier(store)] = Weak(object: values)
      return values
    }
  }

  private init(_ store: UserDefaults) {
    self.store = store
    observer = NotificationCenter.default.addObserver(
      forName: UserDefaults.didChangeNotification, object: store, queue: nil
    ) { [weak self] _ in self?.reload() }
  }

  deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }

  /// The value for a key, the same one for all views.
  func value<Value>(_ key: String, _ initial: Value, _ storing: Storing<Value>) -> StoreValue<Value> {
    let made = StoreValue(key, initial, storing, self)
    return values.withLock { values in
      let all = values.lazy.compactMap { $0.object as? StoreValue<Value> }
      if let known = all.first(where: { $0.isOf(key, initial) }) { return known }
      values.removeAll { $0.object == nil }
      values.append(Weak(object: made))
      return made
    }
  }

  /// Shows all values that the store has now.
  func reload() {
    let all = values.withLock { $0.compactMap(\.object) }
    for value in all { value.reload() }
  }
}

/// A value of a store, for all views that have it with this key, type and first value.
final class StoreValue<Value>: AnyStoreValue, @unchecked Sendable {
  let slot: StateSlot<Value>
  private let values: StoreValues
  private let key: String
  private let initial: Value
  private let read: () -> Value

  fileprivate init(_ key: String, _ initial: Value, _ storing: Storing<Value>, _ values: StoreValues) {
    (self.key, self.initial, self.values) = (key, initial, values)
    let store = values.store
    read = { storing.read(store, key) ?? initial }
    slot = StateSlot(read()) { [values] value in
      storing.write(store, key, value)
      values.reload()
    }
  }

  func isOf(_ store: UserDefaults, _ key: String) -> Bool { values.store === store && self.key == key }

  fileprivate func isOf(_ key: String, _ initial: Value) -> Bool {
    self.key == key && areEqual(self.initial, initial)
  }

  override func reload() { slot.show(read()) }
}
