/// The subscription that an operator is about to give, while foreign code runs that may end the upstream.
///
/// The upstream's signals are serial, and so it needs no lock.
@usableFromInline
package struct Handshake: ~Copyable {
  private let due = Cell<(any Subscription)?>(nil)

  @usableFromInline
  package init() {}

  @usableFromInline
  package func begin(_ subscription: any Subscription) { due.value = subscription }

  /// The subscription, for the one who gives it: before the completion, if that comes first.
  @usableFromInline
  package func take() -> (any Subscription)? { due.value.take() }
}
