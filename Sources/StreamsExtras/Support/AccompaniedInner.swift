import Streams

/// The subscription of an operator that listens to another publisher besides its upstream.
///
/// The downstream gets its subscription when the upstream sends its own, or earlier if the other publisher ends the stream.
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
    delivery.serializer.runNow { [self] in dropValues() }
  }

  private func cancelBoth() {
    upstream.end()?.cancel()
    other.end()?.cancel()
  }

  /// What to request from the upstream when it has sent its subscription.
  @usableFromInline
  var demandOfUpstream: Subscribers.Demand { .none }

  /// Runs in the serializer: takes out the kept values, to be released outside it.
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

  /// Requests all values of the other publisher.
  @usableFromInline
  final func receive(otherSubscription subscription: any Subscription) {
    if other.accept(subscription) { subscription.request(.unlimited) }
  }

  /// Ends the stream, unless it has ended before. Cancels the other publisher after leaving the gate, because a cancel may wait
  /// for a thread that sends; then sends the completion.
  @usableFromInline
  final func end(_ completion: Subscribers.Completion<Failure>) {
    delivery.serializer.run(self, completion, { inner, _ in inner.delivery.end() }) {
      if $2 { $0.conclude($1) }
    }
  }

  /// Runs in the serializer: ends the stream with an error of the function that makes its values.
  @usableFromInline @inline(never)
  final func fail(with error: Failure) {
    guard delivery.end() else { return }
    delivery.serializer.afterLeaving { [self] in conclude(.failure(error)) }
  }

  /// Called by the thread that has ended the stream, outside the serializer.
  private func conclude(_ completion: Subscribers.Completion<Failure>) {
    cancelBoth()
    delivery.serializer.run { [self] in
      dropValues()
      delivery.send(completion, self)
    }
  }

  /// The upstream has ended, and the stream ends with it.
  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard let ended = upstream.end() else { return }
    end(completion)
    withExtendedLifetime(ended) {}
  }
}
