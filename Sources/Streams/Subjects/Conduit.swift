import Synchronization

/// What a subject needs to deliver to one subscriber. Immutable, so that calling it costs no reference counting.
@usableFromInline
final class Lane<Output, Failure: Error> {
  @usableFromInline let downstream: Downstream<Output, Failure>

  @inlinable
  init(_ downstream: Downstream<Output, Failure>) { self.downstream = downstream }
}

/// The connection of one subscriber to a subject.
///
/// The lane is used and cleared by the owner of the subject's gate only. Everything else may be used by any thread.
@usableFromInline
final class Conduit<Output, Failure: Error> {
  /// What is dropped at once when the connection ends.
  @usableFromInline
  struct Links {
    @usableFromInline let subject: AnyObject
    @usableFromInline let subscriber: any Subscriber<Output, Failure>

    @inlinable
    init(subject: AnyObject, subscriber: any Subscriber<Output, Failure>) {
      self.subject = subject
      self.subscriber = subscriber
    }
  }

  @usableFromInline let demand = DemandCounter()
  @usableFromInline let isEnded = Atomic(false)
  /// True when a value went by for which there was no demand.
  @usableFromInline let isBehind = Atomic(false)
  @usableFromInline let lane: Cell<Unmanaged<Lane<Output, Failure>>?>
  @usableFromInline let links: Lock<Links?>

  @inlinable
  init(subject: AnyObject, downstream: Downstream<Output, Failure>) {
    lane = Cell(Unmanaged.passRetained(Lane(downstream)))
    links = Lock(Links(subject: subject, subscriber: downstream.subscriber))
  }

  deinit { clear() }

  /// Delivers as many of the values as there is demand for, one after the other.
  @inlinable @inline(__always)
  func offer(_ batch: UnsafeBufferPointer<Output>) {
    if demand.isUnlimited, !isEnded.load(ordering: .relaxed) {
      _ = deliver(batch)
    } else {
      offerLimited(batch)
    }
  }

  @inlinable
  func offerLimited(_ batch: UnsafeBufferPointer<Output>) {
    var rest = batch[...]
    while !rest.isEmpty, !isEnded.load(ordering: .relaxed) {
      let granted = demand.take(upTo: rest.count)
      if granted == 0 {
        isBehind.store(true, ordering: .relaxed)
        return
      }
      let more = deliver(UnsafeBufferPointer(rebasing: rest.prefix(granted)))
      demand.add(more)
      rest = rest.dropFirst(granted)
    }
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Output>) -> Subscribers.Demand {
    guard let lane = lane.value else { return .none }
    return lane._withUnsafeGuaranteedRef { $0.downstream.deliver(batch) }
  }

  /// Marks the connection as ended. Returns true to the one caller that ended it.
  @usableFromInline
  func end() -> Bool {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    let dropped = links.withLock { links in
      defer { links = nil }
      return links
    }
    withExtendedLifetime(dropped) {}
    return true
  }

  /// Releases the subscriber. For the gate's owner, when no delivery is under way.
  @usableFromInline
  func clear() {
    guard let lane = lane.value else { return }
    self.lane.value = nil
    lane.release()
  }
}
