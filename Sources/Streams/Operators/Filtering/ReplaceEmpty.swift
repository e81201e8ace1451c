extension Publishers {
  /// A publisher that sends a value of its own if its upstream finishes without any.
  ///
  /// Made by ``Publisher/replaceEmpty(with:)``, which describes it.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The value to send if there is no other.
    public let output: Upstream.Output
    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// Whether no more is requested than downstream requests, whatever downstream is. Combine requests all values, and
    /// passes on those without demand.
    @usableFromInline package var isStrict = false

    /// Makes the publisher that `replaceEmpty(with:)` returns.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        ReplaceEmptyInner(downstream: Downstream(subscriber), output: output, isStrict: isStrict))
    }
  }
}

extension Publishers.ReplaceEmpty: Strict {}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

@usableFromInline
final class ReplaceEmptyInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "ReplaceEmpty" }

  private let downstream: Downstream<Input, Failure>
  private let output: Input
  private let isStrict: Bool
  private let state = Lock((replacement: Replacement(), hasValue: false))

  @usableFromInline
  init(downstream: Downstream<Input, Failure>, output: Input, isStrict: Bool) {
    self.downstream = downstream
    self.output = output
    self.isStrict = isStrict
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard state.withLock({ $0.replacement.accept(subscription) }) else { return subscription.cancel() }
    downstream.receive(subscription: self)
    if state.withLock({ $0.replacement.endHandshake() }) { sendReplacement() }
    if !isStrict, !downstream.reliesOnRules { subscription.request(.unlimited) }
  }

  @usableFromInline
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    let isSubscribed = state.withLock { state in
      if state.replacement.isSubscribed { state.hasValue = true }
      return state.replacement.isSubscribed
    }
    return isSubscribed ? downstream.receive(contentsOf: batch) : .refused()
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    var isFinished = false
    if case .finished = completion { isFinished = true }
    let (end, released) = state.withLock { state in
      state.replacement.end(isReplaced: isFinished && !state.hasValue)
    }
    withExtendedLifetime(released) {}
    switch end {
    case .ignored: break
    case .passedOn: downstream.receive(completion: completion)
    case .replaced: sendReplacement()
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    let (subscription, isDue) = state.withLock { $0.replacement.request(demand) }
    if isDue { sendReplacement() }
    subscription?.request(demand)
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    state.withLock { $0.replacement.cancel() }?.cancel()
  }

  private func sendReplacement() {
    _ = downstream.receive(output)
    downstream.receive(completion: .finished)
  }
}

extension Publisher {
  /// Sends `output` if the upstream finishes without any value.
  ///
  /// The replacement waits until downstream has requested something. A failure passes through, with or without
  /// values. The replacement is sent on the thread on which the upstream finishes, or on the one that requests it
  /// later.
  ///
  /// The demand of other operators, and of `values`, passes through. For a subscriber at the end of the stream, an
  /// unlimited number of values is requested besides its demand, as in Combine, and values pass on without demand.
  ///
  ///     let cancellable = Empty<Int, Never>().replaceEmpty(with: 5).sink { print($0) }
  ///     // 5
  @inlinable
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}
