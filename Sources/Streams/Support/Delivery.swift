import Synchronization

/// Everything that delivers to one downstream whose signals come from several sides: whose turn it is, the handshake,
/// and whether the stream has ended.
///
/// An operator's own state is a value that belongs to whoever has entered the serialiser. What it leads to happens
/// here, outside of all locks:
///
/// - A signal from upstream runs in turn: ``Serializer/run(_:refused:)`` and ``Serializer/perform(_:)``.
/// - A request or a cancellation is posted: ``Serializer/post(_:)``.
/// - The subscription is given in turn, so signals from other threads come after it. Nested ones, which a request from
///   within it leads to, come at once.
/// - An end before the handshake gives the subscription first.
@frozen
@usableFromInline
package struct Delivery<Output, Failure: Error>: ~Copyable {
  @usableFromInline package let downstream: Downstream<Output, Failure>
  @usableFromInline package let serializer = Serializer()
  @usableFromInline let ended = Atomic(false)
  /// Whether the subscription has been given, or is being given. Belongs to whoever has entered.
  @usableFromInline let handshakeHasBegun = Cell(false)

  @inlinable
  package init(_ downstream: Downstream<Output, Failure>) { self.downstream = downstream }

  /// Whether the stream has ended: the completion has been sent or is about to be, or the downstream has cancelled.
  @inlinable @inline(__always)
  package var isEnded: Bool { ended.load(ordering: .relaxed) }

  /// Ends the stream. Returns true to the one caller that has ended it.
  @usableFromInline
  package func end() -> Bool { !ended.exchange(true, ordering: .acquiringAndReleasing) }

  // MARK: In turn

  /// Gives the downstream its subscription, unless it has it.
  @usableFromInline
  package func handshake(_ subscription: any Subscription) {
    guard !handshakeHasBegun.value else { return }
    handshakeHasBegun.value = true
    downstream.receive(subscription: subscription)
  }

  /// Sends the completion, after the subscription. For whoever has ended the stream.
  @usableFromInline
  package func send(_ completion: Subscribers.Completion<Failure>, _ subscription: any Subscription) {
    handshake(subscription)
    downstream.receive(completion: completion)
  }
}
