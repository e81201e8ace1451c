/// A part of a program's interface, described by other views.
///
/// A view is a value. Its `body` is evaluated when the view enters the tree, and again when a value that the body has read or the
/// view's own fields have changed. It needs no screen; a ``ViewHost`` keeps the tree.
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
/// **Threads.** As in SwiftUI, views belong to the main actor, so that their bodies may use main-actor code. The host's scheduler
/// decides on which thread a body runs: there is no check that it is the main thread.
@MainActor @preconcurrency
public protocol View {
  /// The type of the view's body.
  associatedtype Body: View

  /// The view's content.
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }

  nonisolated static func _makeView(_ view: Self, _ inputs: _ViewInputs)
  /// Whether modifiers apply to each of its members, of which there may be any number.
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
  /// A primitive view has no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

/// `Never` has no values.
extension Never: View, Scene {
  /// It has no body.
  public typealias Body = Never

  /// It has no body.
  public var body: Never { return fatalError() }
}

/// Changes a view, or wraps it, with state of its own.
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
  /// The view that is modified.
  typealias Content = _ViewModifier_Content<Self>

  /// The view that replaces `content`.
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body

  nonisolated static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs)
}

extension ViewModifier {
  nonisolated public static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.place(view)
  }
}

extension ViewModifier where Body == Never {
  /// A primitive modifier has no body.
  public func body(content: Content) -> Never { fatalError("\(Self.self) has no body") }
}

/// The view that a modifier modifies, in the modifier's body.
nonisolated public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
  public typealias Body = Never
  let make: (_ViewInputs) -> Void

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) { view.make(inputs) }
}

/// A view with a modifier.
nonisolated public struct ModifiedContent<Content, Modifier> {
  /// The view.
  public var content: Content
  /// The modifier.
  public var modifier: Modifier

  /// Applies a modifier to a view.
  public init(content: Content, modifier: Modifier) { (self.content, self.modifier) = (content, modifier) }
}

extension View {
  /// Modifies the view, or each view of a ``Group``.
  nonisolated public func modifier<M: ViewModifier>(_ modifier: M) -> ModifiedContent<Self, M> {
    ModifiedContent(content: self, modifier: modifier)
  }
}
