/// How the views in a column are placed.
public enum HorizontalAlignment: Sendable {
  /// At the leading edge.
  case leading
  /// In the middle.
  case center
  /// At the trailing edge.
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
  /// It has no body.
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
  /// It has no body.
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

/// A side of a view.
public enum Edge: Int8, CaseIterable, Sendable {
  /// Above it.
  case top
  /// Where a line begins.
  case leading
  /// Below it.
  case bottom
  /// Where a line ends.
  case trailing

  /// Some sides of a view.
  public struct Set: OptionSet, Sendable {
    /// A bit for each side.
    public let rawValue: Int8
    /// The sides of these bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }
    /// One side.
    public init(_ edge: Edge) { rawValue = 1 << edge.rawValue }

    /// Above.
    public static let top = Set(.top)
    /// Where a line begins.
    public static let leading = Set(.leading)
    /// Below.
    public static let bottom = Set(.bottom)
    /// Where a line ends.
    public static let trailing = Set(.trailing)
    /// Where a line begins and where it ends.
    public static let horizontal: Set = [.leading, .trailing]
    /// Above and below.
    public static let vertical: Set = [.top, .bottom]
    /// All around.
    public static let all: Set = [.horizontal, .vertical]
  }
}

extension View {
  /// Leaves room around the view.
  nonisolated public func padding(_ length: Double) -> some View { padding(.all, length) }

  /// Leaves room at some sides of the view.
  nonisolated public func padding(_ edges: Edge.Set = .all, _ length: Double? = nil) -> some View {
    let sides = Edge.allCases.filter { edges.contains(Edge.Set($0)) }.map { "\($0)" }.joined(separator: " ")
    let attributes: [String: Any?] = ["length": length, "edges": edges == .all ? nil : sides]
    return modifier(PaddingModifier(attributes: attributes.texts))
  }
}

nonisolated private struct PaddingModifier: ViewModifier {
  typealias Body = Never
  let attributes: [String: String]

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    let element = Element(kind: "Padding", attributes: view.modifier.attributes, isForEach: true)
    inputs.element(element) { V._makeView(view.content, inputs) }
  }
}

/// Wraps a view in an element.
nonisolated struct ElementModifier: ViewModifier, WholeModifier {
  typealias Body = Never
  let element: () -> Element

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.element(view.modifier.element()) { V._makeView(view.content, inputs) }
  }
}
