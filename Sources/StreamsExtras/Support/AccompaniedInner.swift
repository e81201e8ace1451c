import Streams

/// The subscription of an operator that listens to another publisher besides its upstream.
///
/// The downstream is given its subscription with the upstream's; before, if the other publisher ends the stream earlier.
@usableFromInline
class AccompaniedInner<Output, Failure: Error>: Subscription {
  @usableFromInline let delivery: Delivery<Output, Failure>
  @usableFromInline let upstream = SubscriptionSlot()
  @usableFromInline let other = SubscriptionSlot()

  @inlinable
  init(_ downstream: Downstream<Output, Failure>) { delivery = Delivery(downstream) }

  // MARK: The downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  @usableFromInline
  final func cancel() {
    guard delivery.cancel() else { return }
    cancelBoth()
    delivery.serializer.post { [self] in dropValues() }
  }

  private func cancelBoth() {
    upstream.end()?.cancel()
    other.end()?.cancel()
  }

  /// What is asked of the upstream as soon as it has sent its subscription.
  @usableFromInline
  var demandOfUpstream: Subscribers.Demand { .none }

  /// In turn: takes out what is kept, to be released when it is nobody's turn.
  @usableFromInline
  func dropValues() {}

  // MARK: The two publishers

  @usableFromInline
  final func receive(subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    // Without a closure on the way, which would take stack.
    delivery.serializer.run(self) { $0.begin() }
    if demandOfUpstream != .none { upstream.current?.request(demandOfUpstream) }
  }

  @inline(__always)
  private func begin() {
    if !delivery.isEnded { delivery.handshake(self) }
  }

  /// All values of the other publisher are asked for.
  @usableFromInline
  final func receive(otherSubscription subscription: any Subscription) {
    if other.accept(subscription) { subscription.request(.unlimited) }
  }

  /// Ends the stream, if no other end has come before. Cancels what is not over, after leaving the gate, because that may
  /// wait for a thread that sends; then sends the completion.
  @usableFromInline
  final func end(_ completion: Subscribers.Completion<Failure>) {
    delivery.serializer.run(self, completion, { inner, _ in inner.delivery.end() }) {
      if $2 { $0.conclude($1) }
    }
  }

  /// In turn: ends the stream with the error of what makes its values.
  @usableFromInline @inline(never)
  final func fail(with error: Failure) {
    guard delivery.end() else { return }
    delivery.serializer.afterLeaving { [self] in conclude(.failure(error)) }
  }

  /// For whoever has ended the stream, when it is nobody's turn.
  private func conclude(_ completion: Subscribers.Completion<Failure>) {
    cancelBoth()
    delivery.serializer.perform { [self] in
      dropValues()
      delivery.send(completion, self)
    }
  }

  /// The upstream is over, and the stream with it.
  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard let ended = upstream.end() else { return }
    end(completion)
    withExtendedLifetime(ended) {}
  }
}
