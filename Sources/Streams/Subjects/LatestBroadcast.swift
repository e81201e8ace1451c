/// Signals from a subject that keeps its latest value.
@usableFromInline
final class LatestBroadcast<Output, Failure: Error>: Broadcast<Output, Failure> {
  /// When a new value is delivered.
  @frozen
  @usableFromInline
  enum Turn {
    case now
    /// Another thread does it, or this one after the values that other threads have set before.
    case later
    case never
  }

  /// The value. Used under the lock.
  @usableFromInline let latest: Cell<Output>

  @inlinable
  init(_ kind: SubjectKind, _ value: Output) {
    latest = Cell(value)
    super.init(kind)
  }

  @inlinable
  var value: Output { state.withLock { _ in latest.value } }

  /// Replaces the value by the last of the batch, and delivers the batch.
  ///
  /// When the subject has completed nothing is delivered, and the value is replaced only if `always` says so.
  @inlinable @inline(__always)
  func update(_ batch: UnsafeBufferPointer<Output>, always: Bool = false) {
    guard batch.count > 0 else { return }
    let entry = serializer.gate.enter()
    var value = batch[batch.count - 1]
    let turn = state.withLock { state -> Turn in
      if !state.isCompleted || always { swap(&value, &latest.value) }
      if state.isCompleted { return .never }
      // No value may overtake one that was set before it: the subscribers would be left with the older one.
      if entry != .busy, state.waitingValueCount == 0 { return .now }
      enqueue(batch, &state)
      return .later
    }
    if case .now = turn { deliver(batch) }
    switch (entry, turn) {
    case (.entered, .later): serializer.drain()
    case (.entered, _): serializer.leave()
    case (_, .later): serializer.settle()
    default: break
    }
  }

  /// Delivers the value and then replaces the latest by it, so that subscribers still find the old one. For a
  /// subject that never completes.
  func publish(_ batch: UnsafeBufferPointer<Output>) {
    let entry = serializer.gate.enter()
    var value = batch[0]
    let isNow = state.withLock { state in
      if entry != .busy, state.waitingValueCount == 0 { return true }
      swap(&value, &latest.value)
      enqueue(batch, &state)
      return false
    }
    if isNow {
      deliver(batch)
      // Values that came meanwhile are newer, and are the latest already.
      state.withLock { if $0.waitingValueCount == 0 { swap(&value, &latest.value) } }
    }
    switch (entry, isNow) {
    case (.entered, true): serializer.leave()
    case (.entered, false): serializer.drain()
    case (_, false): serializer.settle()
    case (_, true): break
    }
  }

  @usableFromInline @inline(never)
  func enqueue(_ batch: UnsafeBufferPointer<Output>, _ state: inout State) {
    let copy = Array(batch)
    state.waitingValueCount += 1
    serializer.inbox.withLock { inbox in
      inbox.signals.append { [self] in
        self.state.withLock { $0.waitingValueCount -= 1 }
        copy.withUnsafeBufferPointer { deliver($0) }
      }
    }
  }

  override func deliverLatest(to conduit: Conduit) {
    guard conduit.has(Conduit.Mark.behind), !conduit.has(Conduit.Mark.held | Conduit.Mark.ended) else {
      return
    }
    // Values that wait for their turn will be offered to the conduit; the latest may not overtake them.
    let latest: Output? = state.withLock { $0.waitingValueCount == 0 ? self.latest.value : nil }
    guard let latest, conduit.demand.take(upTo: 1) == 1 else { return }
    let lane = lane(conduit)
    lane.catchUp()
    conduit.demand.add(lane.downstream.receive(latest))
  }
}
