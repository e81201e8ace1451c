import Synchronization

/// Holds a subscriber's upstream subscription: empty, taken, or ended.
@usableFromInline
package struct SubscriptionSlot: ~Copyable {
  @usableFromInline
  enum State {
    case awaiting
    /// An object, so that copies and releases look up no type.
    case subscribed(any Subscription & AnyObject)
    case ended
  }

  /// What the slot holds, without the subscription.
  @usableFromInline
  package enum Phase: UInt8, AtomicChoice {
    case awaiting
    case subscribed
    case ended
  }

  @usableFromInline let state = Lock(State.awaiting)
  /// Changes with the state, and can be read for each value without taking the lock.
  @usableFromInline let currentPhase = Atomic(Phase.awaiting)

  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package var phase: Phase { currentPhase.load(ordering: .relaxed) }

  /// Keeps the first subscription and returns true; cancels every other and returns false.
  @usableFromInline
  package func accept(_ subscription: any Subscription) -> Bool {
    let object = subscription._subscriptionObject()
    // Without a closure, so that the object can move into the state.
    state.lock()
    guard case .awaiting = state.state.value else {
      state.unlock()
      subscription.cancel()
      return false
    }
    state.state.value = .subscribed(consume object)
    currentPhase.store(.subscribed, ordering: .relaxed)
    state.unlock()
    return true
  }

  /// The subscription, while there is one.
  @usableFromInline
  package var current: (any Subscription & AnyObject)? {
    state.withLock { state in
      if case .subscribed(let subscription) = state { return subscription }
      return nil
    }
  }

  /// Ends the slot, whatever it held; a subscription that comes later is cancelled.
  @usableFromInline
  package func end() -> (any Subscription & AnyObject)? {
    state.withLock { state in
      defer {
        state = .ended
        currentPhase.store(.ended, ordering: .relaxed)
      }
      if case .subscribed(let subscription) = state { return subscription }
      return nil
    }
  }

  /// Ends the slot only if it holds a subscription, which the caller must cancel.
  @usableFromInline
  package func endIfSubscribed() -> (any Subscription & AnyObject)? {
    // Whoever has been cancelled by another thread does not act any more.
    if phase == .ended { return nil }
    BatchProgress.noteAction()
    return state.withLock { state in
      guard case .subscribed(let subscription) = state else { return nil }
      state = .ended
      currentPhase.store(.ended, ordering: .relaxed)
      return subscription
    }
  }
}
