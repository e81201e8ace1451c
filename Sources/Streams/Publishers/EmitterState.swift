/// What an emitter knows about its subscription: demand, whether the source is at work, and whether it has ended.
@usableFromInline
struct EmitterState<Failure: Error> {
  @usableFromInline
  enum Phase {
    /// The subscriber does not have its subscription yet; an end that comes now waits.
    case opening(pending: Subscribers.Completion<Failure>?)
    case active
    /// A completion is on its way; nothing may be sent after it.
    case completed
    /// The subscriber wants nothing more.
    case cancelled
  }

  @usableFromInline var phase = Phase.opening(pending: nil)
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var isProducing = false
  /// There has been new demand, or a wake, since the source was asked last.
  @usableFromInline var isDue = false
  @usableFromInline var isClosed = false
  /// Sends that have taken their demand and are on their way to the subscriber.
  @usableFromInline var sendsUnderWay = 0
  /// A completion that waits for those.
  @usableFromInline var held: Subscribers.Completion<Failure>?

  @inlinable
  init() {}

  @inlinable
  var hasEnded: Bool {
    switch phase {
    case .opening(let pending): pending != nil
    case .active: false
    case .completed, .cancelled: true
    }
  }

  /// Whether values may be sent.
  @inlinable
  var isOpen: Bool { !hasEnded }

  /// The subscriber has its subscription. Returns the completion that has been waiting, if any.
  @inlinable
  mutating func open() -> Subscribers.Completion<Failure>? {
    guard case .opening(let pending) = phase else { return nil }
    phase = pending == nil ? .active : .completed
    return pending
  }

  @inlinable
  mutating func add(_ more: Subscribers.Demand) {
    guard more != .none, !hasEnded else { return }
    demand += more
    isDue = true
  }

  /// Marks the source as having something. Returns false if nobody wants it any more.
  @inlinable
  mutating func wake() -> Bool {
    isDue = true
    return !hasEnded
  }

  @usableFromInline
  enum Grant: Equatable {
    case granted(Int)
    case noDemand
    case terminated
  }

  /// Takes demand for at most `count` values.
  @inlinable
  mutating func take(_ count: Int) -> Grant {
    guard !hasEnded else { return .terminated }
    guard demand != .none else { return .noDemand }
    let taken = min(demand.max ?? count, count)
    demand -= taken
    sendsUnderWay += 1
    return .granted(taken)
  }

  /// A send has been delivered or is in its turn. Returns the completion that has waited for it, if any.
  @inlinable
  mutating func endSend() -> Subscribers.Completion<Failure>? {
    sendsUnderWay -= 1
    return sendsUnderWay == 0 ? held.take() : nil
  }

  @usableFromInline
  enum Ending {
    /// To be sent now.
    case send
    /// Kept until the subscriber has its subscription, and what was sent before.
    case wait
    case terminated
  }

  @inlinable
  mutating func complete(_ completion: Subscribers.Completion<Failure>) -> Ending {
    guard !hasEnded else { return .terminated }
    if case .opening = phase {
      phase = .opening(pending: completion)
      return .wait
    }
    phase = .completed
    guard sendsUnderWay == 0 else {
      held = completion
      return .wait
    }
    return .send
  }

  @inlinable
  mutating func cancel() { phase = .cancelled }

  /// How much the source is to be asked for now; nil if it is at work, has nothing to do, or nobody wants it.
  @inlinable
  mutating func beginProducing() -> Subscribers.Demand? {
    guard !isProducing else { return nil }
    return continueProducing()
  }

  /// The same for the thread that has just asked, which is at rest after nil.
  @inlinable
  mutating func continueProducing() -> Subscribers.Demand? {
    guard case .active = phase, isDue, demand != .none else {
      isProducing = false
      return nil
    }
    isProducing = true
    isDue = false
    return demand
  }

  /// True once, when the subscription has ended and the source is at rest.
  @inlinable
  mutating func beginClosing() -> Bool {
    guard hasEnded, !isProducing, !isClosed, held == nil else { return false }
    if case .opening = phase { return false }
    isClosed = true
    return true
  }
}
