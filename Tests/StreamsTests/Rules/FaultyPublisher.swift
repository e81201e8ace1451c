import Streams

/// What can be wrong with an operator.
enum Fault {
  case nothing
  // Demand
  case asksForEverything, losesRequests, losesReturnedDemand, limitsDemand, losesEarlyRequests
  case losesNestedRequests, nests, requestsAnyway, owesToRequests, asksOnce, asksInTwoSteps
  // Order
  case greetsTwice, favorsOne, neverFinishes, hidesFailures, completesTwice, passesEverything
  case completionWaits, ignoresNestedEnds, passesEndsInLastValue, takesEachSubscription, dropsBatches,
    runsAhead
  // Cancellation and lifetimes
  case ignoresCancel, completesOnCancel, cancelsEachTime, keepsUpstream, keepsSubscribers, holdsALock,
    hidesRefusals, answersAtOnce, ignoresEndsInRelease
}

/// An operator that passes on what it gets, with a fault.
final class FaultyPublisher: Publisher {
  typealias Output = Value
  typealias Failure = TestFailure

  private let upstream: AnyPublisher<Value, TestFailure>
  private let fault: Fault
  private let subscribers = Lock<[FaultyInner]>([])

  init(_ upstream: AnyPublisher<Value, TestFailure>, _ fault: Fault) {
    self.upstream = upstream
    self.fault = fault
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == TestFailure {
    let isFirst = subscribers.withLock { $0.isEmpty }
    let inner = FaultyInner(subscriber, fault, isDeaf: fault == .favorsOne && !isFirst)
    if fault == .keepsSubscribers || fault == .favorsOne { subscribers.withLock { $0.append(inner) } }
    upstream.subscribe(inner)
  }
}

final class FaultyInner: Subscriber, Subscription, ReliesOnRules {
  struct State {
    /// Set once, and by most operators kept only as long as it is open.
    var upstream: (any Subscription)?
    var isOpen = true
    var hasSubscription = false
    var isDelivering = false
    var isReplacing = false
    /// For an operator that finishes after three values.
    var valueCount = 0
    /// For an operator that keeps the last value.
    var last: Value?
    var requestCount = 0
    var hasAnsweredCancel = false
    var heldCompletion: Subscribers.Completion<TestFailure>?
    /// For an operator that takes everything and sends on request.
    var queue: [Value] = []
    var demand = Subscribers.Demand.none

    /// Ends the stream. Returns the subscription if it has not ended before.
    mutating func end(keepingUpstream isKept: Bool) -> (any Subscription)? {
      guard isOpen else { return nil }
      isOpen = false
      return isKept ? upstream : upstream.take()
    }
  }

  private let downstream: any Subscriber<Value, TestFailure>
  private let fault: Fault
  /// Whether values come to nothing.
  private let isDeaf: Bool
  private let state = Lock(State())
  /// For an operator that holds it while it delivers. It guards a byte, because ThreadSanitizer takes an access to
  /// nothing for one to the object that comes next in memory.
  private let deliveryLock = Lock(false)
  private var isOpen: Bool { state.withLock { $0.isOpen } }

  init(_ downstream: any Subscriber<Value, TestFailure>, _ fault: Fault, isDeaf: Bool) {
    self.downstream = downstream
    self.fault = fault
    self.isDeaf = isDeaf
  }

  // MARK: The upstream

  func receive(subscription: any Subscription) {
    let isTaken = state.withLock { state in
      guard state.upstream == nil, state.isOpen else { return fault == .takesEachSubscription }
      state.upstream = subscription
      return true
    }
    guard isTaken else { return subscription.cancel() }
    downstream.receive(subscription: self)
    if fault == .greetsTwice { downstream.receive(subscription: self) }
    state.withLock { $0.hasSubscription = true }
    if fault == .asksInTwoSteps { subscription.request(.max(1)) }
    if [.asksForEverything, .asksInTwoSteps, .nests].contains(fault) { subscription.request(.unlimited) }
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    guard isOpen || fault == .passesEverything else { return fault == .hidesRefusals ? .none : .refused() }
    if isDeaf { return .max(1) }
    if fault == .nests {
      state.withLock { $0.queue.append(input) }
      sendQueue()
      return .none
    }
    if fault == .ignoresEndsInRelease { replaceLast(with: input) }
    let outer = state.withLock { state in
      defer { state.isDelivering = true }
      return state.isDelivering
    }
    defer { state.withLock { $0.isDelivering = outer } }
    let more =
      fault == .holdsALock
      ? deliveryLock.withLock { _ in downstream.receive(input) } : downstream.receive(input)
    if fault == .passesEndsInLastValue, isThirdValue() { end(.finished) }
    return fault == .losesReturnedDemand ? .none : more
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard fault == .dropsBatches || fault == .runsAhead else {
      return batch.inStep(while: { isOpen }) { receive(batch[$0]) }
    }
    var demand = Subscribers.Demand.none
    for value in batch.prefix(fault == .dropsBatches ? 1 : batch.count) where isOpen {
      demand += receive(value)
    }
    return demand
  }

  private func isThirdValue() -> Bool {
    state.withLock { state in
      state.valueCount += 1
      return state.valueCount == 3
    }
  }

  private func replaceLast(with input: Value) {
    state.withLock { $0.isReplacing = true }
    _ = state.withLock { state in
      defer { state.last = input }
      return state.last
    }
    state.withLock { $0.isReplacing = false }
  }

  /// Calls itself by way of the downstream's request.
  private func sendQueue() {
    let next: Value? = state.withLock { state in
      guard state.demand != .none, !state.queue.isEmpty else { return nil }
      state.demand -= 1
      return state.queue.removeFirst()
    }
    guard let next else { return }
    request(downstream.receive(next))
  }

  func receive(completion: Subscribers.Completion<TestFailure>) {
    switch (fault, completion) {
    case (.neverFinishes, .finished): return
    case (.ignoresNestedEnds, _) where state.withLock({ $0.isDelivering }): return
    case (.ignoresEndsInRelease, _) where state.withLock({ $0.isReplacing }): return
    case (.completionWaits, _) where state.withLock({ $0.requestCount == 0 }), (.owesToRequests, _):
      state.withLock { $0.heldCompletion = completion }
    default: end(completion)
    }
  }

  private func end(_ completion: Subscribers.Completion<TestFailure>) {
    let isFirst = isOpen
    let ended = state.withLock {
      $0.end(keepingUpstream: fault == .keepsUpstream || fault == .requestsAnyway)
    }
    guard isFirst || fault == .passesEverything else { return }
    downstream.receive(completion: fault == .hidesFailures ? .finished : completion)
    if fault == .completesTwice { downstream.receive(completion: completion) }
    withExtendedLifetime(ended) {}
  }

  // MARK: The downstream

  func request(_ demand: Subscribers.Demand) {
    guard demand != .none else { return }
    if fault == .answersAtOnce { _ = downstream.receive(0) }
    if fault == .holdsALock { deliveryLock.withLock { _ in } }
    let (upstream, held) = state.withLock { state in
      state.requestCount += 1
      state.demand += demand
      return (isLost(demand, state) ? nil : state.upstream, state.heldCompletion.take())
    }
    if let held {
      if fault == .owesToRequests { _ = downstream.receive(0) }
      end(held)
    }
    if fault == .nests {
      sendQueue()
    } else {
      upstream?.request(fault == .limitsDemand && demand == .unlimited ? .max(7) : demand)
    }
  }

  private func isLost(_ demand: Subscribers.Demand, _ state: State) -> Bool {
    switch fault {
    case .losesRequests: state.requestCount % 2 == 0
    case .losesEarlyRequests: !state.hasSubscription
    case .losesNestedRequests: state.isDelivering
    case .asksOnce: state.requestCount > 1
    case .asksInTwoSteps: true
    default: false
    }
  }

  func cancel() {
    BatchProgress.noteAction()
    switch fault {
    case .ignoresCancel: return
    case .cancelsEachTime: return state.withLock({ $0.upstream })?.cancel() ?? ()
    case .completesOnCancel:
      let hasAnswered = state.withLock { state in
        defer { state.hasAnsweredCancel = true }
        return state.hasAnsweredCancel
      }
      if !hasAnswered { downstream.receive(completion: .finished) }
    default: break
    }
    let isKept = fault == .keepsUpstream || fault == .requestsAnyway
    state.withLock { $0.end(keepingUpstream: isKept) }?.cancel()
  }
}
