/// What a button is for.
public enum ButtonRole: Sendable {
  /// It destroys something.
  case destructive
  /// It cancels something.
  case cancel
}

/// A control that calls an action when it is tapped.
///
///     Button("Play") { isPlaying = true }
nonisolated public struct Button<Label: View>: View {
  /// It has no body.
  public typealias Body = Never
  let role: ButtonRole?
  let action: @MainActor () -> Void
  let label: Label

  /// A button with a label.
  @preconcurrency
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {
    self.init(role: nil, action: action, label: label)
  }

  /// A button with a role and a label.
  @preconcurrency
  public init(
    role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) {
    (self.role, self.action, self.label) = (role, action, label())
  }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    let (action, scope) = (view.action, inputs.scope)
    let element = Element(
      kind: "Button", attributes: ["role": view.role].texts,
      action: .tap { [weak scope] in
        onMainActor(action)
        EnvironmentValues(scope: scope)[AfterTapKey.self]?.action()
      })
    inputs.element(element) { Label._makeView(view.label, inputs) }
  }
}

extension Button where Label == Text {
  /// A button with a title.
  @preconcurrency
  public init(_ title: some StringProtocol, action: @escaping @MainActor () -> Void) {
    self.init(title, role: nil, action: action)
  }

  /// A button with a role and a title.
  @preconcurrency
  public init(
    _ title: some StringProtocol, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {
    self.init(role: role, action: action) { Text(title) }
  }
}
