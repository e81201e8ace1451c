import Streams
import StreamsScopes

/// Which control has the focus.
///
/// With `focused(_:equals:)` it is the value of the control that has it, and nil if that is another one; with `focused(_:)` it
/// is whether the control has it. Setting it moves the focus in the host's next update; if there is no such control then, the state
/// becomes again what it was.
///
///     enum Field { case name, password }
///
///     @FocusState private var field: Field?
///
///     TextField("Name", text: $name)
///       .focused($field, equals: .name)
///       .onSubmit { field = .password }
///     SecureField("Password", text: $password)
///       .focused($field, equals: .password)
///
/// With a ``ViewHost`` a control gets the focus by `focus("Name")`, and ``ViewHost/focused`` has it.
///
/// **Threads.** May be read and set on any thread.
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
  private let none: Value
  private var slot: FocusSlot<Value>?

  /// Whether a control has the focus; at first it has not.
  public init() where Value == Bool { none = false }

  /// The value of the control that has the focus; at first none has it.
  public init<T: Hashable>() where Value == T? { none = nil }

  /// The value of the control that has the focus.
  public var wrappedValue: Value {
    get { projectedValue.wrappedValue }
    nonmutating set { projectedValue.wrappedValue = newValue }
  }

  /// A reference to the state, for `focused(_:equals:)` and other views.
  public var projectedValue: Binding { Binding(none: none, slot: slot) }

  /// A reference to a ``FocusState``.
  @propertyWrapper
  public struct Binding {
    fileprivate let none: Value
    fileprivate let slot: FocusSlot<Value>?

    /// The value of the control that has the focus.
    public var wrappedValue: Value {
      get { slot?.state.value ?? none }
      nonmutating set {
        if let slot { return slot.state.set(newValue) }
        HostCore.warn("a FocusState<\(Value.self)> was set before its view is in a tree")
      }
    }

    /// The reference itself.
    public var projectedValue: Binding { self }
  }
}

extension FocusState: ConnectedProperty {
  mutating func connect(to slot: inout AnyObject?, _ context: PropertyContext) {
    let kept = slot as? FocusSlot<Value> ?? FocusSlot(none: none, context.core)
    self.slot = kept
    slot = kept
  }

  static func isSame(_ old: Self, _ new: Self) -> Bool { true }
}

extension View {
  /// Connects the focus of a control in the view with a state that is true while it has the focus.
  ///
  ///     TextField("Name", text: $name).focused($isNamed)
  nonisolated public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
    focused(condition, equals: true)
  }

  /// Connects the focus of a control in the view with a state that has this value while the control has the focus.
  ///
  ///     TextField("Name", text: $name).focused($field, equals: .name)
  nonisolated public func focused<V: Hashable>(_ binding: FocusState<V>.Binding, equals value: V) -> some View
  {
    modifier(FocusModifier(slot: binding.slot, value: value))
  }
}

/// The storage of a focus state.
private final class FocusSlot<Value: Hashable>: AnyFocusSlot, @unchecked Sendable {
  let state: StateSlot<Value>
  private let none: Value

  init(none: Value, _ core: HostCore) {
    self.none = none
    let id = FocusCenter.SlotID()
    state = StateSlot(none) { [weak core] _ in core?.focus.request(id) }
    super.init(id)
    core.focus.add(self)
  }

  override var isWithout: Bool { state.value == none }
  override func lose() { state.show(none) }
}

nonisolated private struct FocusModifier<Value: Hashable>: ViewModifier, WholeModifier {
  typealias Body = Never
  let slot: FocusSlot<Value>?
  let value: Value

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    let (slot, value) = (view.modifier.slot, view.modifier.value)
    inputs.within(FocusPlace.init) { scope, place, _ in
      let focus = inputs.core.focus
      let entry = FocusEntry(
        scope: scope, slot: slot?.id, value: AnyHashable(value), isWanted: { slot?.state.value == value },
        gain: { slot?.state.show(value) })
      if let before = focus.set(entry, at: place), before.value != entry.value {
        scope.tree.act { [weak focus] in focus?.notify() }
      }
      V._makeView(view.content, inputs)
    }
  }
}
