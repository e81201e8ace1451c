/// How the views in a column are placed.
public enum HorizontalAlignment: Sendable {
  /// At the side where a line begins.
  case leading
  /// In the middle.
  case center
  /// At the side where a line ends.
  case trailing
}

/// How the views in a row are placed.
public enum VerticalAlignment: Sendable {
  /// At the top.
  case top
  /// In the middle.
  case center
  /// At the bottom.
  case bottom
}

/// Views one below the other.
nonisolated public struct VStack<Content: View>: View {
  /// It is made of nothing else.
  public typealias Body = Never
  let alignment: HorizontalAlignment
  let spacing: Double?
  let content: Content

  /// Makes a column.
  public init(
    alignment: HorizontalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
  ) {
    (self.alignment, self.spacing, self.content) = (alignment, spacing, content())
  }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    let alignment = view.alignment == .center ? nil : view.alignment
    let attributes: [String: Any?] = ["alignment": alignment, "spacing": view.spacing]
    inputs.element(Element(kind: "VStack", attributes: attributes.texts)) {
      Content._makeView(view.content, inputs)
    }
  }
}

/// Views side by side.
nonisolated public struct HStack<Content: View>: View {
  /// It is made of nothing else.
  public typealias Body = Never
  let alignment: VerticalAlignment
  let spacing: Double?
  let content: Content

  /// Makes a row.
  public init(
    alignment: VerticalAlignment = .center, spacing: Double? = nil, @ViewBuilder content: () -> Content
  ) {
    (self.alignment, self.spacing, self.content) = (alignment, spacing, content())
  }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    let alignment = view.alignment == .center ? nil : view.alignment
    let attributes: [String: Any?] = ["alignment": alignment, "spacing": view.spacing]
    inputs.element(Element(kind: "HStack", attributes: attributes.texts)) {
      Content._makeView(view.content, inputs)
    }
  }
}

extension View {
  /// Leaves room around the view.
  nonisolated public func padding(_ length: Double? = nil) -> some View {
    modifier(ElementModifier { Element(kind: "Padding", attributes: ["length": length].texts) })
  }
}

/// Puts a view into an element.
nonisolated struct ElementModifier: ViewModifier {
  typealias Body = Never
  let element: () -> Element

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.element(view.modifier.element()) { V._makeView(view.content, inputs) }
  }
}
