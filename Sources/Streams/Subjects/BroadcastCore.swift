import Synchronization

/// The part of a subject that does not depend on the types of its values: its subscribers, and the turns
/// in which threads send.
///
/// Signals are delivered one at a time, without a lock. A conduit leaves the list only when no delivery is under way,
/// so a delivery need not retain conduits.
@usableFromInline package class BroadcastCore {
  @frozen
  @usableFromInline
  struct State {
    /// How many places in the list are empty.
    @usableFromInline var emptyCount = 0
    @usableFromInline var isCompleted = false
    /// Whether the completion has had its turn: what was left before it has been sent.
    @usableFromInline var isOver = false
    @usableFromInline var upstreams: [any Subscription] = []
    /// At this number of upstreams, those that have ended are released.
    @usableFromInline var upstreamLimit = 8
    @usableFromInline var hasAnyDemand: Bool
  }

  @usableFromInline let serializer = Serializer()
  /// The current list's memory, never nil. Replaced under the lock, read by the delivering thread.
  @usableFromInline let listMemory = Atomic<UnsafeMutableRawPointer?>(ConduitList(capacity: 2).memory)
  /// The only conduit in the list, if there is exactly one: found with one step less.
  @usableFromInline let only = Atomic<Unmanaged<Conduit>?>(nil)
  @usableFromInline let state: Lock<State>
  /// Copies of the state's fields of these names, readable without the lock.
  @usableFromInline let isCompleted = Atomic(false)
  /// Whether a callback has completed the subject while this delivers to it. Only for the gate's owner. The completion of
  /// another thread waits for what is being delivered.
  let isEnding = Cell(false)
  let hasAnyDemand: Atomic<Bool>
  private let upstreamRequest = RequestUnderWay()
  @usableFromInline let kind: SubjectKind
  /// How many values were dropped for lack of demand, counted for each subscriber that had none.
  let dropped = Atomic(0)

  @usableFromInline
  init(_ kind: SubjectKind) {
    self.kind = kind
    // Subjects that keep the latest value take values also without demand.
    hasAnyDemand = Atomic(kind.keepsLatest)
    state = Lock(State(hasAnyDemand: kind.keepsLatest))
  }

  deinit {
    list.forEach { $0.release() }
    list.deallocate()
  }

  @inlinable @inline(__always)
  final var list: ConduitList { ConduitList(memory: listMemory.load(ordering: .acquiring).unsafelyUnwrapped) }

  /// Updates `only` after a change of the list. Under the lock.
  private func noteOnly(_ emptyCount: Int) {
    let list = self.list
    var found: Unmanaged<Conduit>?
    if list.count - emptyCount == 1 { list.forEach { found = $0 } }
    only.store(found, ordering: .releasing)
  }

  // MARK: What depends on the types of the values

  /// Sends the conduit's subscriber the subject's completion.
  func finish(_ conduit: Conduit) { fatalError("abstract") }

  /// Delivers the latest value, if the subject keeps one and the subscriber is behind and has demand.
  func deliverLatest(to conduit: Conduit) {}

  /// Offers a subscriber the value with this number in a batch.
  func offer(_ number: Int, from start: UnsafeRawPointer, to conduit: Unmanaged<Conduit>) {}

  /// Ends a conduit after the subject's completion, or postpones that until its subscriber has received the values
  /// due to it.
  func conclude(_ conduit: Conduit) { end(conduit) }
}

// MARK: - Subscribing and cancelling

extension BroadcastCore {
  /// Connects a conduit and delivers the subscription to its subscriber.
  ///
  /// This happens inside the gate, so that no value overtakes the subscription. It does not wait for another thread
  /// that has the gate, which may keep it for long. Values sent before the subscriber has its subscription then do
  /// not reach it, since it has no demand.
  @usableFromInline
  func attach(_ conduit: Conduit) {
    // Also if this subject is not sending: gathered values may be on their way to it.
    BatchProgress.noteAction()
    let entry = serializer.gate.enter()
    if entry == .busy { conduit.status.bitwiseOr(Conduit.Mark.handshake, ordering: .relaxed) }
    if insert(conduit) {
      if entry == .nested { BroadcastSource.join(self) }
      conduit.receive(subscription: conduit.subscription)
      if entry == .busy { endHandshake(conduit) } else if kind == .replay { deliverLatest(to: conduit) }
    } else {
      conduit.receive(subscription: Subscriptions.empty)
      finish(conduit)
    }
    if entry == .entered { serializer.leave() }
  }

  /// Adds a conduit to the list. Returns false if the subject has completed. One that replays returns true, without
  /// using the list: it still has values for the conduit.
  private func insert(_ conduit: Conduit) -> Bool {
    let (inserted, replaced) = state.withLock { state -> (Bool, ConduitList?) in
      if state.isCompleted, kind != .replay { return (false, nil) }
      conduit.subscription.connect(conduit)
      if state.isOver { return (true, nil) }
      let reference = Unmanaged.passRetained(conduit)
      let list = self.list
      defer { noteOnly(state.emptyCount) }
      if list.append(reference) { return (true, nil) }
      let longer = list.grown(by: state.emptyCount)
      _ = longer.append(reference)
      listMemory.store(longer.memory, ordering: .releasing)
      state.emptyCount = 0
      return (true, list)
    }
    if let replaced { serializer.betweenSignals { replaced.deallocate() } }
    return inserted
  }

  /// Delivers what was missed during a handshake: the completion, or the latest value.
  private func endHandshake(_ conduit: Conduit) {
    let status = conduit.status.bitwiseAnd(~Conduit.Mark.handshake, ordering: .acquiringAndReleasing).oldValue
    if status & Conduit.Mark.missedEnd != 0 {
      end(conduit)
    } else if status & Conduit.Mark.behind != 0 {
      serializer.runNow { [self] in deliverLatest(to: conduit) }
    }
  }

  /// Ends a conduit that its subscriber has cancelled.
  func remove(_ conduit: Conduit) {
    guard conduit.markEnded() else { return }
    let entry = serializer.gate.enter()
    if entry == .entered {
      detach(conduit)
      serializer.leave()
    } else {
      if entry == .nested { BatchProgress.noteAction() }
      serializer.betweenSignals { [self] in detach(conduit) }
    }
  }

  /// Takes a conduit out of the list. For the gate's owner, outside of any delivery; the caller keeps a reference.
  private func detach(_ conduit: Conduit) {
    state.withLock { state in
      let position = Int(conduit.position.value)
      guard position >= 0 else { return }
      conduit.position.value = -1
      let list = self.list
      list.empty(position)?.release()
      state.emptyCount += 1
      if state.emptyCount * 2 > list.count {
        list.compact()
        state.emptyCount = 0
      }
      noteOnly(state.emptyCount)
    }
  }
}

// MARK: - Completing

extension BroadcastCore {
  /// Completes the conduits that are in the list. For the gate's owner, once, when the state says completed.
  func finishAll() { endAll(conclude) }

  /// Ends the conduits that are in the list without notifying their subscribers.
  func abandon() {
    serializer.run { [self] in
      endAll { conduit in
        if conduit.markEnded() { _ = conduit.subscription.disconnect() }
      }
    }
  }

  private func endAll(_ end: (Conduit) -> Void) {
    let list = state.withLock { state in
      let old = self.list
      old.forEach { $0._withUnsafeGuaranteedRef { $0.position.value = -1 } }
      listMemory.store(ConduitList(capacity: 0).memory, ordering: .releasing)
      state.emptyCount = 0
      state.isOver = true
      noteOnly(0)
      return old
    }
    list.forEach { $0._withUnsafeGuaranteedRef { end($0) } }
    serializer.betweenSignals {
      list.forEach { $0.release() }
      list.deallocate()
    }
  }

  /// Ends a conduit that is no longer in the list. A conduit in its handshake is ended by the thread that delivers
  /// the subscription.
  private func end(_ conduit: Conduit) {
    let status = conduit.status.bitwiseOr(Conduit.Mark.missedEnd, ordering: .acquiringAndReleasing).oldValue
    guard status & Conduit.Mark.handshake == 0, conduit.markEnded() else { return }
    _ = conduit.subscription.disconnect()
    finish(conduit)
  }
}

// MARK: - Demand and upstreams

extension BroadcastCore {
  func request(_ demand: Subscribers.Demand, for conduit: Conduit) {
    conduit.add(demand)
    if kind.keepsLatest {
      guard conduit.status.load(ordering: .sequentiallyConsistent) & Conduit.Mark.behind != 0 else { return }
      serializer.runNow(
        { deliverLatest(to: conduit) },
        busy: { serializer.betweenSignals { [self] in deliverLatest(to: conduit) } })
    } else if !hasAnyDemand.load(ordering: .relaxed) || upstreamRequest.isElsewhere {
      acknowledgeDemand()
    }
  }

  /// Requests unlimited values from the upstreams at the first request of any subscriber.
  private func acknowledgeDemand() {
    let upstreams: [any Subscription]? = state.withLock { state in
      if state.hasAnyDemand, !upstreamRequest.isElsewhere { return nil }
      upstreamRequest.begin()
      state.hasAnyDemand = true
      hasAnyDemand.store(true, ordering: .relaxed)
      return state.upstreams
    }
    guard let upstreams else { return }
    for subscription in upstreams { subscription.request(.unlimited) }
    upstreamRequest.end()
  }

  /// Keeps an upstream's subscription, and requests unlimited values from it if any subscriber has requested some.
  func addUpstream(_ subscription: any Subscription) {
    let (isDemanded, ended) = state.withLock { state in
      let ended = state.upstreams.count < state.upstreamLimit ? [] : state.takeEndedUpstreams()
      state.upstreams.append(subscription)
      return (state.hasAnyDemand, ended)
    }
    // As at the subject's end: a subscription may retain its subscriber until it is cancelled.
    for subscription in ended { subscription.cancel() }
    if isDemanded { subscription.request(.unlimited) }
  }

  func cancelUpstreams() {
    let upstreams = state.withLock { $0.upstreams }
    for subscription in upstreams { subscription.cancel() }
  }
}

extension BroadcastCore.State {
  /// Takes out the upstreams that have ended. The next search comes when there are twice as many as remain.
  fileprivate mutating func takeEndedUpstreams() -> [any Subscription] {
    let firstEnded = upstreams.partition { ($0 as? UpstreamLink)?.isOver ?? false }
    defer {
      upstreams.removeSubrange(firstEnded...)
      upstreamLimit = max(8, 2 * upstreams.count)
    }
    return Array(upstreams[firstEnded...])
  }
}
