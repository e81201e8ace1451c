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
    get { slot?.cell.value ?? initial }
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
private final class StateSlot<Value>: @unchecked Sendable {
  let cell: StateCell<Value>
  /// Sends the values that are set to the binding's subscribers.
  private let changes = Lock<PassthroughSubject<Value, Never>?>(nil)
  private let bound = Lock<Binding<Value>?>(nil)

  init(_ value: Value) { cell = StateCell(value) }

  func set(_ value: Value) { Self.set(cell, value, changes.withLock { $0 }) }

  private static func set(
    _ cell: StateCell<Value>, _ value: Value, _ changes: PassthroughSubject<Value, Never>?
  ) {
    cell.set(value, isEqual: areEqual)
    changes?.send(value)
  }

  var binding: Binding<Value> {
    if let binding = bound.withLock({ $0 }) { return binding }
    let cell = cell
    let changes = PassthroughSubject<Value, Never>()
    let binding = Binding(
      get: { cell.value }, set: { Self.set(cell, $0, changes) }, changes: changes)
    return bound.withLock { bound in
      if let bound { return bound }
      self.changes.withLock { $0 = changes }
      bound = binding
      return binding
    }
  }
}
