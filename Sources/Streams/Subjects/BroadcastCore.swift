import Synchronization

/// The part of a subject that does not depend on the types of its values: who is subscribed, and whose turn it is.
///
/// Signals are delivered one at a time, without a lock. A conduit leaves the list only when no delivery is under
/// way: whoever delivers counts no references.
@usableFromInline package class BroadcastCore {
  @frozen
  @usableFromInline
  struct State {
    /// How many places in the list are empty.
    @usableFromInline var emptyCount = 0
    @usableFromInline var isCompleted = false
    @usableFromInline var upstreams: [any Subscription] = []
    /// With how many upstreams those are released that have ended.
    @usableFromInline var upstreamLimit = 8
    @usableFromInline var hasAnyDemand: Bool
  }

  @usableFromInline let serializer = Serializer()
  /// The current list's memory, never nil. Replaced under the lock, read by whoever delivers.
  @usableFromInline let listMemory = Atomic<UnsafeMutableRawPointer?>(ConduitList(capacity: 2).memory)
  /// What is in the list if that is one, so that it is found with one step less.
  @usableFromInline let only = Atomic<Unmanaged<Conduit>?>(nil)
  @usableFromInline let state: Lock<State>
  /// The state's fields of these names, for a look without the lock.
  @usableFromInline let isCompleted = Atomic(false)
  let hasAnyDemand: Atomic<Bool>
  @usableFromInline let kind: SubjectKind
  /// How many values were dropped for want of demand, counted for each subscriber that had none.
  let dropped = Atomic(0)

  @usableFromInline
  init(_ kind: SubjectKind) {
    self.kind = kind
    // Subjects that keep the latest value take values whether or not anybody wants them.
    hasAnyDemand = Atomic(kind.keepsLatest)
    state = Lock(State(hasAnyDemand: kind.keepsLatest))
  }

  deinit {
    list.forEach { $0.release() }
    list.deallocate()
  }

  @inlinable @inline(__always)
  final var list: ConduitList { ConduitList(memory: listMemory.load(ordering: .acquiring).unsafelyUnwrapped) }

  /// Notes what is in the list, which has changed. Under the lock.
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

  /// Offers a subscriber the value of this number of a batch.
  func offer(_ number: Int, from start: UnsafeRawPointer, to conduit: Unmanaged<Conduit>) {}

  /// Ends a conduit, since the subject has completed, or leaves that until its subscriber has got what it is to get.
  func conclude(_ conduit: Conduit) { end(conduit) }
}

// MARK: - Subscribing and cancelling

extension BroadcastCore {
  /// Connects a conduit and hands its subscriber the subscription.
  ///
  /// This is done inside the gate, so that no value overtakes the subscription. Where another thread has the gate,
  /// that is not waited for: it may be at work for long. What is sent before the subscriber has its subscription is
  /// then not for it, since it comes without demand.
  @usableFromInline
  func attach(_ conduit: Conduit) {
    // Also if nothing is being sent here: what has been gathered may be on its way to this subject.
    BatchProgress.noteAction()
    let entry = serializer.gate.enter()
    if entry == .busy { conduit.status.bitwiseOr(Conduit.Mark.handshake, ordering: .relaxed) }
    if insert(conduit) {
      if entry == .nested { BroadcastSource.join(self, conduit) }
      conduit.receive(subscription: conduit.subscription)
      if entry == .busy { endHandshake(conduit) } else if kind == .replay { deliverLatest(to: conduit) }
    } else {
      conduit.receive(subscription: Subscriptions.empty)
      finish(conduit)
    }
    if entry == .entered { serializer.leave() }
  }

  /// Adds a conduit to the list. Returns false if the subject has completed; one that replays still has something for
  /// the conduit, which needs no list then.
  private func insert(_ conduit: Conduit) -> Bool {
    let (inserted, replaced) = state.withLock { state -> (Bool, ConduitList?) in
      if state.isCompleted, kind != .replay { return (false, nil) }
      conduit.subscription.connect(conduit)
      if state.isCompleted { return (true, nil) }
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
    if let replaced { serializer.submit { replaced.deallocate() } }
    return inserted
  }

  /// Makes up for what has passed by during a handshake: the completion, or the latest value.
  private func endHandshake(_ conduit: Conduit) {
    let status = conduit.status.bitwiseAnd(~Conduit.Mark.handshake, ordering: .acquiringAndReleasing).oldValue
    if status & Conduit.Mark.missedEnd != 0 {
      end(conduit)
    } else if status & Conduit.Mark.behind != 0 {
      serializer.post { [self] in deliverLatest(to: conduit) }
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
      serializer.submit { [self] in detach(conduit) }
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

  /// Ends the conduits that are in the list without a word to their subscribers.
  func abandon() {
    serializer.perform { [self] in
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
      noteOnly(0)
      return old
    }
    list.forEach { $0._withUnsafeGuaranteedRef { end($0) } }
    serializer.submit {
      list.forEach { $0.release() }
      list.deallocate()
    }
  }

  /// Ends a conduit that is no longer in the list. One in its handshake is ended by the thread that gives it.
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
        busy: { serializer.submit { [self] in deliverLatest(to: conduit) } })
    } else if !hasAnyDemand.load(ordering: .relaxed) {
      acknowledgeDemand()
    }
  }

  /// Requests unlimited values from the upstreams at the first request of any subscriber.
  private func acknowledgeDemand() {
    let upstreams: [any Subscription] = state.withLock { state in
      if state.hasAnyDemand { return [] }
      state.hasAnyDemand = true
      hasAnyDemand.store(true, ordering: .relaxed)
      return state.upstreams
    }
    for subscription in upstreams { subscription.request(.unlimited) }
  }

  /// Keeps an upstream's subscription, and requests unlimited values from it if any subscriber has requested some.
  func addUpstream(_ subscription: any Subscription) {
    let (isDemanded, ended) = state.withLock { state in
      let ended = state.upstreams.count < state.upstreamLimit ? [] : state.takeEndedUpstreams()
      state.upstreams.append(subscription)
      return (state.hasAnyDemand, ended)
    }
    // As at the subject's end: a subscription may keep who was subscribed until it is cancelled.
    for subscription in ended { subscription.cancel() }
    if isDemanded { subscription.request(.unlimited) }
  }

  func cancelUpstreams() {
    let upstreams = state.withLock { $0.upstreams }
    for subscription in upstreams { subscription.cancel() }
  }
}

extension BroadcastCore.State {
  /// Looks at all upstreams, each time at twice as many as have gone on, and takes out those that have ended.
  fileprivate mutating func takeEndedUpstreams() -> [any Subscription] {
    let firstEnded = upstreams.partition { ($0 as? any UpstreamLink)?.hasEnded ?? false }
    defer {
      upstreams.removeSubrange(firstEnded...)
      upstreamLimit = max(8, 2 * upstreams.count)
    }
    return Array(upstreams[firstEnded...])
  }
}
