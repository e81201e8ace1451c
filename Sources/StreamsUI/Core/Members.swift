/// Does something with each of several views.
public protocol _MemberVisitor {
  /// Visits one of the views, at the place where `inputs` are now.
  func visit<V: View>(_ view: V, _ inputs: _ViewInputs)
  /// Makes a view that is none of them but stands with them, such as the header of a section.
  func visitOther<V: View>(_ view: V, _ inputs: _ViewInputs)
}

extension _MemberVisitor {
  public func visitOther<V: View>(_ view: V, _ inputs: _ViewInputs) { V._makeView(view, inputs) }
}

/// Applies a modifier to each view.
private struct Modifying<M: ViewModifier>: _MemberVisitor {
  let modifier: M

  func visit<V: View>(_ view: V, _ inputs: _ViewInputs) {
    M._makeView(ModifiedContent(content: view, modifier: modifier), inputs)
  }

  func visitOther<V: View>(_ view: V, _ inputs: _ViewInputs) { visit(view, inputs) }
}

/// Applies a modifier to each view, and passes the result to another visitor.
private struct Modified<M: ViewModifier, Next: _MemberVisitor>: _MemberVisitor {
  let modifier: M
  let next: Next

  func visit<V: View>(_ view: V, _ inputs: _ViewInputs) {
    next.visit(ModifiedContent(content: view, modifier: modifier), inputs)
  }

  func visitOther<V: View>(_ view: V, _ inputs: _ViewInputs) {
    next.visitOther(ModifiedContent(content: view, modifier: modifier), inputs)
  }
}

/// A modifier that is applied to several views as a whole, because it would do the same for each.
protocol WholeModifier {}

/// A modifier that is applied to several views as a whole, because it adds something that must exist only once.
protocol Single: WholeModifier {}

/// Several views as one, with a visitor for each of them.
nonisolated private struct Visited<Content: View, Visitor: _MemberVisitor>: View {
  typealias Body = Never
  let content: Content
  let visitor: Visitor

  static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    Content._makeMembers(view.content, inputs, view.visitor)
  }
}

extension View {
  /// Makes the view, or visits each of its members.
  nonisolated static func make(_ view: Self, _ inputs: _ViewInputs, _ visitor: (any _MemberVisitor)?) {
    if let visitor { _makeMembers(view, inputs, visitor) } else { _makeView(view, inputs) }
  }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
  /// The modifier's body.
  @MainActor public var body: Modifier.Body {
    modifier.body(content: _ViewModifier_Content { Content._makeView(content, $0) })
  }

  nonisolated public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    if Content._isSeveral, !(Modifier.self is any WholeModifier.Type) {
      Content._makeMembers(view.content, inputs, Modifying(modifier: view.modifier))
    } else {
      Modifier._makeView(view, inputs)
    }
  }

  nonisolated public static var _isSeveral: Bool { Content._isSeveral }

  nonisolated public static func _makeMembers(
    _ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor
  ) {
    guard Modifier.self is any Single.Type else {
      Content._makeMembers(view.content, inputs, Modified(modifier: view.modifier, next: visitor))
      return
    }
    if Modifier.Body.self == Never.self {
      let content = Visited(content: view.content, visitor: visitor)
      Modifier._makeView(ModifiedContent<_, Modifier>(content: content, modifier: view.modifier), inputs)
    } else {
      // Its body is evaluated later, but the visitor must see all members now: what it adds stands beside them.
      inputs.step(.index(0)) { Content._makeMembers(view.content, inputs, visitor) }
      inputs.step(.index(1)) {
        Modifier._makeView(
          ModifiedContent<EmptyView, Modifier>(content: EmptyView(), modifier: view.modifier), inputs)
      }
    }
  }
}
