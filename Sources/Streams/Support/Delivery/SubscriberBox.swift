/// An object that stands for a subscriber that is not an object.
@usableFromInline
final class SubscriberBox<Base: Subscriber>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Input = Base.Input
  @usableFromInline typealias Failure = Base.Failure

  @usableFromInline let base: Base

  @inlinable
  init(_ base: Base) { self.base = base }

  @inlinable
  func receive(subscription: any Subscription) { base.receive(subscription: subscription) }
  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { base.receive(input) }
  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    base.receive(contentsOf: batch)
  }
  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand { base._delivery() }
  @usableFromInline
  func _pieceDelivery() -> ((any _Piece<Input>) -> Subscribers.Demand)? { base._pieceDelivery() }
  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { base.receive(completion: completion) }

  @usableFromInline var combineIdentifier: CombineIdentifier { base.combineIdentifier }
  @usableFromInline var description: String { describe(base) }
  @usableFromInline var customMirror: Mirror { reflect(base) }
  @usableFromInline var playgroundDescription: Any { describeInPlayground(base) }
}

/// What an eraser prints for what it wraps: its description if it has one of its own, else its type's name.
func describe(_ wrapped: Any) -> String {
  (wrapped as? any CustomStringConvertible)?.description ?? String(describing: type(of: wrapped))
}

/// What an eraser shows for what it wraps: its mirror if it has one of its own, else one without children.
func reflect<Wrapped>(_ wrapped: Wrapped) -> Mirror {
  (wrapped as? any CustomReflectable)?.customMirror ?? Mirror(wrapped, children: EmptyCollection())
}

func describeInPlayground(_ wrapped: Any) -> Any {
  (wrapped as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? describe(wrapped)
}
