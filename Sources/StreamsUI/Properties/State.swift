import Streams
import StreamsProperty
import StreamsScopes

/// A value that a view owns while it is in its place in the tree.
///
/// A body that reads the value is evaluated again when it has changed. A view that only passes the binding `$value` on is not.
/// The initial value is used when the view enters the tree; for a view that is already in its place it is ignored.
///
///     struct Player: View {
///       @State private var isPlaying = false
///
///       var body: some View {
///         PlayButton(isPlaying: $isPlaying)
///       }
///     }
///
/// **Threads.** May be read and set on any thread. All changes until the host's next update appear together.
///
/// **Where.** In a view, a ``ViewModifier``, an ``App`` or a ``Scene``, or in a ``DynamicProperty`` of one of these. In any other
/// structure it is not found, as in SwiftUI, and has no place, as before its view is in a tree. Then it keeps its initial value:
/// setting it only reports that.
@propertyWrapper
public struct State<Value>: DynamicProperty {
  private let initial: Value
  private var slot: StateSlot<Value>?

  /// Makes a state with its initial value.
  public init(wrappedValue value: Value) { initial = value }

  /// Makes a state with its initial value.
  public init(initialValue value: Value) { initial = value }

  /// The value.
  public var wrappedValue: Value {
    get { slot?.value ?? initial }
    nonmutating set {
      if let slot { return slot.set(newValue) }
      HostCore.warn("a State<\(Value.self)> was set before its view is in a tree; it keeps its first value")
    }
  }

  /// A binding of the value, the same one while the view is in its place.
  public var projectedValue: Binding<Value> { slot?.binding ?? .constant(initial) }
}

extension State where Value: ExpressibleByNilLiteral {
  /// Makes a state that begins with nil.
  public init() { initial = nil }
}

extension State: Sendable where Value: Sendable {}

extension State: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) {
    let kept = slot as? StateSlot<Value> ?? StateSlot(initial)
    self.slot = kept
    slot = kept
  }

  static func isSame(_ old: Self, _ new: Self) -> Bool { true }
}

/// The storage of a state.
final class StateSlot<Value>: @unchecked Sendable {
  private let cell: StateCell<Value>
  /// Called when a value has been set.
  private let written: (Value) -> Void
  /// Tells the binding's subscribers when a value has been set. They read it then: so of two threads that set values, the last to
  /// tell them does not bring an old one.
  private let changes = Lock<ObservableObjectPublisher?>(nil)
  private let bound = Lock<Binding<Value>?>(nil)

  init(_ value: Value, written: @escaping (Value) -> Void = { _ in }) {
    (cell, self.written) = (StateCell(value), written)
  }

  var value: Value { cell.value }

  func set(_ value: Value) {
    change(to: value)
    written(value)
  }

  /// Takes a value that was not set here.
  func show(_ value: Value) {
    if areEqual(Scope.reading(as: nil) { cell.value }, value) { return }
    change(to: value)
  }

  private func change(to value: Value) {
    cell.set(value, isEqual: areEqual)
    // In this order: whoever subscribes later finds the value.
    changes.withLock { $0 }?.send()
  }

  var binding: Binding<Value> {
    if let binding = bound.withLock({ $0 }) { return binding }
    let (cell, written) = (cell, written)
    let changes = ObservableObjectPublisher()
    let binding = Binding(
      get: { cell.value },
      set: { value in
        cell.set(value, isEqual: areEqual)
        changes.send()
        written(value)
      }, at: changes, reading: { Scope.reading(as: nil) { cell.value } })
    return bound.withLock { bound in
      if let bound { return bound }
      self.changes.withLock { $0 = changes }
      bound = binding
      return binding
    }
  }
}
