/// The occasions on which arrays are sent.
@usableFromInline
enum CollectByTimeOccasion {
  /// The end of an interval: one array, full or not.
  case tick
  /// Enough values for an array have come, or an array has been requested, or there will be no more values.
  case due
}

/// The values that have been gathered, and the choice of the next array to send.
@usableFromInline
struct CollectByTimeState<Input, Failure: Error> {
  enum Step {
    case nothing
    case group([Input])
    case completion(Subscribers.Completion<Failure>, Ended)
  }

  /// What was left at the end, to be cancelled or released.
  struct Ended {
    var subscription: (any Subscription)?
    var timer: (any Cancellable)?
    var values: [Input] = []
  }

  /// How many values make a full array; nil if only the time counts.
  private let count: Int?
  private var upstream = UpstreamState.awaiting
  private var demand = Subscribers.Demand.none
  private var values: [Input] = []
  private var timer: (any Cancellable)?
  /// How the upstream has ended.
  private var completion: Subscribers.Completion<Failure>?

  @usableFromInline
  init(count: Int?) {
    precondition(count.map { $0 > 0 } ?? true, "a group holds at least one value")
    self.count = count
  }

  // MARK: The upstream

  /// Whether to keep the subscription.
  mutating func subscribe(_ subscription: any Subscription) -> Bool { upstream.subscribe(subscription) }

  /// Whether to keep the timer.
  mutating func keep(_ timer: any Cancellable) -> Bool {
    guard upstream.isSubscribed else { return false }
    self.timer = timer
    return true
  }

  /// Takes a value in. Returns the demand to return to the upstream, and whether an array is full; nil after the end.
  mutating func receive(_ input: Input) -> (demand: Subscribers.Demand, isDue: Bool)? {
    guard upstream.isSubscribed else { return nil }
    values.append(input)
    guard let count else { return (demand == .unlimited ? .none : .max(1), false) }
    return (.none, values.count.isMultiple(of: count))
  }

  /// Takes the completion in. Returns whether to schedule its delivery, and the timer to cancel.
  mutating func receive(
    _ completion: Subscribers.Completion<Failure>
  ) -> (isDue: Bool, timer: (any Cancellable)?) {
    guard upstream.complete() else { return (false, nil) }
    self.completion = completion
    return (true, timer.take())
  }

  // MARK: Scheduled actions

  /// Takes out what to send next.
  mutating func next(_ occasion: CollectByTimeOccasion) -> Step {
    guard upstream.isOpen else { return .nothing }
    if demand > 0, hasFullGroup { return .group(takeGroup()) }
    switch completion {
    case .failure(let error): return .completion(.failure(error), end())
    case .finished where values.isEmpty: return .completion(.finished, end())
    case .finished: return demand > 0 ? .group(takeGroup()) : .nothing
    case nil: return occasion == .tick && demand > 0 && !values.isEmpty ? .group(takeGroup()) : .nothing
    }
  }

  private var hasFullGroup: Bool { count.map { values.count >= $0 } ?? false }

  private mutating func takeGroup() -> [Input] {
    demand -= 1
    let group = Array(values.prefix(count ?? .max))
    values.removeFirst(group.count)
    return group
  }

  // MARK: The downstream

  /// Adds what the downstream returned.
  mutating func add(_ more: Subscribers.Demand) {
    if upstream.isOpen { demand += more }
  }

  /// Adds what the downstream requested. Returns whether an array is due that has waited for it.
  mutating func request(_ more: Subscribers.Demand) -> Bool {
    add(more)
    return upstream.isOpen && (hasFullGroup || completion != nil)
  }

  /// The request to the upstream that follows from one of the downstream.
  func upstreamRequest(
    for more: Subscribers.Demand
  ) -> (subscription: any Subscription, demand: Subscribers.Demand)? {
    guard upstream.isSubscribed, let subscription = upstream.subscription else { return nil }
    return (subscription, more == .unlimited ? more : count.map { more * $0 } ?? .max(1))
  }

  /// Ends what has begun. Returns what was left.
  mutating func end() -> Ended {
    guard upstream.isOpen else { return Ended() }
    var ended = Ended(timer: timer.take())
    swap(&values, &ended.values)
    ended.subscription = upstream.end()
    return ended
  }
}
