extension Publishers {
  /// A publisher that replaces its upstream's failure with a value and finishes.
  ///
  /// Made by ``Publisher/replaceError(with:)``, which describes it.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It cannot fail: a failure has become a value.
    public typealias Failure = Never

    /// The value to send in place of a failure.
    public let output: Upstream.Output
    /// The publisher from which this publisher receives values.
    public let upstream: Upstream

    /// Makes the publisher that `replaceError(with:)` returns.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream.subscribe(
        ReplaceErrorInner<Upstream.Output, Upstream.Failure>(
          downstream: Downstream(subscriber), output: output))
    }
  }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

@usableFromInline
final class ReplaceErrorInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "ReplaceError" }

  private let downstream: Downstream<Input, Never>
  private let output: Input
  private let state = Lock(Replacement())

  @usableFromInline
  init(downstream: Downstream<Input, Never>, output: Input) {
    self.downstream = downstream
    self.output = output
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.accept(subscription) }) else { return subscription.cancel() }
    downstream.receive(subscription: self)
    if state.withLock({ $0.endHandshake() }) { sendReplacement() }
  }

  /// Traps on values without demand, as Combine's does.
  @usableFromInline
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard let outer = state.withLock({ $0.beginDelivery(of: batch.count) }) else { return .refused() }
    let more = downstream.receive(contentsOf: batch)
    if state.withLock({ $0.endDelivery(within: outer, returned: more) }) { sendReplacement() }
    return more
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    var isFinished = false
    if case .finished = completion { isFinished = true }
    let (end, released) = state.withLock { $0.end(isReplaced: !isFinished) }
    withExtendedLifetime(released) {}
    switch end {
    case .ignored: break
    case .passedOn: downstream.receive(completion: .finished)
    case .replaced: sendReplacement()
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    let (subscription, isDue) = state.withLock { $0.request(demand) }
    if isDue { sendReplacement() }
    subscription?.request(demand)
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    state.withLock { $0.cancel() }?.cancel()
  }

  private func sendReplacement() {
    _ = downstream.receive(output)
    downstream.receive(completion: .finished)
  }
}

extension Publisher {
  /// Sends `output` in place of a failure, and finishes.
  ///
  /// The replacement waits until there is demand for it. Everything else passes through unchanged. The
  /// replacement is sent on the thread on which the failure arrives, or on the one that requests it later. As in Combine,
  /// a value without demand traps.
  ///
  ///     struct ParseError: Error {}
  ///     let cancellable = Fail<Int, ParseError>(error: ParseError()).replaceError(with: 0).sink { print($0) }
  ///     // 0
  @inlinable
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}
