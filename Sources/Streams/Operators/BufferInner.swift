import Synchronization

/// Who delivers is whoever has entered the gate. Another thread leaves its value or its request in the state,
/// and the one that delivers sees to it.
@usableFromInline
final class BufferInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Buffer" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let size: Int
  @usableFromInline let prefetch: Publishers.PrefetchStrategy
  @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>
  @usableFromInline let state = Lock(BufferState<Input, Failure>())
  @usableFromInline let gate = Gate()
  /// Asked for each value: those that are on their way are not delivered after a cancellation.
  @usableFromInline let isCancelled = Atomic(false)
  /// ``grant(_:)``, specialised: a request comes through a table of methods, and what that leads to is not.
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

  /// The upstream is asked first, so what it sends at once is in the buffer when the downstream is
  /// subscribed. An end that comes at once is told after that.
  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.subscribe(subscription) }) else { return subscription.cancel() }
    subscription.request(prefetch == .keepFull ? .max(size) : .unlimited)
    downstream.receive(subscription: self)
    guard state.withLock({ $0.greet() }) else { return }
    let more = drain()
    if more != .none { subscription.request(more) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: one($0)) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard case .entered = gate.enter() else {
      var demand = Subscribers.Demand.none
      for value in batch where store(value) { demand += drain() }
      return demand
    }
    // With an empty buffer and enough demand the values need not be stored.
    let isPassed = size > 0 && state.withLock { $0.spend(batch.count) }
    return isPassed ? passOn(batch) : storeEntered(batch)
  }

  /// Delivers values that demand has been taken for. For who has entered the gate, which is left.
  @inlinable @inline(__always)
  func passOn(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    let returned = downstream.receive(contentsOf: batch)
    var demand: Subscribers.Demand = prefetch == .keepFull ? .max(batch.count) : .none
    if returned != .none { state.withLock { $0.demand += returned } }
    // What is returned may be for values that were stored meanwhile, on this thread.
    if returned != .none || !gate.leave() { demand += drainEntered() }
    return demand
  }

  /// Stores values, and delivers what there is demand for. For who has entered the gate, which is left.
  @inlinable @inline(never)
  func storeEntered(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    for value in batch where store(value) { demand += deliverAll() }
    return gate.leave() ? demand : demand + drainEntered()
  }

  /// Puts a value into the buffer. Returns whether there may be something to deliver now.
  @inlinable
  func store(_ value: Input) -> Bool {
    let (outcome, dropped) = state.withLock { $0.store(value, size: size, whenFull: whenFull) }
    withExtendedLifetime(dropped) {}
    switch outcome {
    case .stored(let isDue): return isDue
    case .ignored: return false
    case .overflow: fail()
    }
    return false
  }

  /// The closure is called without the lock, but as if under it: it must not come back to this buffer.
  @usableFromInline
  func fail() {
    guard case .customError(let makeError) = whenFull else { return }
    let error = makeError()
    state.withLock { $0.overflow(with: error) }?.cancel()
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if state.withLock({ $0.complete(completion) }) { _ = drain() }
  }

  // MARK: Deliveries

  /// Delivers what can be delivered, or leaves that to the thread that is delivering. Returns the demand that
  /// this makes for more values.
  @inlinable
  func drain() -> Subscribers.Demand {
    switch gate.enter() {
    case .entered: drainEntered()
    case .nested: deliverAll()
    case .busy: gate.poke() ? drainEntered() : .none
    }
  }

  @inlinable @inline(never)
  func drainEntered() -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    repeat { demand += deliverAll() } while !gate.leave()
    return demand
  }

  @inlinable
  func deliverAll() -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    while true {
      switch state.withLock({ $0.next() }) {
      case .values(let values):
        var returned = Subscribers.Demand.none
        for value in values where !isCancelled.load(ordering: .relaxed) {
          returned += downstream.receive(value)
        }
        if returned != .none { state.withLock { $0.demand += returned } }
        if prefetch == .keepFull { demand += values.count }
      case .completion(let completion, let subscription):
        downstream.receive(completion: completion)
        withExtendedLifetime(subscription) {}
        return demand
      case .nothing:
        return demand
      }
    }
  }

  // MARK: Subscription

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { granting(self, demand) }

  @inlinable
  func grant(_ demand: Subscribers.Demand) {
    guard let subscription = state.withLock({ $0.request(demand) }) else { return }
    // A request from within a delivery is seen to when the delivery returns.
    if gate.isOwned {
      _ = gate.poke()
      return
    }
    let more = drain()
    if more != .none { subscription.request(more) }
  }

  @usableFromInline
  func cancel() {
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

/// What a buffer knows, apart from who delivers it.
@usableFromInline
struct BufferState<Input, Failure: Error> {
  @usableFromInline
  enum Phase {
    case awaiting
    case subscribed(any Subscription)
    case ended
  }

  @frozen
  @usableFromInline
  enum Outcome {
    /// `isDue` says whether there is demand, or an end to tell.
    case stored(isDue: Bool)
    case ignored, overflow
  }

  @usableFromInline
  enum Step {
    case values([Input])
    case completion(Subscribers.Completion<Failure>, any Subscription)
    case nothing
  }

  @usableFromInline var phase = Phase.awaiting
  @usableFromInline var isSubscribed = false
  /// Whether the downstream has its subscription: it has returned from receiving it, or has used it.
  @usableFromInline var isGreeted = false
  @usableFromInline var endedBeforeGreeting = false
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var values = Queue<Input>()
  @usableFromInline var terminal: Subscribers.Completion<Failure>?
  /// The thread that is making the error for an overflow.
  @usableFromInline var failingThread: UInt32 = 0

  @usableFromInline
  init() {}

  mutating func subscribe(_ subscription: any Subscription) -> Bool {
    guard case .awaiting = phase else { return false }
    phase = .subscribed(subscription)
    isSubscribed = true
    return true
  }

  // MARK: Values

  /// Takes demand for values that need not be stored. Returns false if they must be.
  @inlinable
  mutating func spend(_ count: Int) -> Bool {
    guard isSubscribed, values.isEmpty, terminal == nil, failingThread == 0, demand >= count else {
      return false
    }
    demand -= count
    return true
  }

  /// Stores a value. Returns the value that is dropped as well.
  @inlinable
  mutating func store(
    _ value: Input, size: Int, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> (Outcome, dropped: Input?) {
    precondition(failingThread != Gate.currentThread, "a full buffer was sent a value by its error closure")
    guard isSubscribed, failingThread == 0 else { return (.ignored, nil) }
    if case .failure = terminal { return (.ignored, nil) }
    let stored = Outcome.stored(isDue: demand > 0 || terminal != nil)
    guard values.count >= size else {
      values.append(value)
      return (stored, nil)
    }
    switch whenFull {
    case .dropNewest:
      return (stored, value)
    case .dropOldest:
      let oldest = values.popFirst()
      values.append(value)
      return (stored, oldest)
    case .customError:
      failingThread = Gate.currentThread
      return (.overflow, nil)
    }
  }

  /// Takes the error in. Returns the subscription, to be cancelled.
  mutating func overflow(with error: Failure) -> (any Subscription)? {
    failingThread = 0
    terminal = .failure(error)
    if case .subscribed(let subscription) = phase { return subscription }
    return nil
  }

  mutating func complete(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard isSubscribed, terminal == nil else { return false }
    terminal = completion
    endedBeforeGreeting = !isGreeted
    return true
  }

  /// Returns whether there is an end to tell, which came before the downstream could be told.
  mutating func greet() -> Bool {
    isGreeted = true
    return endedBeforeGreeting
  }

  /// What is to be delivered next. With a failure, values for which there is no demand are never delivered.
  @inlinable
  mutating func next() -> Step {
    guard isGreeted, case .subscribed(let subscription) = phase else { return .nothing }
    if demand > 0, !values.isEmpty { return .values(takeDemanded()) }
    guard let terminal else { return .nothing }
    if case .finished = terminal, demand == 0 { return .nothing }
    phase = .ended
    isSubscribed = false
    return .completion(terminal, subscription)
  }

  @inlinable
  mutating func takeDemanded() -> [Input] {
    let count = Swift.min(demand.max ?? .max, values.count)
    demand -= count
    var taken: [Input] = []
    taken.reserveCapacity(count)
    while taken.count < count, let value = values.popFirst() { taken.append(value) }
    return taken
  }

  // MARK: Subscription

  @inlinable
  mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
    guard case .subscribed(let subscription) = phase else { return nil }
    isGreeted = true
    demand += more
    return subscription
  }

  /// Returns the subscription and the values, to be released.
  mutating func cancel() -> ((any Subscription)?, [Input]) {
    guard case .subscribed(let subscription) = phase else { return (nil, []) }
    phase = .ended
    isSubscribed = false
    return (subscription, values.removeAll())
  }

  func mirror<Subject>(of subject: Subject) -> Mirror {
    var values = values
    return Mirror(
      subject,
      children: [
        "values": values.removeAll(), "state": phase, "downstreamDemand": demand,
        "terminal": terminal as Any,
      ])
  }
}
