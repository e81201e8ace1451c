import Synchronization

/// Signals from a subject that keeps its latest values for subscribers that come later or are behind on demand.
///
/// Each value is stored once, and each lane knows which one is its next: every subscriber gets the values in the order
/// in which they were sent, including those sent from within a delivery.
@usableFromInline package final class ReplayBroadcast<Output, Failure: Error>: Broadcast<Output, Failure> {
  /// Only for the gate's owner.
  @usableFromInline let buffer: Cell<ReplayBuffer<Output>>
  /// Whether a subscriber may lack demand for stored values. Only for the gate's owner.
  @usableFromInline let isSomebodyBehind = Cell(false)
  /// Serves a subscriber all that is stored. Made where the type of the values is known: what is called through a method table
  /// would look it up for each value.
  @usableFromInline let serveAll: (ReplayBroadcast, ReplayLane<Output, Failure>) -> Void

  /// Makes a broadcast that replays up to `size` values.
  @inlinable
  package init(size: Int) {
    buffer = Cell(ReplayBuffer(size: size))
    serveAll = { $0.serve($1, keptUpTo: $0.buffer.value.end) }
    super.init(.replay)
  }

  @inlinable
  package func attachReplaying(_ downstream: consuming Downstream<Output, Failure>, to subject: AnyObject) {
    attach(ReplayLane(self, subject: subject, downstream: downstream))
  }

  package func keepUpstream(_ subscription: any Subscription) { addUpstream(subscription) }

  package func cancelAllUpstreams() { cancelUpstreams() }

  package func end(with completion: Subscribers.Completion<Failure>) -> Bool { complete(completion) }

  package var droppedCount: Int { dropped.load(ordering: .relaxed) }

  @inlinable @inline(__always)
  package var hasCompleted: Bool { isCompleted.load(ordering: .acquiring) }

  /// Stores a batch, which is not empty, and delivers it. Returns false, and does nothing, if the subject has completed.
  @inlinable @inline(__always) @discardableResult
  package func replay(_ batch: UnsafeBufferPointer<Output>) -> Bool {
    guard batch.isSingle else { return replay(several: batch) }
    var isSent = false
    let excess = serializer.runSending(
      {
        isSent = !hasCompleted
        return isSent ? keep(batch) : ReplayBuffer<Output>.Excess()
      },
      busy: {
        isSent = leave(batch)
        return ReplayBuffer<Output>.Excess()
      })
    // Releasing it may run the user's code, so that happens here, after the turn.
    withExtendedLifetime(excess) {}
    return isSent
  }

  @usableFromInline @inline(never)
  func replay(several batch: UnsafeBufferPointer<Output>) -> Bool {
    BatchProgress.deliverGatheredIfAny()
    var isSent = false
    batch.forEachWhileConnected { if replay(batch.single($0)) { isSent = true } }
    return isSent
  }

  /// Leaves a batch to the thread that is sending. A completion that is sent later is left behind it. Returns false if the
  /// subject has completed.
  @usableFromInline @inline(never)
  func leave(_ batch: UnsafeBufferPointer<Output>) -> Bool {
    enqueue(batch) { [self] in retire(keep($0)) }
  }

  /// Stores one value and delivers it, unless the subject has completed.
  @inlinable @inline(__always)
  package func replay(_ value: Output) { withUnsafePointer(to: value) { _ = replay(one($0)) } }

  /// Stores a batch and offers it to all subscribers. In turn. Returns the values that are no longer stored.
  @inlinable @inline(__always)
  func keep(_ batch: UnsafeBufferPointer<Output>) -> ReplayBuffer<Output>.Excess {
    let start = buffer.value.end
    buffer.value.append(batch)
    list.forEach { reference in
      Unmanaged<ReplayLane<Output, Failure>>.fromOpaque(reference.toOpaque())
        ._withUnsafeGuaranteedRef { offer(batch, number: start, to: $0) }
    }
    // A subscriber that has not received all of it lacks demand.
    let excess = buffer.value.takeExcess()
    if isSomebodyBehind.value, excess.one != nil { passOver(buffer.value.first) }
    return excess
  }

  /// Counts the values missed by subscribers whose next value comes before `first`, the first one stored.
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

  /// A single value goes directly to a subscriber that has received all before it and has unlimited demand. Several are
  /// delivered one after the other: values sent during that, and a completion, come after them.
  @inlinable @inline(__always)
  func offer(_ batch: UnsafeBufferPointer<Output>, number: Int, to lane: ReplayLane<Output, Failure>) {
    guard batch.isSingle, lane.isOpen, lane.next.value == number
    else { return serve(lane, keptUpTo: number) }
    lane.next.value = number &+ 1
    _ = lane.downstream.receive(contentsOf: batch)
  }

  /// Delivers the values that a subscriber lacks and has demand for, and the completion when it has received
  /// everything.
  ///
  /// One value at a time: a send from within a delivery calls this again, which continues with the next value.
  ///
  /// A new subscriber gets the last `size` values before number `end`. The buffer may hold more: during a delivery, the
  /// values that are pushed out are still in it.
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

  /// Completes a subscriber that has received everything, if the subject has completed. While the lane is in the list,
  /// the completion has not had its turn: values may come before it.
  @usableFromInline
  func arrive(_ lane: ReplayLane<Output, Failure>) {
    lane.catchUp()
    guard hasCompleted, state.withLock({ _ in lane.position.value < 0 }), lane.markEnded() else { return }
    _ = lane.subscription.disconnect()
    finish(lane)
  }

  /// Releases values that are no longer stored, once no signal is running.
  @usableFromInline
  func retire(_ excess: ReplayBuffer<Output>.Excess) {
    if excess.one != nil { serializer.retire(excess) }
  }

  func replayLane(_ conduit: Conduit) -> ReplayLane<Output, Failure> {
    unsafeDowncast(conduit, to: ReplayLane<Output, Failure>.self)
  }

  /// A subscriber that requests from within a delivery gets those values after it has returned.
  override func deliverLatest(to conduit: Conduit) {
    let lane = replayLane(conduit)
    if !lane.isBusy.value { serveAll(self, lane) }
  }

  /// A subscriber that lacks values or demand stays connected through its subscription.
  override func conclude(_ conduit: Conduit) { serveAll(self, replayLane(conduit)) }
}

/// A conduit that knows which value its subscriber gets next.
@usableFromInline
final class ReplayLane<Output, Failure: Error>: Lane<Output, Failure> {
  /// The number of the next value; if that is no longer stored, the first stored one is next. Negative until the
  /// subscriber's first value is known.
  @usableFromInline let next = Cell(-1)
  /// Whether values are being delivered to the subscriber one after the other.
  @usableFromInline let isBusy = Cell(false)
}
