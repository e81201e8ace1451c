/// A publisher that sends one value, or fails, when a promise is kept.
///
/// The closure is called immediately, when the future is made. The promise may be kept at any time and from any
/// thread, once; later results are ignored. A value waits until a subscriber has requested something, a failure
/// does not. Subscribers that come after the promise was kept get its result. A request for no values traps.
///
///     let answer = Future<Int, Never> { promise in
///       ask { promise(.success($0)) }
///     }
///     let cancellable = answer.sink { print($0) }
public final class Future<Output, Failure: Error>: Publisher {
  /// A closure to call with the result when it is known.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private struct State {
    var result: Result<Output, Failure>?
    /// Numbered in the order in which they came. Each can be cancelled in constant time.
    var subscriptions: [ObjectIdentifier: (number: Int, subscription: FutureSubscription<Output, Failure>)] =
      [:]
    var subscriptionCount = 0
  }

  private let state = Lock(State())

  /// Makes a future and calls `attemptToFulfill` with its promise.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill(keepPromise)
  }

  private func keepPromise(_ result: Result<Output, Failure>) {
    BatchProgress.deliverGatheredIfAny()
    let waiting: [FutureSubscription<Output, Failure>] = state.withLock { state in
      guard state.result == nil else { return [] }
      state.result = result
      defer { state.subscriptions = [:] }
      return state.subscriptions.values.sorted { $0.number < $1.number }.map(\.subscription)
    }
    for subscription in waiting { subscription.resolve(result) }
  }

  /// Attaches `subscriber`, which gets the result once there is one.
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    BatchProgress.deliverGatheredIfAny()
    let subscription = FutureSubscription(parent: self, subscriber: subscriber)
    state.withLock { state in
      guard state.result == nil else { return }
      state.subscriptionCount += 1
      state.subscriptions[ObjectIdentifier(subscription)] = (state.subscriptionCount, subscription)
    }
    subscription.start(with: subscriber)
    if let result { subscription.resolve(result) }
  }

  /// The result, if the promise has been kept.
  fileprivate var result: Result<Output, Failure>? { state.withLock { $0.result } }

  fileprivate func remove(_ subscription: FutureSubscription<Output, Failure>) {
    state.withLock { _ = $0.subscriptions.removeValue(forKey: ObjectIdentifier(subscription)) }
  }
}

private final class FutureSubscription<Output, Failure: Error>: Subscription, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  private struct State {
    var parent: Future<Output, Failure>?
    var line: FutureSubscriptionState<any Subscriber<Output, Failure>>
  }

  private let state: Lock<State>
  private let serializer = Serializer()

  init(parent: Future<Output, Failure>, subscriber: any Subscriber<Output, Failure>) {
    state = Lock(State(parent: parent, line: FutureSubscriptionState(subscriber)))
  }

  /// Delivers the subscription in turn, so that a result from another thread comes after it.
  func start(with subscriber: any Subscriber<Output, Failure>) {
    serializer.run { [self] in subscriber.receive(subscription: self) }
  }

  func resolve(_ result: Result<Output, Failure>) {
    serializer.run { [self] in
      if serve(result) { forgetParent() }
    }
  }

  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    precondition(demand != .none, "request more than no values")
    let parent = state.withLock { $0.line.request() ? $0.parent : nil }
    guard let parent, let result = parent.result else { return }
    serializer.runNow { [self] in
      // Combine keeps the reference to the parent here.
      if serve(result) { parent.remove(self) }
    }
  }

  func cancel() {
    BatchProgress.deliverGatheredIfAny()
    if state.withLock({ $0.line.end() }) != nil { forgetParent() }
  }

  /// Sends the result if it is due, and returns whether it was. In turn.
  private func serve(_ result: Result<Output, Failure>) -> Bool {
    let isFailure = if case .failure = result { true } else { false }
    guard let subscriber = state.withLock({ $0.line.serve(isFailure: isFailure) }) else { return false }
    switch result {
    case .success(let output):
      _ = subscriber.receive(output)
      subscriber.receive(completion: .finished)
    case .failure(let error):
      subscriber.receive(completion: .failure(error))
    }
    return true
  }

  private func forgetParent() {
    state.withLock { $0.parent.take() }?.remove(self)
  }

  var description: String { "Future" }
  var customMirror: Mirror {
    let (parent, line) = state.withLock { ($0.parent, $0.line) }
    return Mirror(
      self,
      children: [
        "parent": parent as Any,
        "downstream": line.subscriber as Any,
        "hasAnyDemand": line.hasAnyDemand,
        "subject": parent as Any,
      ])
  }
  var playgroundDescription: Any { description }
}
