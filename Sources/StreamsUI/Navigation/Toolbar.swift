/// Where an item of a toolbar is to be.
public struct ToolbarItemPlacement: Hashable, Sendable {
  let name: String

  /// Where the system sees fit.
  public static let automatic = Self(name: "automatic")
  /// In the middle.
  public static let principal = Self(name: "principal")
  /// With the controls that navigate.
  public static let navigation = Self(name: "navigation")
  /// Where the most important action is.
  public static let primaryAction = Self(name: "primaryAction")
  /// Where less important actions are.
  public static let secondaryAction = Self(name: "secondaryAction")
  /// Where the status is.
  public static let status = Self(name: "status")
  /// Where an action confirms.
  public static let confirmationAction = Self(name: "confirmationAction")
  /// Where an action cancels.
  public static let cancellationAction = Self(name: "cancellationAction")
  /// Where an action destroys.
  public static let destructiveAction = Self(name: "destructiveAction")
  /// In the leading part of the bar at the top.
  public static let topBarLeading = Self(name: "topBarLeading")
  /// In the trailing part of the bar at the top.
  public static let topBarTrailing = Self(name: "topBarTrailing")
  /// In the leading part of the navigation's bar.
  public static let navigationBarLeading = Self(name: "navigationBarLeading")
  /// In the trailing part of the navigation's bar.
  public static let navigationBarTrailing = Self(name: "navigationBarTrailing")
  /// In the bar at the bottom.
  public static let bottomBar = Self(name: "bottomBar")
  /// Above the keyboard.
  public static let keyboard = Self(name: "keyboard")
}

/// Items of a toolbar.
@MainActor @preconcurrency
public protocol ToolbarContent {
  /// The type of the items that it consists of.
  associatedtype Body: ToolbarContent

  /// The items that it consists of.
  @ToolbarContentBuilder @MainActor @preconcurrency var body: Body { get }

  nonisolated static func _makeToolbar(_ content: Self, _ inputs: _ViewInputs)
}

extension ToolbarContent {
  nonisolated public static func _makeToolbar(_ content: Self, _ inputs: _ViewInputs) {
    inputs.place(ToolbarBody(content: content))
  }
}

extension ToolbarContent where Body == Never {
  /// Primitive content has no body.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Never: ToolbarContent {}

/// Content with a body of its own.
nonisolated private struct ToolbarBody<Content: ToolbarContent>: View, Carrier {
  static var carriedField: String { "content" }
  static var carriedName: String { shortName(of: Content.self) }
  let content: Content

  @MainActor var body: some View { _ToolbarView(content: content.body) }
}

/// Content of a toolbar as a view.
nonisolated public struct _ToolbarView<Content: ToolbarContent>: View {
  public typealias Body = Never
  let content: Content

  public static func _makeView(_ view: Self, _ inputs: _ViewInputs) {
    Content._makeToolbar(view.content, inputs)
  }
}

/// Views as content of a toolbar.
nonisolated public struct _ToolbarViews<Items: View>: ToolbarContent {
  public typealias Body = Never
  let items: Items

  public static func _makeToolbar(_ content: Self, _ inputs: _ViewInputs) {
    Items._makeView(content.items, inputs)
  }
}

/// Makes the content of a toolbar of several items, with `if`, `switch` and optionals.
@resultBuilder
public struct ToolbarContentBuilder {
  /// A statement is an item.
  public static func buildExpression<Content: ToolbarContent>(_ content: Content) -> _ToolbarView<Content> {
    _ToolbarView(content: content)
  }
  /// One statement.
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  /// Several statements.
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> {
    ViewBuilder.buildBlock(repeat each content)
  }
  /// `if` without `else`.
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  /// The first branch.
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> {
    ViewBuilder.buildEither(first: first)
  }
  /// The second branch.
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> {
    ViewBuilder.buildEither(second: second)
  }
  /// All statements.
  public static func buildFinalResult<Items: View>(_ items: Items) -> _ToolbarViews<Items> {
    _ToolbarViews(items: items)
  }
}

/// An item of a toolbar.
///
///     ToolbarItem(placement: .primaryAction) { Button("Add") { add() } }
nonisolated public struct ToolbarItem<Content: View>: ToolbarContent {
  /// It has no body.
  public typealias Body = Never
  let placement: ToolbarItemPlacement
  let content: Content

  /// Makes an item of a view.
  public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
    (self.placement, self.content) = (placement, content())
  }

  public static func _makeToolbar(_ item: Self, _ inputs: _ViewInputs) {
    make(item.content, at: item.placement, inputs)
  }

  fileprivate static func make(_ content: Content, at placement: ToolbarItemPlacement, _ inputs: _ViewInputs)
  {
    let place = placement == .automatic ? nil : placement.name
    inputs.element(Element(kind: "ToolbarItem", attributes: ["placement": place].texts)) {
      Content._makeView(content, inputs)
    }
  }
}

/// Several items of a toolbar in one place.
nonisolated public struct ToolbarItemGroup<Content: View>: ToolbarContent {
  /// It has no body.
  public typealias Body = Never
  let placement: ToolbarItemPlacement
  let content: Content

  /// Makes an item of each view.
  public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
    (self.placement, self.content) = (placement, content())
  }

  public static func _makeToolbar(_ group: Self, _ inputs: _ViewInputs) {
    Content._makeMembers(group.content, inputs, ItemVisitor(placement: group.placement))
  }
}

private struct ItemVisitor: _MemberVisitor {
  let placement: ToolbarItemPlacement

  func visit<V: View>(_ view: V, _ inputs: _ViewInputs) { ToolbarItem.make(view, at: placement, inputs) }
}

extension View {
  /// Shows views in a toolbar above the view, where they act as they do elsewhere.
  ///
  ///     List(songs) { Text($0.title) }
  ///       .toolbar { Button("Add") { add() } }
  nonisolated public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
    modifier(ToolbarModifier(items: _ToolbarView(content: ToolbarItemGroup(content: content))))
  }

  /// Shows items in a toolbar above the view, where they act as they do elsewhere.
  ///
  ///     List(songs) { Text($0.title) }
  ///       .toolbar {
  ///         ToolbarItem(placement: .primaryAction) { Button("Add") { add() } }
  ///       }
  nonisolated public func toolbar<Content: ToolbarContent>(
    @ToolbarContentBuilder content: () -> Content
  ) -> some View {
    modifier(ToolbarModifier(items: _ToolbarView(content: content())))
  }
}

nonisolated private struct ToolbarModifier<Items: View>: ViewModifier, Single {
  typealias Body = Never
  let items: Items

  static func _makeView<V: View>(_ view: ModifiedContent<V, Self>, _ inputs: _ViewInputs) {
    inputs.step(.index(0)) {
      inputs.element(Element(kind: "Toolbar")) { Items._makeView(view.modifier.items, inputs) }
    }
    inputs.step(.index(1)) { V._makeView(view.content, inputs) }
  }
}
