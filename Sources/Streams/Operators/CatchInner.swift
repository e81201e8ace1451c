/// Where a catch is: with its upstream, or with the publisher that replaces it after a failure.
@usableFromInline
enum CatchState {
  case awaitingUpstream
  case upstream(any Subscription)
  case awaitingReplacement
  case replacement(any Subscription)
  case ended

  /// Whether the upstream's subscription is to be kept.
  @usableFromInline
  mutating func acceptUpstream(_ subscription: any Subscription) -> Bool {
    guard case .awaitingUpstream = self else { return false }
    self = .upstream(subscription)
    return true
  }

  /// Whether the replacement's subscription is to be kept.
  @usableFromInline
  mutating func acceptReplacement(_ subscription: any Subscription) -> Bool {
    guard case .awaitingReplacement = self else { return false }
    self = .replacement(subscription)
    return true
  }

  /// Whether the upstream's finish is to be passed on.
  @usableFromInline
  mutating func finishUpstream() -> Bool {
    guard case .upstream = self else { return false }
    self = .ended
    return true
  }

  /// Whether the upstream's failure is to be handled.
  @usableFromInline
  mutating func failUpstream() -> Bool {
    switch self {
    case .upstream:
      self = .awaitingReplacement
      return true
    case .ended:
      return false
    default:
      preconditionFailure("a publisher failed without a subscription, or a second time")
    }
  }

  /// Whether the replacement's completion is to be passed on.
  @usableFromInline
  mutating func completeReplacement() -> Bool {
    guard case .replacement = self else { return false }
    self = .ended
    return true
  }

  /// The subscription to cancel. As in Combine, cancelling between the two publishers does nothing.
  @usableFromInline
  mutating func cancel() -> (any Subscription)? {
    switch self {
    case .upstream(let subscription), .replacement(let subscription):
      self = .ended
      return subscription
    default:
      return nil
    }
  }
}

/// The subscriber to the upstream of a catch or tryCatch, and the subscription of both publishers.
@usableFromInline
final class CatchInner<Input, Failure: Error, OutputFailure: Error>: Subscriber, Subscription,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline let description: String
  @usableFromInline let downstream: Downstream<Input, OutputFailure>
  /// Subscribes to the publisher that replaces the upstream after this failure.
  @usableFromInline let replace: (Failure, CatchInner) -> Void
  /// What was requested and has not come; the replacement is asked for it.
  @usableFromInline let demand = DemandCounter()
  @usableFromInline let state = Lock(CatchState.awaitingUpstream)

  @inlinable
  init(
    name: String, downstream: Downstream<Input, OutputFailure>,
    replace: @escaping (Failure, CatchInner) -> Void
  ) {
    description = name
    self.downstream = downstream
    self.replace = replace
  }

  // MARK: The upstream

  @usableFromInline
  func receive(subscription: any Subscription) {
    if state.withLock({ $0.acceptUpstream(subscription) }) {
      downstream.receive(subscription: self)
    } else {
      subscription.cancel()
    }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    precondition(demand.take(upTo: batch.count) == batch.count, "a value came without demand for it")
    let more = downstream.deliver(batch)
    demand.add(more)
    return more
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished:
      if state.withLock({ $0.finishUpstream() }) { downstream.receive(completion: .finished) }
    case .failure(let error):
      if state.withLock({ $0.failUpstream() }) { replace(error, self) }
    }
  }

  // MARK: The replacement

  /// Ends the stream when there is no replacement.
  @usableFromInline
  func fail(_ error: OutputFailure) {
    state.withLock { $0 = .ended }
    downstream.receive(completion: .failure(error))
  }

  @usableFromInline
  func receiveReplacement(_ subscription: any Subscription) {
    let (isAccepted, missing) = state.withLock { state in
      (state.acceptReplacement(subscription), demand.current)
    }
    if !isAccepted {
      subscription.cancel()
    } else if missing != .none {
      subscription.request(missing)
    }
  }

  @usableFromInline
  func completeReplacement(_ completion: Subscribers.Completion<OutputFailure>) {
    if state.withLock({ $0.completeReplacement() }) { downstream.receive(completion: completion) }
  }

  // MARK: The downstream

  @usableFromInline
  func request(_ more: Subscribers.Demand) {
    precondition(more != .none, "request more than no values")
    let subscription: (any Subscription)? = state.withLock { state in
      switch state {
      case .upstream(let subscription):
        demand.add(more)
        return subscription
      case .awaitingReplacement:
        demand.add(more)
        return nil
      case .replacement(let subscription):
        return subscription
      case .awaitingUpstream, .ended:
        return nil
      }
    }
    subscription?.request(more)
  }

  @usableFromInline
  func cancel() {
    state.withLock { $0.cancel() }?.cancel()
  }

  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["downstream": downstream.subscriber, "demand": demand.current])
  }
  @usableFromInline var playgroundDescription: Any { description }
}

/// Subscribes to the publisher that replaces the upstream. To the outside it is the same subscriber.
@usableFromInline
final class CatchReplacement<Input, UpstreamFailure: Error, Failure: Error, OutputFailure: Error>: Subscriber,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline let parent: CatchInner<Input, UpstreamFailure, OutputFailure>
  @usableFromInline let convert: (Failure) -> OutputFailure

  @inlinable
  init(
    _ parent: CatchInner<Input, UpstreamFailure, OutputFailure>, convert: @escaping (Failure) -> OutputFailure
  ) {
    self.parent = parent
    self.convert = convert
  }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receiveReplacement(subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { parent.downstream.receive(input) }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    parent.downstream.deliver(batch)
  }

  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand { parent.downstream.deliver }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: parent.completeReplacement(.finished)
    case .failure(let error): parent.completeReplacement(.failure(convert(error)))
    }
  }

  @usableFromInline var combineIdentifier: CombineIdentifier { parent.combineIdentifier }
  @usableFromInline var description: String { parent.description }
  @usableFromInline var customMirror: Mirror { parent.customMirror }
  @usableFromInline var playgroundDescription: Any { parent.description }
}
