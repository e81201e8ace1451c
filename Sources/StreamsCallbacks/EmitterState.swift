import Streams

/// The state of an emitter's stream: the demand, the values that wait, and what to ask the source for.
@usableFromInline
struct EmitterState<Output, Failure: Error> {
  @usableFromInline
  enum Phase {
    /// The subscriber has no subscription yet, or is just receiving it. The end may be known already.
    case opening(Subscribers.Completion<Failure>?)
    case active
    /// The end has been accepted and follows the waiting values.
    case completing(Subscribers.Completion<Failure>)
    case ended
    case closed
  }

  @usableFromInline var phase = Phase.opening(nil)
  @usableFromInline var demand = Subscribers.Demand.none
  /// Values that were accepted but could not be delivered immediately.
  @usableFromInline var waiting: [Output] = []
  /// How many deliveries have met a part of the stream that had ended, or were under way when it was cancelled, and how many
  /// values were kept then.
  @usableFromInline var refusals: UInt64 = 0
  @usableFromInline var isProducing = false
  /// Whether demand was added, or the source woke, since the source was last asked.
  @usableFromInline var isDue = false

  @inlinable
  init() {}

  /// Whether the source can no longer send anything.
  @inlinable
  var hasEnded: Bool {
    switch phase {
    case .opening(nil), .active: false
    case .opening, .completing, .ended, .closed: true
    }
  }

  // MARK: Values

  @usableFromInline
  enum Grant: Equatable {
    /// That many values may be delivered now.
    case granted(Int)
    /// Waiting values come first.
    case behind
    case noDemand
    case terminated
  }

  /// Accepts values for the thread in the serializer.
  @inlinable
  mutating func take(_ count: Int) -> Grant {
    guard !hasEnded else { return .terminated }
    guard waiting.isEmpty else { return .behind }
    guard demand != .none else { return .noDemand }
    return .granted(spend(count))
  }

  /// Accepts values that must wait. Grants fewer than all if the demand is used up.
  @inlinable
  mutating func keep(_ values: UnsafeBufferPointer<Output>) -> Grant {
    guard !hasEnded else { return .terminated }
    guard demand != .none else { return .noDemand }
    let count = spend(values.count)
    waiting += values.prefix(count)
    return .granted(count)
  }

  @inlinable
  mutating func spend(_ count: Int) -> Int {
    let spent = min(demand.max ?? count, count)
    demand -= spent
    return spent
  }

  @usableFromInline
  enum Step {
    case values([Output])
    case completion(Subscribers.Completion<Failure>)
    case nothing
  }

  /// The next step of the thread in the serializer, once the subscriber has its subscription.
  @inlinable
  mutating func next() -> Step {
    switch phase {
    case .opening, .ended, .closed: return .nothing
    case .active where waiting.isEmpty: return .nothing
    case .completing(let completion) where waiting.isEmpty:
      phase = .ended
      return .completion(completion)
    case .active, .completing:
      return .values(exchange(&waiting, with: []))
    }
  }

  // MARK: The end

  /// Accepts the end. Returns false if the stream has ended already.
  @inlinable
  mutating func complete(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard !hasEnded else { return false }
    if case .opening = phase { phase = .opening(completion) } else { phase = .completing(completion) }
    return true
  }

  /// The subscriber has its subscription.
  @inlinable
  mutating func open() {
    guard case .opening(let completion) = phase else { return }
    phase = completion.map(Phase.completing) ?? .active
  }

  /// Returns what the caller must release outside the lock.
  @inlinable
  mutating func cancel() -> (Phase, [Output]) {
    if case .closed = phase { return (.closed, []) }
    refusals += UInt64(waiting.count)
    return (exchange(&phase, with: .ended), exchange(&waiting, with: []))
  }

  /// Returns true to the one caller that must close the source.
  @inlinable
  mutating func beginClosing() -> Bool {
    guard case .ended = phase, !isProducing else { return false }
    phase = .closed
    return true
  }

  // MARK: Asking the source

  @inlinable
  mutating func add(_ more: Subscribers.Demand) {
    guard more != .none, !hasEnded else { return }
    demand += more
    isDue = true
  }

  /// Returns false if the stream has ended.
  @inlinable
  mutating func wake() -> Bool {
    isDue = true
    return !hasEnded
  }

  @inlinable
  mutating func beginProducing() -> Subscribers.Demand? {
    isProducing ? nil : continueProducing()
  }

  /// The demand to ask the source for now, if any.
  @inlinable
  mutating func continueProducing() -> Subscribers.Demand? {
    isProducing = false
    guard case .active = phase, isDue, demand != .none else { return nil }
    isProducing = true
    isDue = false
    return demand
  }
}
