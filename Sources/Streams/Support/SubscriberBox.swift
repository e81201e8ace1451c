/// An object that stands for a subscriber that is none.
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
  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { base.receive(completion: completion) }

  @usableFromInline var combineIdentifier: CombineIdentifier { base.combineIdentifier }
  @usableFromInline var description: String { String(describing: base) }
  @usableFromInline var customMirror: Mirror { Mirror(reflecting: base) }
  @usableFromInline var playgroundDescription: Any {
    (base as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
  }
}
