/// The signals on their way to another thread, and whether an action delivers them there.
@usableFromInline
struct HandoverState<Input, Failure: Error>: ObserveOnSignals {
  /// What one action delivers: values, and the completion if it is the last.
  @usableFromInline typealias Load = (values: [Input], completion: Subscribers.Completion<Failure>?)

  @usableFromInline
  enum Phase {
    case idle
    /// An action will deliver the signals that there are when it runs.
    case scheduled
    case delivering
  }

  @usableFromInline var upstream = UpstreamState.awaiting
  @usableFromInline var load: Load = ([], nil)
  /// Memory for the values that come while a load is delivered.
  @usableFromInline var spare: [Input] = []
  @usableFromInline var phase = Phase.idle

  @inlinable
  init() {}

  // MARK: The upstream

  /// Takes values in. Returns whether an action must be scheduled for them; nil after the end.
  @inlinable
  mutating func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Bool? {
    guard upstream.isSubscribed else { return nil }
    if batch.isSingle {
      load.values.append(batch[0])
    } else {
      load.values.append(contentsOf: batch)
    }
    return mustSchedule()
  }

  /// Takes the completion in. Returns whether an action must be scheduled for it.
  @usableFromInline
  mutating func receive(completion: Subscribers.Completion<Failure>) -> Bool {
    guard upstream.complete() else { return false }
    load.completion = completion
    return mustSchedule()
  }

  @inlinable
  mutating func mustSchedule() -> Bool {
    guard case .idle = phase else { return false }
    phase = .scheduled
    return true
  }

  // MARK: Actions

  /// Takes all signals out. Returns nil from within a delivery, after which another action is scheduled.
  @inlinable
  mutating func begin() -> Load? {
    guard case .scheduled = phase else { return nil }
    phase = .delivering
    return exchange(&load, with: (exchange(&spare, with: []), nil))
  }

  /// Ends with the completion. Returns the subscription, to be released.
  @usableFromInline
  mutating func complete() -> (any Subscription)? { upstream.end() }

  /// Notes that a load has been delivered, and keeps its memory for another. Returns whether an action must be
  /// scheduled for signals that have come since.
  @inlinable
  mutating func end(leaving room: inout [Input]) -> Bool {
    swap(&spare, &room)
    phase = .idle
    return load.values.isEmpty && load.completion == nil ? false : mustSchedule()
  }

  // MARK: The downstream

  /// Ends everything, unless the upstream has completed. Returns the subscription, to be cancelled, and what is not
  /// delivered, to be released.
  @usableFromInline
  mutating func cancel() -> (subscription: (any Subscription)?, dropped: Load)? {
    upstream.isSubscribed ? (upstream.end(), exchange(&load, with: ([], nil))) : nil
  }
}
