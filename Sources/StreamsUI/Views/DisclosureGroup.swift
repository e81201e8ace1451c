import StreamsProperty

/// Views that are shown while it is expanded. They leave the tree, with their state, when it is not.
///
///     DisclosureGroup("More", isExpanded: $isExpanded) { Details() }
nonisolated public struct DisclosureGroup<Label: View, Content: View>: View, Silent {
  @State private var isExpandedHere = false
  let isExpanded: Binding<Bool>?
  let content: () -> Content
  let label: Label

  /// Is expanded while a binding is true.
  public init(
    isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label
  ) {
    (self.isExpanded, self.content, self.label) = (isExpanded, content, label())
  }

  /// Keeps by itself whether it is expanded; at first it is not.
  public init(@ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label) {
    (isExpanded, self.content, self.label) = (nil, content, label())
  }

  /// A toggle with the label, and the views.
  @MainActor public var body: some View {
    let isExpanded = isExpanded ?? $isExpandedHere
    Toggle(isOn: isExpanded) { label }
    if isExpanded.wrappedValue { content() }
  }
}

extension DisclosureGroup where Label == Text {
  /// With a title; is expanded while a binding is true.
  public init(
    _ title: some StringProtocol, isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content
  ) {
    self.init(isExpanded: isExpanded, content: content, label: { Text(title) })
  }

  /// With a title; keeps by itself whether it is expanded.
  public init(_ title: some StringProtocol, @ViewBuilder content: @escaping () -> Content) {
    self.init(content: content, label: { Text(title) })
  }
}
