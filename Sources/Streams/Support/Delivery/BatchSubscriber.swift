/// A subscriber to which a single value is a batch of one: it implements `receive(contentsOf:)`, the hot path.
@usableFromInline
package protocol BatchSubscriber: Subscriber, ReliesOnRules {}

extension BatchSubscriber {
  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: one($0)) }
  }
}
