/// A publisher that sends one value, or fails, when a promise is kept.
///
/// The closure is called at once, when the future is made. The promise may be kept at any time and from any thread,
/// once; what comes later is ignored. A value waits until a subscriber has requested something, a failure does not.
/// Subscribers that come after the promise was kept get its result. A request for no values traps.
///
///     let answer = Future<Int, Never> { promise in
///       ask { promise(.success($0)) }
///     }
///     let ticket = answer.sink { print($0) }
public final class Future<Output, Failure: Error>: Publisher {
  /// A closure to call with the result when it is known.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private struct State {
    var result: Result<Output, Failure>?
    var subscriptions: [FutureSubscription<Output, Failure>] = []
  }

  private let state = Lock(State())

  /// Makes a future and calls `attemptToFulfill` with its promise.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill(keepPromise)
  }

  private func keepPromise(_ result: Result<Output, Failure>) {
    let waiting: [FutureSubscription<Output, Failure>] = state.withLock { state in
      guard state.result == nil else { return [] }
      state.result = result
      defer { state.subscriptions = [] }
      return state.subscriptions
    }
    for subscription in waiting { subscription.resolve(result) }
  }

  /// Attaches `subscriber`, which gets the result once there is one.
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    let subscription = FutureSubscription(parent: self, subscriber: subscriber)
    state.withLock { state in
      if state.result == nil { state.subscriptions.append(subscription) }
    }
    subscriber.receive(subscription: subscription)
    subscription.endGreeting()
    if let result { subscription.resolve(result) }
  }

  /// The result, if the promise has been kept.
  fileprivate var result: Result<Output, Failure>? { state.withLock { $0.result } }

  fileprivate func remove(_ subscription: FutureSubscription<Output, Failure>) {
    state.withLock { state in state.subscriptions.removeAll { $0 === subscription } }
  }
}

private final class FutureSubscription<Output, Failure: Error>: Subscription, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  private struct State {
    var parent: Future<Output, Failure>?
    /// Nil once the subscriber has been served or has cancelled.
    var subscriber: (any Subscriber<Output, Failure>)?
    var hasAnyDemand = false
    /// The thread that is giving the subscriber its subscription, 0 afterwards.
    var greetingThread = Gate.currentThread

    /// Whether the calling thread may send a signal: no other may while the subscription is being given.
    var maySend: Bool { greetingThread == 0 || greetingThread == Gate.currentThread }

    mutating func end() -> (any Subscriber<Output, Failure>)? {
      hasAnyDemand = false
      return subscriber.take()
    }
  }

  private let state: Lock<State>

  init(parent: Future<Output, Failure>, subscriber: any Subscriber<Output, Failure>) {
    state = Lock(State(parent: parent, subscriber: subscriber))
  }

  /// The subscriber has its subscription: from now on any thread may send the result.
  func endGreeting() { state.withLock { $0.greetingThread = 0 } }

  /// Sends the result, unless it is a value for which there is no demand yet.
  func resolve(_ result: Result<Output, Failure>) {
    if serve(result) { forgetParent() }
  }

  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    let parent: Future<Output, Failure>? = state.withLock { state in
      guard state.subscriber != nil else { return nil }
      state.hasAnyDemand = true
      return state.parent
    }
    guard let parent, let result = parent.result else { return }
    if serve(result) { parent.remove(self) }
  }

  func cancel() {
    let subscriber = state.withLock { $0.end() }
    guard subscriber != nil else { return }
    forgetParent()
  }

  private func serve(_ result: Result<Output, Failure>) -> Bool {
    let subscriber: (any Subscriber<Output, Failure>)? = state.withLock { state in
      guard state.maySend else { return nil }
      if case .success = result, !state.hasAnyDemand { return nil }
      return state.end()
    }
    guard let subscriber else { return false }
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
    let (parent, subscriber, hasAnyDemand) = state.withLock { ($0.parent, $0.subscriber, $0.hasAnyDemand) }
    return Mirror(
      self,
      children: [
        "parent": parent as Any,
        "downstream": subscriber as Any,
        "hasAnyDemand": hasAnyDemand,
        "subject": parent as Any,
      ])
  }
  var playgroundDescription: Any { description }
}
