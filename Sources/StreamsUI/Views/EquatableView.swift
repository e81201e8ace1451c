/// A view that is evaluated again only if it is not equal to the one before. All views here that are `Equatable` are compared so.
nonisolated public struct EquatableView<Content: View & Equatable>: View, Silent {
  /// The view.
  public var content: Content

  /// Wraps a view.
  public init(content: Content) { self.content = content }

  /// The view.
  @MainActor public var body: Content { content }
}

extension View where Self: Equatable {
  /// The view, which is evaluated again only if it is not equal to the one before.
  nonisolated public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}
