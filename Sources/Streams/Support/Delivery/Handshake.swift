/// The subscription that an operator is about to deliver, while the user's code runs, which may end the
/// upstream.
///
/// It needs no lock, since the upstream's signals are serial.
@usableFromInline
package struct Handshake: ~Copyable {
  private let due = Cell<(any Subscription)?>(nil)

  @usableFromInline
  package init() {}

  @usableFromInline
  package func begin(_ subscription: any Subscription) { due.value = subscription }

  /// The subscription, for the one caller that delivers it: before the completion, if that comes first.
  @usableFromInline
  package func take() -> (any Subscription)? { due.value.take() }
}
