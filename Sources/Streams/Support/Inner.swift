/// How an operator's inner subscriber or subscription describes itself: by the operator's name, without children.
@usableFromInline
protocol Inner: CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible {
  /// The name that Combine prints for this object.
  static var name: String { get }
}

extension Inner {
  @usableFromInline var description: String { Self.name }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline var playgroundDescription: Any { description }
}
