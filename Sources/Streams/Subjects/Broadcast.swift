import Synchronization

/// The part that subjects share: who is subscribed, and signals to them one at a time.
///
/// Signals are delivered by the thread that owns the gate, without a lock. Lists and conduits that are replaced or
/// ended meanwhile are *retired*, and released once that thread is done.
@usableFromInline
final class Broadcast<Output, Failure: Error> {
  @usableFromInline typealias Element = Conduit<Output, Failure>
  @usableFromInline typealias List = ConduitList<Output, Failure>

  @usableFromInline
  struct State {
    /// How many conduits in the list have ended.
    var endedCount = 0
    var completion: Subscribers.Completion<Failure>?
    var retiredLists: [List] = []
    var retiredConduits: [Element] = []
    /// Signals that other threads sent while the gate was taken, in order.
    var inbox: [() -> Void] = []
    var upstreams: [any Subscription] = []
    var hasAnyDemand = false
  }

  @usableFromInline let gate = Gate()
  /// The current list. Replaced under the lock, read by the gate's owner.
  @usableFromInline let list: Atomic<Unmanaged<List>>
  @usableFromInline let state = Lock(State())

  @usableFromInline
  init() {
    list = Atomic(.passRetained(List(capacity: 1)))
  }

  deinit { list.load(ordering: .acquiring).release() }

  // MARK: Signals

  /// Delivers a batch to every conduit, or leaves it to the thread that is delivering.
  @inlinable @inline(__always)
  func send(_ batch: UnsafeBufferPointer<Output>) {
    switch gate.enter() {
    case .entered:
      deliver(batch)
      if !gate.leave() { drain() }
    case .nested:
      deliver(batch)
    case .busy:
      enqueue(batch)
    }
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Output>) {
    list.load(ordering: .acquiring)._withUnsafeGuaranteedRef { list in
      list.forEach { $0.offer(batch) }
    }
  }

  @usableFromInline @inline(never)
  func enqueue(_ batch: UnsafeBufferPointer<Output>) {
    let copy = Array(batch)
    submit { [unowned self] in copy.withUnsafeBufferPointer { deliver($0) } }
  }

  /// Runs `signal` in turn with all other signals: now, if no other thread is delivering, else by that thread.
  @usableFromInline
  func perform(_ signal: @escaping () -> Void) {
    switch gate.enter() {
    case .entered:
      signal()
      if !gate.leave() { drain() }
    case .nested:
      signal()
    case .busy:
      submit(signal)
    }
  }

  private func submit(_ signal: @escaping () -> Void) {
    state.withLock { $0.inbox.append(signal) }
    settle()
  }

  /// Sees to it that retired objects are released and waiting signals sent, here or by the gate's owner.
  @usableFromInline
  func settle() {
    if gate.poke() { drain() }
  }

  /// Does the work that has gathered, then leaves the gate. For the gate's owner, outside of any delivery.
  @usableFromInline @inline(never)
  func drain() {
    repeat {
      let work = state.withLock { state in
        let taken = (state.retiredConduits, state.retiredLists, state.inbox)
        state.retiredConduits = []
        state.retiredLists = []
        state.inbox = []
        return taken
      }
      for conduit in work.0 { conduit.clear() }
      for signal in work.2 { signal() }
    } while !gate.leave()
  }

  // MARK: Subscribers

  /// Adds a conduit. Returns the completion, and adds nothing, if the subject has completed.
  @usableFromInline
  func insert(_ conduit: Element) -> Subscribers.Completion<Failure>? {
    let (completion, hasRetired) = state.withLock { state in
      if state.completion != nil { return (state.completion, false) }
      let list = self.list.load(ordering: .relaxed).takeUnretainedValue()
      if list.append(conduit) { return (nil, false) }
      let longer = list.compacted()
      _ = longer.append(conduit)
      replaceList(with: longer, &state)
      return (nil, true)
    }
    if hasRetired { settle() }
    return completion
  }

  /// Ends a conduit and forgets it.
  @usableFromInline
  func remove(_ conduit: Element) {
    guard conduit.end() else { return }
    state.withLock { state in
      state.retiredConduits.append(conduit)
      guard state.completion == nil else { return }
      let list = self.list.load(ordering: .relaxed).takeUnretainedValue()
      state.endedCount += 1
      if state.endedCount * 2 > list.count { replaceList(with: list.compacted(), &state) }
    }
    settle()
  }

  private func replaceList(with new: List, _ state: inout State) {
    let old = list.exchange(.passRetained(new), ordering: .acquiringAndReleasing)
    state.retiredLists.append(old.takeRetainedValue())
    state.endedCount = 0
  }

  /// Completes every conduit, once.
  @usableFromInline
  func complete(_ completion: Subscribers.Completion<Failure>) {
    perform { [unowned self] in
      let ended: List? = state.withLock { state in
        guard state.completion == nil else { return nil }
        state.completion = completion
        let list = self.list.load(ordering: .relaxed).takeUnretainedValue()
        replaceList(with: List(capacity: 1), &state)
        return list
      }
      ended?.forEach { conduit in
        guard let subscriber = conduit.links.withLock({ $0?.subscriber }), conduit.end() else { return }
        state.withLock { $0.retiredConduits.append(conduit) }
        subscriber.receive(completion: completion)
      }
      if ended != nil { settle() }
    }
  }

  @usableFromInline
  var isActive: Bool { state.withLock { $0.completion == nil } }

  // MARK: Upstreams

  /// Keeps an upstream's subscription. Returns whether any subscriber has requested values yet.
  @usableFromInline
  func addUpstream(_ subscription: any Subscription) -> Bool {
    state.withLock { state in
      state.upstreams.append(subscription)
      return state.hasAnyDemand
    }
  }

  /// Requests unlimited values from the upstreams at the first request of any subscriber.
  @usableFromInline
  func acknowledgeDemand() {
    let upstreams: [any Subscription] = state.withLock { state in
      if state.hasAnyDemand { return [] }
      state.hasAnyDemand = true
      return state.upstreams
    }
    for subscription in upstreams { subscription.request(.unlimited) }
  }

  @usableFromInline
  func cancelUpstreams() {
    let upstreams = state.withLock { $0.upstreams }
    for subscription in upstreams { subscription.cancel() }
  }
}
