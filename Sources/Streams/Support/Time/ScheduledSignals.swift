/// Signals on their way through a scheduler.
///
/// Each is put in a queue, and an action is scheduled for it that delivers the first signal in the queue when it
/// runs. So even a scheduler that runs actions in another order, or several at the same time, keeps the signals in
/// order, with the completion at the end.
@usableFromInline
struct ScheduledSignals<Input, Failure: Error>: ObserveOnSignals {
  @usableFromInline
  enum Signal {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  @usableFromInline var upstream = UpstreamState.awaiting
  @usableFromInline var queue = Queue<Signal>()

  @inlinable
  init() {}

  // MARK: The upstream

  /// Puts a value into the queue. Returns whether an action must be scheduled for it.
  @inlinable
  mutating func receive(_ value: Input) -> Bool {
    guard upstream.isSubscribed else { return false }
    queue.append(.value(value))
    return true
  }

  /// Puts the upstream's completion into the queue. Returns whether an action must be scheduled for it.
  @usableFromInline
  mutating func receive(completion: Subscribers.Completion<Failure>) -> Bool {
    guard upstream.complete() else { return false }
    queue.append(.completion(completion))
    return true
  }

  /// Puts a completion into the queue after ``UpstreamState/abandon()``.
  @usableFromInline
  mutating func append(_ completion: Subscribers.Completion<Failure>) {
    if upstream.isOpen { queue.append(.completion(completion)) }
  }

  // MARK: Actions

  /// Takes out the next signal, if the downstream still gets any. With the completion comes the
  /// subscription, to be released.
  @inlinable
  mutating func next() -> (signal: Signal, released: (any Subscription)?)? {
    guard let signal = queue.popFirst() else { return nil }
    if case .completion = signal { return (signal, upstream.end()) }
    return (signal, nil)
  }

  // MARK: The downstream

  /// Ends everything. Returns the subscription, to be cancelled, and the signals, to be released.
  @usableFromInline
  mutating func cancel() -> (subscription: (any Subscription)?, dropped: Queue<Signal>) {
    var dropped = Queue<Signal>()
    swap(&queue, &dropped)
    return (upstream.end(), dropped)
  }
}
