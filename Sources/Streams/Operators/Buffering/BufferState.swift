/// The state of a buffer, apart from its deliveries.
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
    /// `isDue` says whether there is demand, or a completion to send.
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
    return true
  }

  /// Ends with a failure, which in Combine does not wait for values that are being delivered.
  mutating func fail() -> (Subscribers.Completion<Failure>, any Subscription)? {
    guard case .subscribed(let subscription) = phase, case .failure = terminal, let terminal else {
      return nil
    }
    phase = .ended
    isSubscribed = false
    return (terminal, subscription)
  }

  /// What to deliver next. With a failure, values for which there is no demand are never delivered.
  @inlinable
  mutating func next() -> Step {
    guard case .subscribed(let subscription) = phase else { return .nothing }
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
