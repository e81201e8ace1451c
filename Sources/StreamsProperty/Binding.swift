public import Streams

/// A value that somebody else keeps, to read, to write and to watch.
///
/// A binding connects two sides: one has the value, a subject's or whatever a pair of functions reaches, and the other
/// shows and changes it without knowing where it is. Parts of the value are bindings too.
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
/// **Writing** takes effect at once: if what keeps the value accepts a new one, `wrappedValue` is the new one then, also
/// when that was set within a delivery of an earlier one. Watchers get the values one after the other.
///
/// **Threads.** Everything may be used from any thread. Bindings that are derived from one binding write one after the
/// other: of two threads that set different parts, neither undoes what the other did. While one sets, and has the
/// change shown, another waits; where two would wait for each other for ever, the value is left to the other thread.
///
/// **Lifetime.** A binding keeps what it stands on, and so does whoever watches its values. Nothing keeps the binding.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
  let location: Location<Value>

  init(location: Location<Value>) { self.location = location }

  /// Whether it is a copy of the other.
  package func isSame(as other: Binding) -> Bool { location === other.location }

  /// Makes a binding of two functions.
  ///
  /// `get` is called once here, as SwiftUI does, and then whenever the value is asked for. Who watches is told when
  /// something is set through this binding or one derived from it: of what `get` returns after `set`.
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
  /// Who watches is told of what `changes` sends, and of nothing else. It is subscribed to, with unlimited demand, when
  /// somebody watches first, and until the binding and all who watch are gone. If it sends values at once, as a
  /// subject with a current value does, the last of them is the first that is shown. Otherwise that is what `get`
  /// returns, and a change that another thread makes between this and the subscription is missed.
  ///
  ///     let name = Binding(get: { store.name }, set: { store.name = $0 }, changes: store.names)
  public init<Changes: Publisher>(
    get: @escaping () -> Value, set: @escaping (Value) -> Void, changes: Changes
  ) where Changes.Output == Value, Changes.Failure == Never {
    location = Location(read: get, write: set, watch: { Property(initial: get(), then: changes) })
  }

  /// Makes a binding of a subject's value, which keeps the subject.
  ///
  ///     let speed = CurrentValueSubject<Int, Never>(0)
  ///     let binding = Binding(speed)
  public init(_ subject: CurrentValueSubject<Value, Never>) {
    location = Location(
      read: { subject.value }, write: { subject.value = $0 }, watch: { Property(subject) })
  }

  /// The same binding: what `$` gives becomes a wrapper again.
  public init(projectedValue: Binding<Value>) { self = projectedValue }

  /// A binding that always has `value`, whatever is set. Who watches it gets the value and the completion.
  ///
  ///     let preview = Volume(level: .constant(5))
  public static func constant(_ value: Value) -> Binding<Value> {
    Binding(location: Location(read: { value }, write: { _ in }, watch: { Property(value) }))
  }

  /// The value. Setting it takes effect at once.
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

  /// The binding itself, which `$` gives.
  public var projectedValue: Binding<Value> { self }

  /// The current value and those that come, as ``Property/allValues`` sends them.
  ///
  /// A subscriber that is behind on demand gets the latest. Completes when what keeps the value says that there are no
  /// more.
  public var values: AnyPublisher<Value, Never> { location.property.allValues }
}

extension Property {
  /// Makes a property that shows what a binding has.
  ///
  ///     let isValid = Property($name).map { !$0.isEmpty }
  public init(_ binding: Binding<Output>) { self = binding.location.property }
}

/// What a binding refers to is used in turns and under locks; what its functions reach is theirs.
extension Binding: @unchecked Sendable where Value: Sendable {}
