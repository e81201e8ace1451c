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

    /// Makes the publisher that `replaceEmpty(with:)` returns.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(ReplaceEmptyInner(downstream: Downstream(subscriber), output: output))
    }
  }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

/// What has happened to a `ReplaceEmpty`.
private struct ReplaceEmptyState {
  enum Phase {
    case awaiting
    case subscribed(any Subscription)
    /// The upstream finished without a value, and nothing has been requested yet.
    case owing
    case ended
  }

  var phase = Phase.awaiting
  var hasValue = false
  var isRequested = false

  enum End {
    case ignored
    case owed
    case replaced
    case passed
  }

  mutating func end(isFinished: Bool) -> End {
    guard case .subscribed = phase else { return .ignored }
    phase = .ended
    if hasValue || !isFinished { return .passed }
    if isRequested { return .replaced }
    phase = .owing
    return .owed
  }

  /// Returns the subscription to pass a request on to, and whether the replacement is due.
  mutating func request() -> (subscription: (any Subscription)?, isDue: Bool) {
    isRequested = true
    switch phase {
    case .subscribed(let subscription): return (subscription, false)
    case .owing:
      phase = .ended
      return (nil, true)
    case .awaiting, .ended: return (nil, false)
    }
  }

  mutating func cancel() -> (any Subscription)? {
    switch phase {
    case .subscribed(let subscription):
      phase = .ended
      return subscription
    case .owing:
      phase = .ended
      return nil
    case .awaiting, .ended: return nil
    }
  }
}

@usableFromInline
final class ReplaceEmptyInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "ReplaceEmpty" }

  private let downstream: Downstream<Input, Failure>
  private let output: Input
  private let state = Lock(ReplaceEmptyState())

  @usableFromInline
  init(downstream: Downstream<Input, Failure>, output: Input) {
    self.downstream = downstream
    self.output = output
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    let isFirst = state.withLock { state in
      guard case .awaiting = state.phase else { return false }
      state.phase = .subscribed(subscription)
      return true
    }
    guard isFirst else { return subscription.cancel() }
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: one($0)) }
  }

  @usableFromInline
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    let isOpen = state.withLock { state in
      guard case .subscribed = state.phase else { return false }
      state.hasValue = true
      return true
    }
    return isOpen ? downstream.receive(contentsOf: batch) : .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    var isFinished = false
    if case .finished = completion { isFinished = true }
    let (end, released) = state.withLock { state in
      let held = state.phase
      return (state.end(isFinished: isFinished), held)
    }
    withExtendedLifetime(released) {}
    switch end {
    case .ignored, .owed: break
    case .replaced: sendReplacement()
    case .passed: downstream.receive(completion: completion)
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    let (subscription, isDue) = state.withLock { $0.request() }
    if isDue { sendReplacement() }
    subscription?.request(demand)
  }

  @usableFromInline
  func cancel() { state.withLock { $0.cancel() }?.cancel() }

  private func sendReplacement() {
    _ = downstream.receive(output)
    downstream.receive(completion: .finished)
  }
}

extension Publisher {
  /// Sends `output` if the upstream finishes without any value.
  ///
  /// Requests an unlimited number of values besides what downstream requests, to learn whether there is any.
  /// The replacement waits until downstream has requested something. A failure passes through, with or
  /// without values. The replacement is sent on the thread on which the upstream finishes, or on the one that
  /// requests it later.
  ///
  ///     let ticket = Empty<Int, Never>().replaceEmpty(with: 5).sink { print($0) }
  ///     // 5
  @inlinable
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}
