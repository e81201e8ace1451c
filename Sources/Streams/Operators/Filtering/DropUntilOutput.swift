import Synchronization

extension Publishers {
  /// A publisher that drops its upstream's values until another publisher sends one.
  ///
  /// Made by ``Publisher/drop(untilOutputFrom:)``, which describes it.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Failure == Other.Failure {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The publisher whose first value ends the dropping.
    public let other: Other
    /// Whether the other publisher is cancelled when the upstream ends, and the upstream regardless of demand. In
    /// Combine a publisher that is no longer needed may stay subscribed.
    @usableFromInline package var isStrict = false

    /// Makes the publisher that `drop(untilOutputFrom:)` returns.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Subscribes to the other publisher and then to the upstream, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = DropUntilOutputInner(
        downstream: Downstream(subscriber), isStrict: isStrict, isSubject: other is any Subject)
      subscriber.receive(subscription: inner)
      other.subscribe(DropUntilOutputTrigger<Other.Output, Output, Failure>(inner))
      upstream.subscribe(inner)
      inner.leaveUpstreamIfEnded()
    }
  }
}

extension Publishers.DropUntilOutput: Strict {}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

@usableFromInline
final class DropUntilOutputInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "DropUntilOutput" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let serializer = Serializer()
  @usableFromInline let state = Lock(DropUntilOutputState())
  /// Whether values pass: the other publisher has sent one, and the stream has not ended.
  @usableFromInline let isOpen = Atomic(false)

  @usableFromInline let isStrict: Bool
  /// Whether the other publisher is a subject: nobody can see that a subscription to it is cancelled after its value.
  @usableFromInline let isSubject: Bool

  @inlinable
  init(downstream: Downstream<Input, Failure>, isStrict: Bool, isSubject: Bool) {
    self.downstream = downstream
    self.isStrict = isStrict
    self.isSubject = isSubject
  }

  // MARK: The upstream

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard let demand = state.withLock({ $0.acceptUpstream(subscription) }) else {
      return subscription.cancel()
    }
    if isStrict, let unwanted = state.withLock({ $0.leaveUpstreamIfEnded() }) { return unwanted.cancel() }
    if demand != .none { subscription.request(demand) }
  }

  /// Leaves an upstream that is no longer needed, since the other publisher has ended the stream first.
  @usableFromInline
  func leaveUpstreamIfEnded() {
    let unwanted = state.withLock { $0.demand == .none && !isStrict ? nil : $0.leaveUpstreamIfEnded() }
    unwanted?.cancel()
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard isOpen.load(ordering: .acquiring) else { return drop(batch.count) }
    return serializer.deliver(batch, self, { $0.deliver($1) }, from: { $0.currentUpstream })
  }

  /// The stream may have ended while this waited for its turn.
  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    isOpen.load(ordering: .relaxed) ? downstream.receive(contentsOf: batch) : .refused()
  }

  @usableFromInline
  var currentUpstream: (any Subscription)? { state.withLock { $0.currentUpstream } }

  @usableFromInline
  func drop(_ count: Int) -> Subscribers.Demand {
    let (unwanted, isCancelled) = state.withLock { state in
      state.drop(count)
      return (state.leaveUpstreamIfEnded(), state.isCancelled)
    }
    unwanted?.cancel()
    return isCancelled ? .refused() : .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let (isPassed, released) = state.withLock { $0.completeUpstream() }
    if isStrict { state.withLock { $0.leaveOther() }?.cancel() }
    if isPassed {
      serializer.run { [self] in
        isOpen.store(false, ordering: .relaxed)
        if !state.withLock({ $0.isCancelled }) { downstream.receive(completion: completion) }
      }
    }
    withExtendedLifetime(released) {}
  }

  // MARK: The other publisher

  @usableFromInline
  func receiveOther(_ subscription: any Subscription) {
    if state.withLock({ $0.acceptOther(subscription, isStrict: isStrict) }) {
      subscription.request(.max(1))
    } else {
      subscription.cancel()
    }
  }

  @usableFromInline
  func trigger() {
    let released = state.withLock { state in
      let (opens, released) = state.trigger()
      isOpen.store(opens, ordering: .releasing)
      return released
    }
    if isSubject { (released as? SubjectSubscription)?.cancel() }
  }

  @usableFromInline
  func completeOther(_ completion: Subscribers.Completion<Failure>) {
    let (isPassed, unwanted, released) = state.withLock { $0.completeOther() }
    unwanted?.cancel()
    if isPassed {
      serializer.run { [self] in
        if !state.withLock({ $0.isCancelled }) { downstream.receive(completion: completion) }
      }
    }
    withExtendedLifetime(released) {}
  }

  // MARK: The downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.request(demand) }?.request(demand)
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    let (upstream, other) = state.withLock { state in
      isOpen.store(false, ordering: .relaxed)
      return state.cancel()
    }
    upstream?.cancel()
    other?.cancel()
  }
}

/// Subscribes to the publisher whose first value ends the dropping.
///
/// That publisher is not cancelled when it has sent its value, and so must not keep the downstream alive.
@usableFromInline
final class DropUntilOutputTrigger<Input, Output, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "DropUntilOutput" }

  private weak var parent: DropUntilOutputInner<Output, Failure>?
  @usableFromInline let combineIdentifier: CombineIdentifier

  @usableFromInline
  init(_ parent: DropUntilOutputInner<Output, Failure>) {
    self.parent = parent
    combineIdentifier = parent.combineIdentifier
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if let parent { parent.receiveOther(subscription) } else { subscription.cancel() }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    parent?.trigger()
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) { parent?.completeOther(completion) }
}

extension Publisher {
  /// Drops values until another publisher sends one.
  ///
  /// The subscription is sent first. Then the other publisher is subscribed, with a request for one value, then
  /// this one. A value that is dropped uses up demand; one without demand traps, as in Combine. If the other
  /// publisher completes without a value, this one is cancelled and the completion sent. Cancelling cancels this
  /// publisher, then the other. Values stay on the thread on which they arrive. The other publisher may send from
  /// another thread.
  ///
  /// After its value the other publisher is not cancelled, as in Combine, unless it is a subject: that would keep the
  /// subscription, and itself, until it completes.
  ///
  ///     let cancellable = temperatures.drop(untilOutputFrom: startButton).sink { show($0) }
  @inlinable
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where Failure == P.Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}
