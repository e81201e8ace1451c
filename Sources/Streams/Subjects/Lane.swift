import Synchronization

/// A conduit with its subscriber.
///
/// The fields that a delivery reads never change, so calling the subscriber costs no reference counting: the gate's
/// owner releases a lane only when no delivery is under way.
@usableFromInline
class Lane<Output, Failure: Error>: Conduit {
  @usableFromInline let downstream: Downstream<Output, Failure>

  @inlinable
  init(
    _ broadcast: borrowing BroadcastCore, subject: borrowing AnyObject,
    downstream: consuming Downstream<Output, Failure>
  ) {
    self.downstream = downstream
    super.init(broadcast, subject: subject)
  }

  override final var subscriber: AnyObject { downstream.subscriber }

  override final func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
  }

  /// Delivers as many of the values as there is demand for, one after the other. For the gate's owner.
  @inlinable @inline(__always)
  final func offer(_ batch: UnsafeBufferPointer<Output>) {
    if _fastPath(isOpen) {
      _ = downstream.receive(contentsOf: batch)
    } else {
      offerSlowly(batch)
    }
  }

  /// Delivers a batch to the first subscriber of a slice, and to as many after it as one call can reach. Returns to how
  /// many.
  @inlinable @inline(__always)
  final func offer(_ batch: UnsafeBufferPointer<Output>, to slice: ConduitSlice) -> Int {
    let fewest = fewest.load(ordering: .acquiring)
    if fewest > 0, slice.count >= fewest, let receiver = receiver.load(ordering: .relaxed) {
      return offer(batch, by: receiver, to: slice)
    }
    offer(batch)
    return 1
  }

  @usableFromInline @inline(never)
  final func offer(
    _ batch: UnsafeBufferPointer<Output>, by receiver: UnsafeMutableRawPointer, to slice: ConduitSlice
  ) -> Int {
    if batch.isSingle, isOpen, let value = batch.baseAddress {
      let count = SliceReceiver.call(receiver, slice, value)
      if count > 0 { return count }
    }
    offer(batch)
    return 1
  }

  var takesPieces: Bool { downstream.subscriber._pieceDelivery() != nil }

  /// Delivers as much of a piece as there is demand for. A subscriber that does not take pieces gets its values.
  func offer(_ piece: any _Piece<Output>) {
    if let deliver = downstream.subscriber._pieceDelivery() {
      offer(piece.count) { deliver(piece.part($0, $1)) }
    } else {
      piece.forEachPage { page in
        offer(page)
        return !hasEnded
      }
    }
  }

  @usableFromInline
  final func offerSlowly(_ batch: UnsafeBufferPointer<Output>) {
    offer(batch.count) { offset, count in
      downstream.receive(contentsOf: UnsafeBufferPointer(start: batch.baseAddress! + offset, count: count))
    }
  }

  /// Delivers as many of `total` values as there is demand for, in one or more calls of `deliver`.
  ///
  /// Nothing is offered during a handshake, when there is no demand yet, nor to a subscriber that another thread is
  /// about to complete.
  private func offer(_ total: Int, _ deliver: (_ offset: Int, _ count: Int) -> Subscribers.Demand) {
    if has(Mark.handshake | Mark.missedEnd) { return }
    var (offset, hasMissed) = (0, false)
    while offset < total, !hasEnded {
      let granted = demand.take(upTo: total - offset)
      if granted == 0 {
        guard fallBehind() else { return drop(total - offset) }
        continue
      }
      // A value that the subscriber has sent meanwhile comes after all of these.
      if !hasMissed { catchUp() }
      add(deliver(offset, granted))
      hasMissed = has(Mark.behind)
      offset += granted
    }
  }

  private final var keepsLatest: Bool { unmanagedBroadcast._withUnsafeGuaranteedRef { $0.kind.keepsLatest } }

  /// Notes that a value is not delivered. Returns true if there is demand for it after all.
  @usableFromInline
  final func fallBehind() -> Bool {
    guard keepsLatest else { return false }
    // A request adds demand first and then reads the mark: one of the two threads sees the other.
    status.bitwiseOr(Mark.behind, ordering: .sequentiallyConsistent)
    return demand.hasAnySequentially
  }

  @usableFromInline
  final func catchUp() {
    if has(Mark.behind) { status.bitwiseAnd(~Mark.behind, ordering: .relaxed) }
  }
}
