/// Makes one view from several statements, with `if`, `switch` and optionals.
@resultBuilder
public struct ViewBuilder {
  /// A statement is a view.
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  /// No statement.
  public static func buildBlock() -> EmptyView { EmptyView() }
  /// One statement.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// Several statements.
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<
    (repeat each Content)
  > {
    TupleView((repeat each content)) { inputs, visitor in
      var index = 0
      func make<V: View>(_ view: V) {
        inputs.step(.index(index)) { V.make(view, inputs, visitor) }
        index += 1
      }
      repeat make(each content)
    }
  }
  /// `if` without `else`.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  /// The first branch.
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> {
    _ConditionalContent(storage: .first(first))
  }
  /// The second branch.
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> {
    _ConditionalContent(storage: .second(second))
  }
  /// `if #available`.
  public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
    AnyView(content)
  }
}

/// Several views, one after the other.
nonisolated public struct TupleView<T>: View {
  /// It has no body.
  public typealias Body = Never
  /// The views.
  public var value: T
  let make: (_ViewInputs, (any _MemberVisitor)?) -> Void

  init(_ value: T, make: @escaping (_ViewInputs, (any _MemberVisitor)?) -> Void) {
    (self.value, self.make) = (value, make)
  }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) { view.make(inputs, nil) }
  public static var _isSeveral: Bool { true }
  public static func _makeMembers(_ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor) {
    view.make(inputs, visitor)
  }
}

/// One of two views.
nonisolated public struct _ConditionalContent<First, Second> {
  enum Storage {
    case first(First)
    case second(Second)
  }

  let storage: Storage
}

extension _ConditionalContent: View where First: View, Second: View {
  public typealias Body = Never

  nonisolated public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    make(view.storage, inputs, nil)
  }

  nonisolated public static var _isSeveral: Bool { true }

  nonisolated public static func _makeMembers(
    _ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor
  ) {
    make(view.storage, inputs, visitor)
  }

  nonisolated private static func make(
    _ storage: Storage, _ inputs: _ViewInputs, _ visitor: (any _MemberVisitor)?
  ) {
    switch storage {
    case .first(let first): inputs.step(.index(0)) { First.make(first, inputs, visitor) }
    case .second(let second): inputs.step(.index(1)) { Second.make(second, inputs, visitor) }
    }
  }
}

extension Optional: View where Wrapped: View {
  /// It has no body.
  public typealias Body = Never

  nonisolated public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    if let view { Wrapped._makeView(view, inputs) }
  }

  nonisolated public static var _isSeveral: Bool { true }

  nonisolated public static func _makeMembers(
    _ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor
  ) {
    if let view { Wrapped._makeMembers(view, inputs, visitor) }
  }
}

/// A view that shows nothing.
nonisolated public struct EmptyView: View {
  /// It has no body.
  public typealias Body = Never

  /// Makes an empty view.
  public init() {}

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {}
  public static var _isSeveral: Bool { true }
  public static func _makeMembers(_ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor) {}
}

/// Several views as one, without a place of its own.
///
/// A modifier applies to each of the views: with `onAppear` the action is called for each view that appears, and again when a
/// condition in the group adds another one. If there is no view, nothing is modified. Environment modifiers, `id(_:)` and
/// `popover` apply to all views together. The same holds for a ``ForEach`` and an ``AnyView``. A view with a body of its own is
/// one view; only `padding` applies to each of the views in it.
///
///     Group {
///       Text("Name")
///       if isLoggedIn { Welcome() } else { Login() }
///     }
///     .padding()
nonisolated public struct Group<Content> {
  let content: Content
}

extension Group: View where Content: View {
  /// It has no body.
  public typealias Body = Never

  /// Makes one view from several.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  nonisolated public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    Content._makeView(view.content, inputs)
  }

  nonisolated public static var _isSeveral: Bool { Content._isSeveral }

  nonisolated public static func _makeMembers(
    _ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor
  ) {
    Content._makeMembers(view.content, inputs, visitor)
  }
}

/// A type-erased view. If its type changes, it is another view, with new state.
nonisolated public struct AnyView: View {
  /// It has no body.
  public typealias Body = Never
  let type: ObjectIdentifier
  let make: (_ViewInputs, (any _MemberVisitor)?) -> Void

  /// Hides a view's type.
  public init<V: View>(_ view: V) {
    type = ObjectIdentifier(V.self)
    make = { V.make(view, $0, $1) }
  }

  /// Hides a view's type.
  public init<V: View>(erasing view: V) { self.init(view) }

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    inputs.step(.key(view.type)) { view.make(inputs, nil) }
  }

  public static var _isSeveral: Bool { true }

  public static func _makeMembers(_ view: Self, _ inputs: _ViewInputs, _ visitor: some _MemberVisitor) {
    inputs.step(.key(view.type)) { view.make(inputs, visitor) }
  }
}
