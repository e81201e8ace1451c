import StreamsProperty

/// A control for a number in a range.
///
///     Slider(value: $volume, in: 0...10, step: 1) { Text("Volume") }
///
/// The labels at its ends are not shown. With a ``ViewHost`` it is moved by `slide("Volume", to: 7)`; a number out of the range or
/// between two steps becomes the nearest that can be chosen.
nonisolated public struct Slider<Label: View, ValueLabel: View>: View, Silent {
  let value: Binding<Double>
  let bounds: ClosedRange<Double>
  let step: Double?
  let onEditingChanged: (Bool) -> Void
  let label: Label

  private init<V: BinaryFloatingPoint>(
    _ value: Binding<V>, _ bounds: ClosedRange<V>, step: Double?,
    _ onEditingChanged: @escaping (Bool) -> Void,
    _ label: Label
  ) {
    self.value = value.map(get: { Double($0) }, set: { V($1) })
    self.bounds = Double(bounds.lowerBound)...Double(bounds.upperBound)
    (self.step, self.onEditingChanged, self.label) = (step, onEditingChanged, label)
  }

  /// The control. It is evaluated when the value changes; the view around it is not.
  @MainActor public var body: some View {
    let (value, onEditingChanged) = (value, onEditingChanged)
    let chosen = Binding(
      get: { value.wrappedValue },
      set: { number in
        onEditingChanged(true)
        value.wrappedValue = nearest(to: number)
        onEditingChanged(false)
      })
    let step = step ?? (bounds.upperBound - bounds.lowerBound) / 10
    let attributes = [
      "value": "\(chosen.wrappedValue)", "minimum": "\(bounds.lowerBound)", "maximum": "\(bounds.upperBound)",
    ]
    label.modifier(
      ElementModifier { Element(kind: "Slider", attributes: attributes, action: .slide(chosen, step: step)) })
  }

  /// The nearest number that can be chosen.
  private func nearest(to number: Double) -> Double {
    if number.isNaN { return value.wrappedValue }
    let clamped = min(max(number, bounds.lowerBound), bounds.upperBound)
    guard let step, step > 0 else { return clamped }
    let last = ((bounds.upperBound - bounds.lowerBound) / step).rounded(.down)
    return bounds.lowerBound + min(((clamped - bounds.lowerBound) / step).rounded(), last) * step
  }
}

extension Slider {
  /// For any number in a range, with labels. `onEditingChanged` is called with true before the number changes, and with false
  /// afterwards.
  public init<V: BinaryFloatingPoint>(
    value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
    @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V.Stride: BinaryFloatingPoint {
    self.init(value, bounds, step: nil, onEditingChanged, label())
  }

  /// For a number of steps in a range, with labels. `onEditingChanged` is called with true before the number changes, and with
  /// false afterwards.
  public init<V: BinaryFloatingPoint>(
    value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
    @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V.Stride: BinaryFloatingPoint {
    self.init(value, bounds, step: Double(step), onEditingChanged, label())
  }
}

extension Slider where ValueLabel == EmptyView {
  /// For any number in a range, with a label.
  public init<V: BinaryFloatingPoint>(
    value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V.Stride: BinaryFloatingPoint {
    self.init(value, bounds, step: nil, onEditingChanged, label())
  }

  /// For a number of steps in a range, with a label.
  public init<V: BinaryFloatingPoint>(
    value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V.Stride: BinaryFloatingPoint {
    self.init(value, bounds, step: Double(step), onEditingChanged, label())
  }
}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
  /// For any number in a range.
  public init<V: BinaryFloatingPoint>(
    value: Binding<V>, in bounds: ClosedRange<V> = 0...1,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V.Stride: BinaryFloatingPoint {
    self.init(value, bounds, step: nil, onEditingChanged, EmptyView())
  }

  /// For a number of steps in a range.
  public init<V: BinaryFloatingPoint>(
    value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
    onEditingChanged: @escaping (Bool) -> Void = { _ in }
  ) where V.Stride: BinaryFloatingPoint {
    self.init(value, bounds, step: Double(step), onEditingChanged, EmptyView())
  }
}
