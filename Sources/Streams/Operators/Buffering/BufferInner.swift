import Synchronization

/// The subscriber to the upstream of a buffer, and its subscription.
///
/// The thread that delivers owns the gate. No thread waits for it: values that arrive during a delivery are
/// stored, and the owner delivers them.
@usableFromInline
final class BufferInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Buffer" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let size: Int
  @usableFromInline let prefetch: Publishers.PrefetchStrategy
  @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>
  @usableFromInline let state = Lock(BufferState<Input, Failure>())
  @usableFromInline let gate = Gate()
  /// How many signals have been taken out and not been delivered: nothing may overtake them. Only for the gate's
  /// owner.
  @usableFromInline let onTheirWay = Cell(0)
  @usableFromInline let handshakeIsOver = Cell(false)
  @usableFromInline let isCancelled = Atomic(false)
  @usableFromInline let drops = Drops()
  /// Made where the types are known: `request` is called through a table, and would be unspecialized code.
  @usableFromInline let granting: (BufferInner, Subscribers.Demand) -> Void

  @inlinable
  init(
    downstream: Downstream<Input, Failure>, size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) {
    self.downstream = downstream
    self.size = size
    self.prefetch = prefetch
    self.whenFull = whenFull
    granting = { $0.grant($1) }
  }

  // MARK: Subscriber

  /// Requests from the upstream first, as Combine does. Values that it sends then wait for the subscription.
  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.subscribe(subscription) }) else { return subscription.cancel() }
    let isEntered = gate.enter() == .entered
    onTheirWay.value += 1
    subscription.request(prefetch == .keepFull ? .max(size) : .unlimited)
    downstream.receive(subscription: self)
    onTheirWay.value -= 1
    handshakeIsOver.value = true
    let more = isEntered ? drainEntered() : drain()
    if more != .none { subscription.request(more) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard case .entered = gate.enter() else { return storeMeanwhile(batch) }
    // With an empty buffer and enough demand the values need not be stored.
    let isPassed = size > 0 && state.withLock { $0.spend(batch.count) }
    return isPassed ? passOn(batch) : storeEntered(batch)
  }

  @inlinable @inline(__always)
  func passOn(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    onTheirWay.value += batch.count - 1
    let returned = downstream.receive(contentsOf: batch)
    onTheirWay.value -= batch.count - 1
    var demand: Subscribers.Demand = prefetch == .keepFull ? .max(batch.count) : .none
    if returned != .none { state.withLock { $0.demand += returned } }
    // The returned demand may be for values that this thread has stored during the delivery.
    if returned != .none || !gate.leave() { demand += drainEntered() }
    return demand
  }

  @inlinable @inline(never)
  func storeEntered(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    for value in batch where store(value) { demand += deliverAll() }
    return gate.leave() ? demand : demand + drainEntered()
  }

  @inlinable @inline(never)
  func storeMeanwhile(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    for value in batch where store(value) { demand += drain() }
    return demand
  }

  /// Returns true if there is something to deliver.
  @inlinable
  func store(_ value: Input) -> Bool {
    let (outcome, dropped) = state.withLock { $0.store(value, size: size, whenFull: whenFull) }
    if dropped != nil { drops.add(1) }
    withExtendedLifetime(dropped) {}
    switch outcome {
    case .stored(let isDue): return isDue
    case .ignored: _ = Subscribers.Demand.refused()
    case .overflow: fail()
    }
    return false
  }

  @usableFromInline
  func fail() {
    guard case .customError(let makeError) = whenFull else { return }
    let error = makeError()
    state.withLock { $0.overflow(with: error) }?.cancel()
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard state.withLock({ $0.complete(completion) }) else { return }
    if gate.isOwned, handshakeIsOver.value, let (failure, ended) = state.withLock({ $0.fail() }) {
      downstream.receive(completion: failure)
      withExtendedLifetime(ended) {}
    } else {
      _ = drain()
    }
  }

  // MARK: Deliveries

  /// Delivers, or leaves that to the gate's owner. From within a delivery it delivers immediately, unless it
  /// would overtake other signals.
  @inlinable
  func drain() -> Subscribers.Demand {
    switch gate.enter() {
    case .entered: return drainEntered()
    case .nested where onTheirWay.value == 0: return deliverAll()
    case .nested:
      _ = gate.markWork()
      return .none
    case .busy: return gate.markWork() ? drainEntered() : .none
    }
  }

  @inlinable @inline(never)
  func drainEntered() -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    repeat { demand += deliverAll() } while !gate.leave()
    return demand
  }

  /// Delivers what is due. Returns the demand to pass upstream.
  @inlinable
  func deliverAll() -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    while true {
      switch state.withLock({ $0.next() }) {
      case .values(let values):
        demand += deliver(values)
      case .completion(let completion, let subscription):
        downstream.receive(completion: completion)
        withExtendedLifetime(subscription) {}
        return demand
      case .nothing:
        return demand
      }
    }
  }

  @inlinable @inline(__always)
  func deliver(_ values: [Input]) -> Subscribers.Demand {
    var returned = Subscribers.Demand.none
    onTheirWay.value += values.count
    for value in values {
      onTheirWay.value -= 1
      if !isCancelled.load(ordering: .relaxed) { returned += downstream.receive(value) }
    }
    if returned != .none { state.withLock { $0.demand += returned } }
    return prefetch == .keepFull ? .max(values.count) : .none
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    granting(self, demand)
  }

  @inlinable
  func grant(_ demand: Subscribers.Demand) {
    guard let subscription = state.withLock({ $0.request(demand) }) else { return }
    // A request from within a delivery is served when the delivery returns.
    if gate.isOwned {
      _ = gate.markWork()
      return
    }
    let more = drain()
    if more != .none { subscription.request(more) }
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    let (subscription, values) = state.withLock { $0.cancel() }
    guard let subscription else { return }
    isCancelled.store(true, ordering: .relaxed)
    subscription.cancel()
    withExtendedLifetime(values) {}
  }

  @usableFromInline var customMirror: Mirror {
    state.withLock { $0 }.mirror(of: self)
  }
}
