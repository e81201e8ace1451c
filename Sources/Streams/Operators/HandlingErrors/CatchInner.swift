import Synchronization

/// The subscriber to the upstream of a catch or tryCatch, and the subscription of both publishers.
@usableFromInline
final class CatchInner<Input, Failure: Error, OutputFailure: Error>: SuccessionCore, BatchSubscriber,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline let description: String
  @usableFromInline let downstream: Downstream<Input, OutputFailure>
  /// Subscribes to the publisher that replaces the upstream after this failure, for the operator given last.
  @usableFromInline let replace: (Failure, CatchInner, SuccessionCore) -> Void
  /// Whether the upstream has failed: anything it still sends is dropped.
  @usableFromInline let isOver = Atomic(false)
  /// Whether the downstream has cancelled while the replacement was being subscribed to.
  @usableFromInline let isAbandoned = Atomic(false)

  /// Whether a cancellation while the replacement is being subscribed to waits for a value of that.
  private let lingers: Bool

  @usableFromInline
  init(
    name: String, downstream: Downstream<Input, OutputFailure>, lingers: Bool = true,
    replace: @escaping (Failure, CatchInner, SuccessionCore) -> Void
  ) {
    description = name
    self.downstream = downstream
    self.lingers = lingers
    self.replace = replace
  }

  // MARK: The upstream

  @usableFromInline
  func receive(subscription: any Subscription) {
    if state.withLock({ $0.acceptFirst(subscription) }) {
      handshake { downstream.receive(subscription: self) }
    } else {
      subscription.cancel()
    }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    if isOver.load(ordering: .relaxed) { return .refused() }
    precondition(demand.take(upTo: batch.count) == batch.count, "a value came without demand for it")
    let more = frames.delivering(from: self) { downstream.receive(contentsOf: batch) }
    demand.add(more)
    return more
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished:
      if state.withLock({ $0.endFirst() }) != nil { downstream.receive(completion: .finished) }
    case .failure(let error):
      guard state.withLock(moveOn) != nil else { return }
      isOver.store(true, ordering: .relaxed)
      goOn(before: downstream.subscriber) { [self] host in replace(error, self, host) }
    }
  }

  private func moveOn(_ state: inout Succession) -> (any Subscription)? {
    if case .ended = state.phase { return nil }
    let ended = state.moveOn()
    precondition(ended != nil, "a publisher failed without a subscription, or a second time")
    return ended
  }

  // MARK: The replacement

  /// The subscriber to the replacement, if another operator takes over.
  @usableFromInline
  func successor(in host: SuccessionCore) -> (any Subscriber<Input, OutputFailure> & AnyObject)? {
    host === self ? nil : downstream.subscriber
  }

  /// Ends with the error that the handler has thrown.
  @usableFromInline
  func fail(_ error: OutputFailure, in host: SuccessionCore) {
    guard host.choose() else { return }
    if let successor = successor(in: host) {
      return Fail<Input, OutputFailure>(error: error).subscribe(successor)
    }
    // As in Combine, the upstream's values pass after that.
    isOver.store(false, ordering: .relaxed)
    _ = state.withLock { $0.end() }
    downstream.receive(completion: .failure(error))
  }

  @inlinable @inline(__always)
  func deliverReplacement(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    frames.delivering(from: self) { downstream.receive(contentsOf: batch) }
  }

  @usableFromInline
  func completeReplacement(_ completion: Subscribers.Completion<OutputFailure>) {
    completeSecond { [downstream] in downstream.receive(completion: completion) }
  }

  // MARK: The downstream

  @usableFromInline
  override func request(_ more: Subscribers.Demand) {
    precondition(more != .none, "request more than no values")
    super.request(more)
  }

  /// As in Combine, a cancellation while the replacement is being subscribed to still lets values be requested from it,
  /// and its completion pass. Its first value cancels it.
  @usableFromInline
  override func cancel() {
    BatchProgress.noteAction()
    let isAbandoned = state.withLock { state in
      let isAbandoned = lingers && state.isAwaitingSecondHere
      if isAbandoned { self.isAbandoned.store(true, ordering: .relaxed) }
      return isAbandoned
    }
    if !isAbandoned { super.cancel() }
  }

  @usableFromInline
  func leaveReplacement() { super.cancel() }

  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["downstream": downstream.subscriber, "demand": demand.current])
  }
  @usableFromInline var playgroundDescription: Any { description }
}

/// Subscribes to the publisher that replaces the upstream. From outside it looks like the same subscriber.
@usableFromInline
final class CatchReplacement<Input, UpstreamFailure: Error, Failure: Error, OutputFailure: Error>:
  BatchSubscriber, Successor, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
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

  @usableFromInline var succession: SuccessionCore { parent }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receiveSecond(subscription) }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    if parent.isAbandoned.load(ordering: .relaxed) {
      parent.leaveReplacement()
      return .none
    }
    return parent.frames.run(batch, parent, { $0.deliverReplacement($1) }, from: { $0 })
  }

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
