import StreamsProperty

/// A control that selects one of several values.
///
/// Each view in it is an option. It stands for the value of its `tag(_:)`, or else, in a ``ForEach``, for the identity of its
/// element. An option whose tag is of another type than the selection cannot be selected.
///
///     Picker("Color", selection: $color) {
///       ForEach(Color.allCases) { Text($0.name).tag($0) }
///     }
///
/// With a ``ViewHost`` an option is selected by `select("Red", in: "Color")`.
nonisolated public struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View, Silent {
  let selection: Binding<SelectionValue>
  let content: Content
  let label: Label

  /// A control with a label.
  public init(
    selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
  ) {
    (self.selection, self.content, self.label) = (selection, content(), label())
  }

  /// The control. It is evaluated when the selection changes; the view around it is not.
  @MainActor public var body: some View {
    Options(
      selected: AnyHashable(selection.wrappedValue), content: content, label: label,
      select: { [selection] in if let value = $0.base as? SelectionValue { selection.wrappedValue = value } })
  }
}

extension Picker where Label == Text {
  /// A control with a title.
  public init(
    _ title: some StringProtocol, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
  ) {
    self.init(selection: selection, content: content, label: { Text(title) })
  }
}

nonisolated private struct Options<Label: View, Content: View>: View {
  typealias Body = Never
  let selected: AnyHashable
  let content: Content
  let label: Label
  let select: (AnyHashable) -> Void

  static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.element(Element(kind: "Picker")) {
      inputs.step(.index(0)) { Label._makeView(view.label, inputs) }
      inputs.step(.index(1)) {
        Content._makeMembers(
          view.content, inputs, OptionVisitor(selected: view.selected, select: view.select))
      }
    }
  }
}

private struct OptionVisitor: _MemberVisitor {
  let selected: AnyHashable
  let select: (AnyHashable) -> Void

  func visit<V: View>(_ view: V, _ inputs: _ViewInputs) {
    let tag = trait(Tag.self, of: view)?.value ?? inputs.identity
    let element = Element(
      kind: "Option", attributes: tag.map { ["isSelected": "\($0 == selected)"] } ?? [:],
      action: tag.map { tag in .tap { select(tag) } } ?? .none)
    inputs.element(element) { V._makeView(view, inputs) }
  }
}
