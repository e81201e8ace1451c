public import Streams

/// A reference to a value that is stored elsewhere, to read, write and subscribe to.
///
/// A binding connects two sides: one stores the value, in a subject or behind a pair of functions; the other shows and changes it
/// without knowing where it is stored. Parts of the value are bindings too.
///
///     struct Volume {
///       @Binding var level: Int
///       func raise() { level += 1 }
///     }
///
///     let settings = CurrentValueSubject<(level: Int, isMuted: Bool), Never>((3, false))
///     let cancellable = Binding(settings).level.values.sink { print($0) }  // 3
///     Volume(level: Binding(settings).level).raise()                  // 4
///     print(settings.value)                                           // (level: 4, isMuted: false)
///
/// **Writing** takes effect immediately: once the storage has accepted a new value, `wrappedValue` returns it, also when it was
/// set within a delivery of an earlier one. Subscribers get the values one after the other.
///
/// **Threads.** Everything may be used from any thread. Bindings that are derived from one binding write one after the other:
/// when two threads set different parts, neither undoes the other's change. While one thread sets a value and delivers the
/// change, another waits; if two would wait for each other forever, the value is left to the other thread.
///
/// **Lifetime.** A binding and the subscribers of its values keep what it refers to. Nothing keeps the binding.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  let location: Location<Value>

  init(location: Location<Value>) { self.location = location }

  /// Whether it is a copy of the other.
  package func isSame(as other: Binding) -> Bool { location === other.location }

  /// Makes a binding of two functions.
  ///
  /// `get` is called once here, as SwiftUI does, and then for each read. When a value is set through this binding or one derived
  /// from it, subscribers get what `get` returns after `set`.
  ///
  ///     let text = Binding(get: { field.text }, set: { field.text = $0 })
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    _ = get()
    let changes = PassthroughSubject<Void, Never>()
    location = Location(
      read: get,
      write: {
        set($0)
        changes.send()
      },
      watch: { Property(initial: get(), then: changes.map { _ in get() }) })
  }

  /// Makes a binding of two functions and a publisher of the values.
  ///
  /// Subscribers get what `changes` sends, and nothing else. It is subscribed to with unlimited demand when the binding gets its
  /// first subscriber, until the binding and all subscribers are gone. If it sends values immediately, as a subject with a
  /// current value does, the last of these is the first value that subscribers get. Otherwise they first get what `get` returns,
  /// and miss a change that another thread makes between this and the subscription.
  ///
  ///     let name = Binding(get: { store.name }, set: { store.name = $0 }, changes: store.names)
  public init<Changes: Publisher>(
    get: @escaping () -> Value, set: @escaping (Value) -> Void, changes: Changes
  ) where Changes.Output == Value, Changes.Failure == Never {
    location = Location(read: get, write: set, watch: { Property(initial: get(), then: changes) })
  }

  /// Makes a binding of a subject's value, and keeps the subject.
  ///
  ///     let speed = CurrentValueSubject<Int, Never>(0)
  ///     let binding = Binding(speed)
  public init(_ subject: CurrentValueSubject<Value, Never>) {
    location = Location(
      read: { subject.value }, write: { subject.value = $0 }, watch: { Property(subject) })
  }

  /// Makes a wrapper of the binding that `$` returns.
  public init(projectedValue: Binding<Value>) { self = projectedValue }

  /// A binding that always has `value`, whatever is set. Subscribers get the value and the completion.
  ///
  ///     let preview = Volume(level: .constant(5))
  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(location: Location(read: { value }, write: { _ in }, watch: { Property(value) }))
  }

  /// The value. Setting it takes effect immediately.
  public var wrappedValue: Value {
    get {
      BatchProgress.deliverGatheredIfAny()
      return location.read()
    }
    nonmutating set {
      BatchProgress.deliverGatheredIfAny()
      location.set(newValue)
    }
  }

  /// The binding itself, which `$` returns.
  public var projectedValue: Binding<Value> { self }

  /// The current value and later ones, as ``Property/allValues`` sends them.
  ///
  /// A subscriber that is behind on demand gets the latest value. Completes when the value's publisher or subject completes.
  public var values: AnyPublisher<Value, Never> { location.property.allValues }
}

extension Property {
  /// Makes a property of a binding's value.
  ///
  ///     let isValid = Property($name).map { !$0.isEmpty }
  public init(_ binding: Binding<Output>) { self = binding.location.property }
}

/// Locks and serializers guard what a binding refers to; its functions guard what they reach.
extension Binding: @unchecked Sendable where Value: Sendable {}
