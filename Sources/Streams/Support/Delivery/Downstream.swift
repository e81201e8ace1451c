/// A subscriber reduced to what an operator needs of it: its type is erased, the specialized code is kept.
///
/// Inner subscribers know the types of their values only, never the type of their downstream, so that types do not
/// grow along a chain. The closure is made where the subscriber's type is concrete, and so runs code specialized
/// for it; a method called through a class's or a protocol's table would run unspecialized code. Calls that happen
/// once per subscription go through the existential.
@frozen
@usableFromInline
package struct Downstream<Input, Failure: Error> {
  /// The specialized way to deliver, for code that passes it on. To call it, use `receive(contentsOf:)`.
  @usableFromInline package let deliver: (UnsafeBufferPointer<Input>) -> Subscribers.Demand
  /// An object, so that copies and releases are those of a reference and look up no type.
  @usableFromInline package let subscriber: any Subscriber<Input, Failure> & AnyObject

  @inlinable @inline(__always)
  package init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    self.subscriber = subscriber._object()
    self.deliver = subscriber._delivery()
  }

  @inlinable @inline(__always)
  package func receive(subscription: any Subscription) {
    subscriber.receive(subscription: subscription)
  }

  @inlinable @inline(__always)
  package func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    deliver(batch)
  }

  /// Delivers one value: a batch of one.
  ///
  /// No code writes through the pointer: the stack needs no protection, which would cost a check for each value.
  @inlinable @inline(__always)
  package func receive(_ value: Input) -> Subscribers.Demand {
    _withUnprotectedUnsafePointer(to: value) { deliver(one($0)) }
  }

  /// Delivers one value in place: a result that has just been made is not moved again.
  @inlinable @inline(__always)
  package func receive(_ value: inout Input) -> Subscribers.Demand {
    _withUnprotectedUnsafeMutablePointer(to: &value) { deliver(one($0)) }
  }

  @inlinable @inline(__always)
  package func receive(completion: Subscribers.Completion<Failure>) {
    subscriber.receive(completion: completion)
  }
}
