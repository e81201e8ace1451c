/// How an operator's inner subscriber or subscription describes itself: by the operator's name, without children.
@usableFromInline
package protocol Inner: ReliesOnRules, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  /// The name that Combine prints for this object.
  static var name: String { get }
}

extension Inner {
  @usableFromInline package var description: String { Self.name }
  @usableFromInline package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline package var playgroundDescription: Any { description }
}
