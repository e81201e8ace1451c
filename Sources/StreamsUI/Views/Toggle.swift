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

/// A control into which text is typed.
///
///     TextField("Name", text: $name)
nonisolated public struct TextField<Label: View>: View, Silent {
  let text: Binding<String>
  let label: Label

  /// The control. It is evaluated when the text changes; the view around it is not.
  @MainActor public var body: some View {
    let text = text
    label.modifier(
      ElementModifier {
        Element(kind: "TextField", attributes: ["value": text.wrappedValue], action: .type(text))
      })
  }
}

extension TextField where Label == Text {
  /// A field with a title.
  public init(_ title: some StringProtocol, text: Binding<String>) {
    self.init(text: text, label: Text(title))
  }
}
