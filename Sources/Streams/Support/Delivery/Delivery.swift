import Synchronization

/// The part of a ``Delivery`` that is not generic, for operators that transform each value and must not spend their
/// time on looking types up: which thread has the turn, and whether the stream has ended.
@frozen
@usableFromInline
package struct DeliveryCore: ~Copyable {
  @usableFromInline
  enum Phase: UInt8, AtomicChoice {
    case running
    /// The completion has been sent, or is about to be.
    case ended
    /// The downstream has cancelled; nothing more may be sent.
    case cancelled
  }

  @usableFromInline package let serializer = Serializer()
  @usableFromInline let phase = Atomic(Phase.running)

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package var isEnded: Bool { phase.load(ordering: .relaxed) != .running }

  /// Whether the stream has ended while a value was on its way, which is counted as ``Subscribers/Demand/refused()`` does.
  @inlinable @inline(__always)
  package func refusesValue() -> Bool { _slowPath(isEnded) && Subscribers.Demand.refused() == .none }

  @inlinable @inline(__always)
  package var isCancelled: Bool { phase.load(ordering: .relaxed) == .cancelled }

  /// Ends the stream for a completion. Returns true to the one caller that has ended it.
  @usableFromInline
  package func end() -> Bool {
    phase.compareExchange(expected: .running, desired: .ended, ordering: .acquiringAndReleasing).exchanged
  }

  /// Ends the stream because the downstream has cancelled, which also suppresses a completion that has not been sent.
  /// Returns whether there is anything to cancel.
  @usableFromInline
  package func cancel() -> Bool {
    BatchProgress.noteAction()
    return phase.exchange(.cancelled, ordering: .acquiringAndReleasing) == .running
  }
}

/// Delivers signals from several sources to one downstream: it owns the turn, the handshake, and whether
/// the stream has ended.
///
/// An operator's own state is a value that belongs to the thread that has entered the serializer. Its effects happen
/// here, outside of all locks:
///
/// - A signal from upstream runs in turn: ``Serializer/run(_:_:_:then:)``.
/// - A request or a cancellation runs now or is left: ``Serializer/runNow(_:)``.
/// - The subscription is delivered in turn, so signals from other threads come after it. Nested signals, which a
///   request from within it causes, come immediately.
/// - A completion before the handshake delivers the subscription first.
@frozen
@usableFromInline
package struct Delivery<Output, Failure: Error>: ~Copyable {
  @usableFromInline package let downstream: Downstream<Output, Failure>
  @usableFromInline package let core = DeliveryCore()
  /// Whether the subscription has been or is being delivered. Only for the thread that has entered.
  @usableFromInline let handshakeHasBegun = Cell(false)
  /// Whether the subscription has been delivered. Only for the thread that has entered.
  @usableFromInline let handshakeIsOver = Cell(false)

  @inlinable
  package init(_ downstream: Downstream<Output, Failure>) { self.downstream = downstream }

  @inlinable @inline(__always)
  package var serializer: Serializer { _read { yield core.serializer } }

  /// Whether the stream has ended: the completion has been sent or is about to be, or the downstream has cancelled.
  @inlinable @inline(__always)
  package var isEnded: Bool { core.isEnded }

  @inlinable @inline(__always)
  package func refusesValue() -> Bool { core.refusesValue() }

  /// Ends the stream for a completion. Returns true to the one caller that has ended it.
  @usableFromInline
  package func end() -> Bool { core.end() }

  /// Ends the stream because the downstream has cancelled. Returns whether there is anything to cancel.
  @usableFromInline
  package func cancel() -> Bool { core.cancel() }

  /// Whether the calling thread is delivering the subscription, further up the stack.
  @usableFromInline
  package var isInHandshake: Bool { serializer.isEntered && !handshakeIsOver.value }

  // MARK: In turn

  /// Delivers the subscription to the downstream, once.
  @usableFromInline
  package func handshake(_ subscription: any Subscription) {
    guard !handshakeHasBegun.value else { return }
    handshakeHasBegun.value = true
    downstream.receive(subscription: subscription)
    handshakeIsOver.value = true
  }

  /// Sends the completion, after the subscription, unless the downstream cancels during that. For the caller that has
  /// ended the stream.
  @usableFromInline
  package func send(_ completion: Subscribers.Completion<Failure>, _ subscription: any Subscription) {
    handshake(subscription)
    if !core.isCancelled { downstream.receive(completion: completion) }
  }
}
