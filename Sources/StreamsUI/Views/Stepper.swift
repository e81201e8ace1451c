import StreamsProperty

/// A control that increases and decreases a value.
///
///     Stepper("Copies: \(copies)", value: $copies, in: 1...9)
///
/// At an end of its range it goes no further, and a step that would lead out of the range leads to its end. With a ``ViewHost`` it
/// is used by `increment("Copies: 1")` and `decrement("Copies: 1")`.
nonisolated public struct Stepper<Label: View>: View, Silent {
  typealias Steps = (up: (() -> Void)?, down: (() -> Void)?)

  let steps: () -> Steps
  let onEditingChanged: (Bool) -> Void
  let label: Label

  private init(
    _ label: Label, _ onEditingChanged: @escaping (Bool) -> Void, steps: @escaping () -> Steps
  ) {
    (self.steps, self.onEditingChanged, self.label) = (steps, onEditingChanged, label)
  }

  /// Calls an action for each step; without one there is none. `onEditingChanged` is called with true before it, and with false
  /// afterwards.
  public init(
    @ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    self.init(label(), onEditingChanged) { (onIncrement, onDecrement) }
  }

  /// Changes a value.
  public init<V: Strideable>(
    value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    self.init(label(), onEditingChanged) {
      (
        { value.wrappedValue = value.wrappedValue.advanced(by: step) },
        { value.wrappedValue = value.wrappedValue.advanced(by: -step) }
      )
    }
  }

  /// Changes a value in a range.
  public init<V: Strideable>(
    value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    self.init(label(), onEditingChanged) {
      let now = value.wrappedValue
      return (
        now >= bounds.upperBound
          ? nil : { value.wrappedValue = min(value.wrappedValue.advanced(by: step), bounds.upperBound) },
        now <= bounds.lowerBound
          ? nil : { value.wrappedValue = max(value.wrappedValue.advanced(by: -step), bounds.lowerBound) }
      )
    }
  }

  /// The control. It is evaluated when a value in a range changes; the view around it is not.
  @MainActor public var body: some View {
    let (steps, onEditingChanged) = (steps(), onEditingChanged)
    func editing(_ step: (() -> Void)?) -> (() -> Void)? {
      guard let step else { return nil }
      return {
        onEditingChanged(true)
        step()
        onEditingChanged(false)
      }
    }
    let action = ViewHost.Node.Action.step(up: editing(steps.up), down: editing(steps.down))
    return label.modifier(ElementModifier { Element(kind: "Stepper", action: action) })
  }
}

extension Stepper where Label == Text {
  /// With a title; calls an action for each step.
  public init(
    _ title: some StringProtocol, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    self.init(
      label: { Text(title) }, onIncrement: onIncrement, onDecrement: onDecrement,
      onEditingChanged: onEditingChanged)
  }

  /// With a title; changes a value.
  public init<V: Strideable>(
    _ title: some StringProtocol, value: Binding<V>, step: V.Stride = 1,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    self.init(value: value, step: step, label: { Text(title) }, onEditingChanged: onEditingChanged)
  }

  /// With a title; changes a value in a range.
  public init<V: Strideable>(
    _ title: some StringProtocol, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) {
    self.init(
      value: value, in: bounds, step: step, label: { Text(title) }, onEditingChanged: onEditingChanged)
  }
}
