import Streams

/// How much the subscriber of one of the streams demands.
enum OutletDemand {
  case nothing
  case limited
  case all
}

/// The values that wait for an outlet's subscriber, and the thread that delivers them.
struct OutletState<Output, Failure: Error> {
  private enum Phase {
    /// It has no subscriber yet.
    case unclaimed
    /// The subscriber is being given its subscription.
    case opening
    case active
    /// The completion has been sent, or the subscriber has cancelled.
    case closed
  }

  private var phase = Phase.unclaimed
  private var downstream: Downstream<Output, Failure>?
  private var demand = Subscribers.Demand.none
  /// The demand that the publisher has been notified of.
  private var known = OutletDemand.nothing
  private var waiting = Queue<Output>()
  private var completion: Subscribers.Completion<Failure>?
  /// The thread that delivers, or 0.
  private var deliverer: UInt32 = 0

  // MARK: The subscriber

  /// Accepts the one subscriber, to which this thread gives its subscription. Returns false if there has been another.
  mutating func attach(_ downstream: Downstream<Output, Failure>, on thread: UInt32) -> Bool {
    guard case .unclaimed = phase else { return false }
    phase = .opening
    self.downstream = downstream
    deliverer = thread
    return true
  }

  /// Whether nothing waits.
  var isEmpty: Bool { waiting.isEmpty }

  /// The subscriber has its subscription.
  mutating func open() {
    if case .opening = phase { phase = .active }
  }

  /// Adds to the demand. Returns the change for the publisher, if there is one.
  @discardableResult
  mutating func request(_ more: Subscribers.Demand) -> (old: OutletDemand, new: OutletDemand)? {
    guard downstream != nil else { return nil }
    demand += more
    return know(demand == .unlimited ? .all : .limited)
  }

  /// Returns the change.
  private mutating func know(_ new: OutletDemand) -> (old: OutletDemand, new: OutletDemand)? {
    guard new != known else { return nil }
    defer { known = new }
    return (known, new)
  }

  /// Nothing is demanded any more. Returns the change.
  mutating func forgetDemand() -> (old: OutletDemand, new: OutletDemand)? { know(.nothing) }

  /// What a closed outlet leaves: objects to release, and what its publisher must know.
  struct Leftovers {
    var downstream: Downstream<Output, Failure>?
    var waiting = Queue<Output>()
    /// Whether the stream had not ended.
    var wasOpen = false
  }

  /// Closes the outlet; with `claimed: false` only if it has no subscriber.
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

  enum Route {
    /// The caller delivers the values, and then calls `next`.
    case direct(Downstream<Output, Failure>, isNested: Bool)
    /// The values wait. The caller calls `next`, unless another thread does.
    case stored
    /// The outlet is closed.
    case dropped
  }

  /// Accepts values.
  mutating func send(_ batch: UnsafeBufferPointer<Output>, on thread: UInt32) -> Route {
    if case .closed = phase { return .dropped }
    guard completion == nil else { return .dropped }
    if case .active = phase, let downstream, deliverer == 0 || deliverer == thread, waiting.isEmpty,
      demand >= batch.count
    {
      demand -= batch.count
      defer { deliverer = thread }
      return .direct(downstream, isNested: deliverer == thread)
    }
    for value in batch { waiting.append(value) }
    return .stored
  }

  /// Ends the stream after the waiting values. Returns false if it has ended or been closed before.
  mutating func end(_ completion: Subscribers.Completion<Failure>) -> Bool {
    if case .closed = phase { return false }
    guard self.completion == nil else { return false }
    self.completion = completion
    return true
  }

  // MARK: Deliveries

  enum Entry {
    case entered
    /// The thread delivers already, further up the stack.
    case nested
    /// Another thread delivers, or there is no active subscriber.
    case refused
  }

  /// Makes this thread the one that delivers.
  mutating func enter(on thread: UInt32) -> Entry {
    guard case .active = phase else { return .refused }
    if deliverer == thread { return .nested }
    guard deliverer == 0 else { return .refused }
    deliverer = thread
    return .entered
  }

  enum Step {
    case value(Output, Downstream<Output, Failure>)
    case completion(Subscribers.Completion<Failure>, Downstream<Output, Failure>)
    case nothing
  }

  /// The next step of the delivering thread. If there is none, the thread stops delivering, unless it is nested.
  mutating func next(after returned: Subscribers.Demand, isNested: Bool) -> Step {
    if let downstream {
      demand += returned
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
