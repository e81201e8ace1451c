/// A part of a program's interface, described by other views.
///
/// A view is a value: its `body` is asked for when the view comes into the tree, and again when something that the body
/// has read has changed, or when the view's own fields have. It needs no screen; a ``ViewHost`` keeps the tree.
///
///     struct Greeting: View {
///       @State private var count = 0
///
///       var body: some View {
///         Text("Hello \(count)")
///         Button("Greet") { count += 1 }
///       }
///     }
///
/// **Threads.** As in SwiftUI, views belong to the main actor, so that their bodies may use what does. On which thread
/// a body runs, the host's scheduler says: nothing asks whether that is the main thread.
@MainActor @preconcurrency
public protocol View {
  /// The type of the view's body.
  associatedtype Body: View

  /// What the view consists of.
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }

  nonisolated static func _makeView(_ view: Self, _ inputs: _ViewInputs)
  /// Whether a modifier is for each of its members: it may have any number of them.
  nonisolated static var _isSeveral: Bool { get }
  nonisolated static func _makeMembers(_ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor)
}

extension View {
  nonisolated public static func _makeView(_ view: Self, _ inputs: _ViewInputs) { inputs.place(view) }
  nonisolated public static var _isSeveral: Bool { false }
  nonisolated public static func _makeMembers(
    _ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor
  ) {
    visitor.visit(view, inputs)
  }
}

extension View where Body == Never {
  /// A view that is made of nothing else has no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

/// Nothing is of this type.
extension Never: View, Scene {
  /// There is none.
  public typealias Body = Never

  /// There is none.
  public var body: Never { return fatalError() }
}

/// What changes a view, or what is around it, with state of its own.
///
///     struct Badge: ViewModifier {
///       @Environment(\.isEnabled) private var isEnabled
///
///       func body(content: Content) -> some View {
///         HStack {
///           content
///           Text(isEnabled ? "on" : "off")
///         }
///       }
///     }
///
///     Text("Wi-Fi").modifier(Badge())
@MainActor @preconcurrency
public protocol ViewModifier {
  /// The type of the modified view.
  associatedtype Body: View
  /// What is modified.
  typealias Content = _ViewModifier_Content<Self>

  /// The view that takes the place of `content`.
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body

  nonisolated static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs)
}

extension ViewModifier {
  nonisolated public static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.place(view)
  }
}

extension ViewModifier where Body == Never {
  /// A modifier that is made of nothing else has no body.
  public func body(content: Content) -> Never { fatalError("\(Self.self) has no body") }
}

/// What a modifier modifies, as it stands in the modifier's body.
nonisolated public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
  public typealias Body = Never
  let make: (_ViewInputs) -> Void

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) { view.make(inputs) }
}

/// A view with a modifier.
nonisolated public struct ModifiedContent<Content, Modifier> {
  /// What is modified.
  public var content: Content
  /// What modifies it.
  public var modifier: Modifier

  /// Puts a modifier on a view.
  public init(content: Content, modifier: Modifier) { (self.content, self.modifier) = (content, modifier) }
}

extension View {
  /// Modifies the view, or each view of a ``Group``.
  nonisolated public func modifier<M: ViewModifier>(_ modifier: M) -> ModifiedContent<Self, M> {
    ModifiedContent(content: self, modifier: modifier)
  }
}
