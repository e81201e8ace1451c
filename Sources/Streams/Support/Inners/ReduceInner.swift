import Synchronization

/// The inner subscriber of operators that turn all their upstream's values into at most one.
///
/// The subscription goes downstream first, then unlimited demand goes up. The result waits until the downstream has
/// requested something; a failure does not wait. Operators differ in their `step`, a closure made where the operator's
/// types are known. When it ends the reduction early, the upstream is cancelled before the downstream is notified.
@usableFromInline
class ReduceInner<Input, Output, UpstreamFailure: Error, Failure: Error>: BatchSubscriber, Subscription,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  /// Whether a reduction needs more values.
  @frozen
  @usableFromInline
  enum Progress { case more, done }

  /// Takes a value into the result. The result is passed by address because `step` may be entered again from
  /// inside the closures that it calls.
  @usableFromInline
  typealias Step = (UnsafeMutablePointer<Output?>, Input) throws(Failure) -> Progress

  @usableFromInline final let downstream: Downstream<Output, Failure>
  @usableFromInline final let result: Cell<Output?>
  /// True while there is a subscription.
  @usableFromInline final let isSubscribed = Atomic(false)
  @usableFromInline final let name: String
  @usableFromInline final let initial: Output?
  @usableFromInline final let step: Step
  @usableFromInline final let convert: (UpstreamFailure) -> Failure
  @usableFromInline final let state = Lock(ReduceState())

  @inlinable
  init(
    downstream: Downstream<Output, Failure>, name: String, initial: Output?,
    convert: @escaping (UpstreamFailure) -> Failure, step: @escaping Step
  ) {
    self.downstream = downstream
    self.name = name
    self.initial = initial
    self.convert = convert
    self.step = step
    result = Cell(initial)
  }

  // MARK: Subscriber

  @usableFromInline
  final func receive(subscription: any Subscription) {
    guard state.withLock({ $0.subscribe(subscription) }) else { return subscription.cancel() }
    isSubscribed.store(true, ordering: .relaxed)
    downstream.receive(subscription: self)
    if state.withLock({ $0.endHandshake() }) { sendResult() }
    subscription.request(.unlimited)
  }

  @inlinable
  final func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard isSubscribed.load(ordering: .relaxed) else { return .refused() }
    do throws(Failure) {
      if try step(result.address, batch[0]) == .done { finishEarly() }
    } catch {
      fail(error)
    }
    return .none
  }

  @usableFromInline
  final func receive(completion: Subscribers.Completion<UpstreamFailure>) {
    guard terminate() != nil else { return }
    switch completion {
    case .finished:
      if state.withLock({ $0.completeUpstream() }) { sendResult() }
    case .failure(let error):
      state.withLock { $0.complete() }
      downstream.receive(completion: .failure(convert(error)))
    }
  }

  // MARK: Ends

  @usableFromInline
  final func finishEarly() {
    guard let subscription = terminate() else {
      _ = Subscribers.Demand.refused()
      return
    }
    let isRequested = state.withLock { $0.completeUpstream() }
    subscription.cancel()
    if isRequested { sendResult() }
  }

  @usableFromInline
  final func fail(_ error: Failure) {
    guard let subscription = terminate() else { return }
    state.withLock { $0.complete() }
    subscription.cancel()
    downstream.receive(completion: .failure(error))
  }

  /// Takes the subscription. Values are ignored from here on.
  private final func terminate() -> (any Subscription)? {
    isSubscribed.store(false, ordering: .relaxed)
    return state.withLock { $0.terminate() }
  }

  private final func sendResult() {
    if let result = result.value { _ = downstream.receive(result) }
    downstream.receive(completion: .finished)
  }

  // MARK: Subscription

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    precondition(demand != .none, "request more than no values")
    if state.withLock({ $0.request() }) { sendResult() }
  }

  @usableFromInline
  final func cancel() {
    BatchProgress.noteAction()
    guard let subscription = terminate() else { return state.withLock { $0.drop() } }
    state.withLock { $0.complete() }
    subscription.cancel()
  }

  // MARK: Reflection

  @usableFromInline final var description: String { name }
  @usableFromInline var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "downstream": downstream.subscriber,
        "result": result.value as Any,
        "initial": initial as Any,
        "status": state.withLock { $0.status },
      ])
  }
  @usableFromInline final var playgroundDescription: Any { description }
}

/// The state of a reduction, apart from its values.
@usableFromInline
struct ReduceState {
  enum Status {
    case awaitingSubscription
    case subscribed(any Subscription)
    case terminal
  }

  private(set) var status = Status.awaitingSubscription
  private var isRequested = false
  private var hasUpstreamCompleted = false
  /// True once the downstream has received the end, is receiving it, or has cancelled.
  private var isComplete = false
  private var handshake = HandshakeThread.none

  @usableFromInline
  init() {}

  mutating func subscribe(_ subscription: any Subscription) -> Bool {
    guard case .awaitingSubscription = status else { return false }
    status = .subscribed(subscription)
    handshake = HandshakeThread()
    return true
  }

  /// Returns true if the result must be sent now: another thread has requested it during the handshake.
  mutating func endHandshake() -> Bool {
    handshake.end()
    guard isRequested, hasUpstreamCompleted, !isComplete else { return false }
    isComplete = true
    return true
  }

  mutating func terminate() -> (any Subscription)? {
    guard case .subscribed(let subscription) = status else { return nil }
    status = .terminal
    return subscription
  }

  mutating func complete() { isComplete = true }

  /// The downstream has cancelled after the upstream's end: a requested result that has not been sent is not sent. As
  /// in Combine, a result that was not requested is still sent if it is requested later.
  mutating func drop() { if isRequested { isComplete = true } }

  /// Returns true if the result must be sent now.
  mutating func completeUpstream() -> Bool {
    hasUpstreamCompleted = true
    if isRequested { isComplete = true }
    return isRequested
  }

  /// Returns true if the result must be sent now.
  mutating func request() -> Bool {
    guard !isComplete else { return false }
    isRequested = true
    guard hasUpstreamCompleted, !handshake.isElsewhere else { return false }
    isComplete = true
    return true
  }
}
