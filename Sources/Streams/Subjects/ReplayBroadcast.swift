import Synchronization

/// Signals from a subject that keeps its latest values for those who subscribe later or are behind on demand.
///
/// A value is kept once, and each lane knows which one is its next: everybody gets the values in the order in which they
/// were sent, also those that are sent from within a delivery.
@usableFromInline package final class ReplayBroadcast<Output, Failure: Error>: Broadcast<Output, Failure> {
  /// Belongs to the gate's owner.
  @usableFromInline let buffer: Cell<ReplayBuffer<Output>>
  /// Whether there may be somebody who lacks demand for what is kept. Belongs to the gate's owner, too.
  @usableFromInline let isSomebodyBehind = Cell(false)

  /// A broadcast that replays so many values.
  @inlinable
  package init(size: Int) {
    buffer = Cell(ReplayBuffer(size: size))
    super.init(.replay)
  }

  @inlinable
  package func attachReplaying(_ downstream: consuming Downstream<Output, Failure>, to subject: AnyObject) {
    attach(ReplayLane(self, subject: subject, downstream: downstream))
  }

  package func keepUpstream(_ subscription: any Subscription) { addUpstream(subscription) }

  package func cancelAllUpstreams() { cancelUpstreams() }

  package func end(with completion: Subscribers.Completion<Failure>) { complete(completion) }

  package var droppedCount: Int { dropped.load(ordering: .relaxed) }

  @inlinable @inline(__always)
  package var hasCompleted: Bool { isCompleted.load(ordering: .acquiring) }

  /// Keeps a batch, which is not empty, and delivers it, unless the subject has completed.
  @inlinable @inline(__always)
  package func replay(_ batch: UnsafeBufferPointer<Output>) {
    guard batch.isSingle else { return replay(several: batch) }
    let excess = serializer.runSending(
      { hasCompleted ? ReplayBuffer<Output>.Excess() : keep(batch) },
      refused: {
        leave(batch)
        return ReplayBuffer<Output>.Excess()
      })
    // A release may run anybody's code, and does it here, after the turn.
    withExtendedLifetime(excess) {}
  }

  @usableFromInline @inline(never)
  func replay(several batch: UnsafeBufferPointer<Output>) {
    BatchProgress.deliverGatheredIfAny()
    batch.forEachInStep {
      replay(batch.single($0))
    }
  }

  /// Leaves a batch to the thread that is sending. A completion that is sent after it is left behind it.
  @usableFromInline @inline(never)
  func leave(_ batch: UnsafeBufferPointer<Output>) {
    if !hasCompleted { serializer.submit(copyOf: batch) { [self] in retire(keep($0)) } }
  }

  /// The same for one value.
  @inlinable @inline(__always)
  package func replay(_ value: Output) { withUnsafePointer(to: value) { replay(one($0)) } }

  /// In turn. Returns what is no longer kept.
  @inlinable @inline(__always)
  func keep(_ batch: UnsafeBufferPointer<Output>) -> ReplayBuffer<Output>.Excess {
    let start = buffer.value.end
    buffer.value.append(batch)
    list.forEach { reference in
      Unmanaged<ReplayLane<Output, Failure>>.fromOpaque(reference.toOpaque())
        ._withUnsafeGuaranteedRef { offer(batch, number: start, to: $0) }
    }
    // Whoever has not got all of this lacks the demand.
    let excess = buffer.value.takeExcess()
    if isSomebodyBehind.value, excess.one != nil { passOver(buffer.value.first) }
    return excess
  }

  /// Counts what those have missed who are further behind than what is kept, which begins with this number.
  @usableFromInline @inline(never)
  func passOver(_ first: Int) {
    isSomebodyBehind.value = false
    list.forEach { conduit in
      let lane = conduit._withUnsafeGuaranteedRef { replayLane($0) }
      let next = lane.next.value
      guard next >= 0, !lane.hasEnded else { return }
      if next < buffer.value.end { isSomebodyBehind.value = true }
      if next < first {
        lane.next.value = first
        lane.drop(first &- next)
      }
    }
  }

  /// A value of this number goes straight to who has had all before it and wants all. Of several, one is given after the
  /// other: what is sent meanwhile, and a completion, comes after them.
  @inlinable @inline(__always)
  func offer(_ batch: UnsafeBufferPointer<Output>, number: Int, to lane: ReplayLane<Output, Failure>) {
    guard batch.isSingle, lane.isOpen, lane.next.value == number
    else { return serve(lane, keptUpTo: number) }
    lane.next.value = number &+ 1
    _ = lane.downstream.receive(contentsOf: batch)
  }

  /// Delivers what a subscriber has demand for and not got, and the completion when it has got everything.
  ///
  /// One value at a time: what a subscriber sends meanwhile leads here again, and goes on with the next one.
  ///
  /// A new subscriber is to get what is kept of the values before number `end`. That may be less than the buffer holds:
  /// while values are delivered, those that they push out are still in it.
  @inlinable @inline(never)
  func serve(_ lane: ReplayLane<Output, Failure>, keptUpTo end: Int) {
    if lane.has(Conduit.Mark.handshake | Conduit.Mark.ended) { return }
    if lane.next.value < 0 { lane.next.value = max(0, end &- buffer.value.size) }
    let isNested = exchange(&lane.isBusy.value, with: true)
    while !lane.hasEnded, buffer.value.count(from: lane.next.value) > 0 {
      if lane.demand.take(upTo: 1) == 1 {
        let (value, next) = buffer.value.value(for: lane.next.value)
        lane.next.value = next
        lane.add(lane.downstream.receive(value))
      } else if !lane.fallBehind() {
        isSomebodyBehind.value = true
        break
      }
    }
    lane.isBusy.value = isNested
    if buffer.value.count(from: lane.next.value) == 0 { arrive(lane) }
  }

  /// A subscriber has got everything. While it is in the list, the completion has not had its turn: there may be values
  /// before it.
  @usableFromInline
  func arrive(_ lane: ReplayLane<Output, Failure>) {
    lane.catchUp()
    guard hasCompleted, state.withLock({ _ in lane.position.value < 0 }), lane.markEnded() else { return }
    _ = lane.subscription.disconnect()
    finish(lane)
  }

  /// Releases what is no longer kept when it is nobody's turn.
  @usableFromInline
  func retire(_ excess: ReplayBuffer<Output>.Excess) {
    if excess.one != nil { serializer.retire(excess) }
  }

  func replayLane(_ conduit: Conduit) -> ReplayLane<Output, Failure> {
    unsafeDowncast(conduit, to: ReplayLane<Output, Failure>.self)
  }

  /// Who requests from within a value gets what it requests when it has returned.
  override func deliverLatest(to conduit: Conduit) {
    let lane = replayLane(conduit)
    if !lane.isBusy.value { serve(lane, keptUpTo: buffer.value.end) }
  }

  /// Whoever lacks values or demand keeps its connection, by its subscription.
  override func conclude(_ conduit: Conduit) { serve(replayLane(conduit), keptUpTo: buffer.value.end) }
}

/// A conduit that knows which value its subscriber is to get next.
@usableFromInline
final class ReplayLane<Output, Failure: Error>: Lane<Output, Failure> {
  /// The number of the next value; where that is no longer kept, the next is the first that is. Less than 0 until it
  /// is known what the subscriber begins with.
  @usableFromInline let next = Cell(-1)
  /// Whether the subscriber is being given one value after the other.
  @usableFromInline let isBusy = Cell(false)
}
