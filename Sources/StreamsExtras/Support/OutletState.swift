import Streams

/// How much the subscriber of one of the streams demands.
@frozen
@usableFromInline
enum OutletDemand {
  case nothing
  case limited
  case all
}

/// The values that wait for an outlet's subscriber, and the thread that delivers them.
@frozen
@usableFromInline
struct OutletState<Output, Failure: Error> {
  @frozen
  @usableFromInline
  enum Phase {
    /// It has no subscriber yet.
    case unclaimed
    /// The subscriber is being given its subscription.
    case opening
    case active
    /// The completion has been sent, or the subscriber has cancelled.
    case closed
  }

  @usableFromInline var phase = Phase.unclaimed
  @usableFromInline var downstream: Downstream<Output, Failure>?
  @usableFromInline var demand = Subscribers.Demand.none
  /// The demand that the publisher has been notified of.
  @usableFromInline var known = OutletDemand.nothing
  @usableFromInline var waiting = Queue<Output>()
  @usableFromInline var completion: Subscribers.Completion<Failure>?
  /// The thread that delivers, or 0.
  @usableFromInline var deliverer: UInt32 = 0

  @inlinable
  init() {}

  // MARK: The subscriber

  /// Accepts the one subscriber, to which this thread gives its subscription. Returns false if there has been another.
  @inlinable
  mutating func attach(_ downstream: Downstream<Output, Failure>, on thread: UInt32) -> Bool {
    guard case .unclaimed = phase else { return false }
    phase = .opening
    self.downstream = downstream
    deliverer = thread
    return true
  }

  /// Whether nothing waits.
  @inlinable
  var isEmpty: Bool { waiting.isEmpty }

  /// The subscriber has its subscription.
  @inlinable
  mutating func open() {
    if case .opening = phase { phase = .active }
  }

  /// Adds to the demand. Returns the change for the publisher, if there is one. A request of everything counts as one each
  /// time: the thread that has made the first may be slow to pass it on.
  @inlinable @discardableResult
  mutating func request(_ more: Subscribers.Demand) -> (old: OutletDemand, new: OutletDemand)? {
    add(more) ?? (downstream != nil && more == .unlimited ? (.all, .all) : nil)
  }

  /// Adds demand that was returned for a value.
  @inlinable
  mutating func add(_ more: Subscribers.Demand) -> (old: OutletDemand, new: OutletDemand)? {
    guard downstream != nil else { return nil }
    demand += more
    return know(demand == .unlimited ? .all : .limited)
  }

  /// Returns the change.
  @inlinable
  mutating func know(_ new: OutletDemand) -> (old: OutletDemand, new: OutletDemand)? {
    guard new != known else { return nil }
    defer { known = new }
    return (known, new)
  }

  /// Nothing is demanded any more. Returns the change.
  @inlinable
  mutating func forgetDemand() -> (old: OutletDemand, new: OutletDemand)? { know(.nothing) }

  /// What a closed outlet leaves: objects to release, and what its publisher must know.
  @usableFromInline
  struct Leftovers {
    @usableFromInline var downstream: Downstream<Output, Failure>?
    @usableFromInline var waiting = Queue<Output>()
    /// Whether the stream had not ended.
    @usableFromInline var wasOpen = false

    @inlinable
    init(
      downstream: Downstream<Output, Failure>? = nil, waiting: Queue<Output> = Queue(), wasOpen: Bool = false
    ) {
      self.downstream = downstream
      self.waiting = waiting
      self.wasOpen = wasOpen
    }
  }

  /// Closes the outlet; with `claimed: false` only if it has no subscriber.
  @inlinable
  mutating func close(claimed: Bool = true) -> Leftovers {
    switch phase {
    case .closed: return Leftovers()
    case .opening, .active: if !claimed { return Leftovers() }
    case .unclaimed: break
    }
    phase = .closed
    return Leftovers(
      downstream: downstream.take(), waiting: exchange(&waiting, with: Queue()),
      wasOpen: completion == nil)
  }

  // MARK: The publisher

  @usableFromInline
  enum Route {
    /// The caller delivers the values by this call, and then calls `next`.
    case direct((UnsafeBufferPointer<Output>) -> Subscribers.Demand, isNested: Bool)
    /// The values wait. The caller calls `next`, unless another thread does.
    case stored
    /// The outlet is closed.
    case dropped
  }

  /// Accepts values.
  @inlinable @inline(__always)
  mutating func send(_ batch: UnsafeBufferPointer<Output>, on thread: UInt32) -> Route {
    if case .closed = phase { return .dropped }
    guard completion == nil else { return .dropped }
    if case .active = phase, let downstream, deliverer == 0 || deliverer == thread, waiting.isEmpty,
      demand >= batch.count
    {
      demand -= batch.count
      defer { deliverer = thread }
      return .direct(downstream.deliver, isNested: deliverer == thread)
    }
    for value in batch { waiting.append(value) }
    return .stored
  }

  /// Ends the stream after the waiting values. Returns false if it has ended or been closed before.
  @inlinable
  mutating func end(_ completion: Subscribers.Completion<Failure>) -> Bool {
    if case .closed = phase { return false }
    guard self.completion == nil else { return false }
    self.completion = completion
    return true
  }

  // MARK: Deliveries

  @usableFromInline
  enum Entry {
    case entered
    /// The thread delivers already, further up the stack.
    case nested
    /// Another thread delivers, or there is no active subscriber.
    case refused
  }

  /// Makes this thread the one that delivers.
  @inlinable
  mutating func enter(on thread: UInt32) -> Entry {
    guard case .active = phase else { return .refused }
    if deliverer == thread { return .nested }
    guard deliverer == 0 else { return .refused }
    deliverer = thread
    return .entered
  }

  @usableFromInline
  enum Step {
    case value(Output, Downstream<Output, Failure>)
    case completion(Subscribers.Completion<Failure>, Downstream<Output, Failure>)
    case nothing
  }

  /// The next step of the delivering thread. If there is none, the thread stops delivering, unless it is nested.
  @inlinable @inline(__always)
  mutating func next(after returned: Subscribers.Demand, isNested: Bool) -> Step {
    demand += returned
    // Most often nothing is left, and the downstream need not be retained to find that out.
    if !waiting.isEmpty || completion != nil, let downstream {
      if demand > 0, let value = waiting.popFirst() {
        demand -= 1
        return .value(value, downstream)
      }
      if let completion, waiting.isEmpty {
        phase = .closed
        self.downstream = nil
        return .completion(completion, downstream)
      }
    }
    if !isNested { deliverer = 0 }
    return .nothing
  }
}
