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
  @usableFromInline let state = Lock(Succession.awaitingFirst)

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
    if state.withLock({ $0.acceptFirst(subscription) }) {
      downstream.receive(subscription: self)
    } else {
      subscription.cancel()
    }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: one($0)) }
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
      if state.withLock({ $0.endFirst() }) != nil { downstream.receive(completion: .finished) }
    case .failure(let error):
      if state.withLock(moveOn) != nil { replace(error, self) }
    }
  }

  private func moveOn(_ state: inout Succession) -> (any Subscription)? {
    if case .ended = state { return nil }
    let ended = state.moveOn()
    precondition(ended != nil, "a publisher failed without a subscription, or a second time")
    return ended
  }

  // MARK: The replacement

  /// Ends the stream when there is no replacement.
  @usableFromInline
  func fail(_ error: OutputFailure) {
    _ = state.withLock { $0.end() }
    downstream.receive(completion: .failure(error))
  }

  @usableFromInline
  func receiveReplacement(_ subscription: any Subscription) {
    let (isAccepted, missing) = state.withLock { state in
      (state.acceptSecond(subscription), demand.current)
    }
    if !isAccepted {
      subscription.cancel()
    } else if missing != .none {
      subscription.request(missing)
    }
  }

  @usableFromInline
  func completeReplacement(_ completion: Subscribers.Completion<OutputFailure>) {
    if state.withLock({ $0.endSecond() }) != nil { downstream.receive(completion: completion) }
  }

  // MARK: The downstream

  @usableFromInline
  func request(_ more: Subscribers.Demand) {
    precondition(more != .none, "request more than no values")
    let subscription: (any Subscription)? = state.withLock { state in
      switch state {
      case .first, .awaitingSecond: demand.add(more)
      case .awaitingFirst, .second, .ended: break
      }
      return state.subscription
    }
    subscription?.request(more)
  }

  @usableFromInline
  func cancel() {
    let subscription: (any Subscription)? = state.withLock { state in
      // As in Combine, cancelling between the two publishers does nothing.
      if case .awaitingSecond = state { return nil }
      if case .awaitingFirst = state { return nil }
      return state.end()
    }
    subscription?.cancel()
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
