import Synchronization

/// The part that subjects share: who is subscribed, and signals to them one at a time.
///
/// Signals are delivered one at a time, without a lock. Lists and conduits that are replaced or ended meanwhile are
/// kept by the serialiser until nobody can be using them.
@usableFromInline
final class Broadcast<Output, Failure: Error> {
  @usableFromInline typealias Element = Conduit<Output, Failure>
  @usableFromInline typealias List = ConduitList<Output, Failure>

  @usableFromInline
  struct State {
    /// How many conduits in the list have ended.
    var endedCount = 0
    var completion: Subscribers.Completion<Failure>?
    var upstreams: [any Subscription] = []
    var hasAnyDemand = false
  }

  @usableFromInline let serializer = Serializer()
  /// The current list. Replaced under the lock, read by whoever delivers.
  @usableFromInline let list: Atomic<Unmanaged<List>>
  @usableFromInline let state = Lock(State())
  /// True once a completion was sent; the lock guards the change.
  @usableFromInline let isCompleted = Atomic(false)

  @usableFromInline
  init() {
    list = Atomic(.passRetained(List(capacity: 1)))
  }

  deinit { list.load(ordering: .acquiring).release() }

  // MARK: Signals

  /// Delivers a batch to every conduit, or leaves it to the thread that is delivering.
  @inlinable @inline(__always)
  func send(_ batch: UnsafeBufferPointer<Output>) {
    serializer.run({ deliver(batch) }, busy: { enqueue(batch) })
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
    serializer.submit { [unowned self] in copy.withUnsafeBufferPointer { deliver($0) } }
  }

  /// Runs `signal` in turn with all other signals: now, if no other thread is delivering, else by that thread.
  @usableFromInline
  func perform(_ signal: @escaping () -> Void) { serializer.perform(signal) }

  // MARK: Subscribers

  /// Adds a conduit. Returns the completion, and adds nothing, if the subject has completed.
  @usableFromInline
  func insert(_ conduit: Element) -> Subscribers.Completion<Failure>? {
    let (completion, replaced) = state.withLock { state -> (Subscribers.Completion<Failure>?, List?) in
      if state.completion != nil { return (state.completion, nil) }
      let list = self.list.load(ordering: .relaxed).takeUnretainedValue()
      if list.append(conduit) { return (nil, nil) }
      let longer = list.compacted()
      _ = longer.append(conduit)
      return (nil, replaceList(with: longer, &state))
    }
    if let replaced { serializer.retire(replaced) }
    return completion
  }

  /// Ends a conduit and forgets it.
  @usableFromInline
  func remove(_ conduit: Element) {
    guard conduit.end() else { return }
    let replaced: List? = state.withLock { state in
      guard state.completion == nil else { return nil }
      let list = self.list.load(ordering: .relaxed).takeUnretainedValue()
      state.endedCount += 1
      return state.endedCount * 2 > list.count ? replaceList(with: list.compacted(), &state) : nil
    }
    if let replaced { serializer.retire(replaced) }
    serializer.submit { conduit.clear() }
  }

  /// Exchanges the list. The old one may be in use, and is for the caller to retire.
  private func replaceList(with new: List, _ state: inout State) -> List {
    state.endedCount = 0
    return list.exchange(.passRetained(new), ordering: .acquiringAndReleasing).takeRetainedValue()
  }

  /// Completes every conduit, once.
  @usableFromInline
  func complete(_ completion: Subscribers.Completion<Failure>) {
    perform { [unowned self] in
      let ended: List? = state.withLock { state in
        guard state.completion == nil else { return nil }
        state.completion = completion
        isCompleted.store(true, ordering: .releasing)
        return replaceList(with: List(capacity: 1), &state)
      }
      guard let ended else { return }
      ended.forEach { conduit in
        guard let subscriber = conduit.links.withLock({ $0?.subscriber }), conduit.end() else { return }
        serializer.submit { conduit.clear() }
        subscriber.receive(completion: completion)
      }
      serializer.retire(ended)
    }
  }

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
