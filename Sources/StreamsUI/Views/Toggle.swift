import StreamsProperty

/// A control that is on or off.
///
///     Toggle("Enabled", isOn: $model.isEnabled)
nonisolated public struct Toggle<Label: View>: View, Silent {
  let isOn: Binding<Bool>
  let label: Label

  /// A control of a binding.
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    (self.isOn, self.label) = (isOn, label())
  }

  /// The control. It is evaluated when the value changes; the view around it is not.
  @MainActor public var body: some View {
    let isOn = isOn
    label.modifier(
      ElementModifier {
        Element(kind: "Toggle", attributes: ["isOn": "\(isOn.wrappedValue)"], action: .toggle(isOn))
      })
  }
}

extension Toggle where Label == Text {
  /// A control with a title.
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(title) }
  }
}
