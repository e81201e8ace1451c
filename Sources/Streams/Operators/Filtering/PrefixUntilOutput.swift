extension Publishers {
  /// A publisher that sends its upstream's values until another publisher sends one.
  ///
  /// Made by ``Publisher/prefix(untilOutputFrom:)``, which describes it.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The publisher whose first value ends the stream.
    public let other: Other
    /// Whether a subscription comes before the end in any case, whatever downstream is. In Combine the stream finishes
    /// without one if the upstream has sent none.
    @usableFromInline package var isStrict = false

    /// Makes the publisher that `prefix(untilOutputFrom:)` returns.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Subscribes to the other publisher and then to the upstream, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = PrefixUntilOutputInner(
        downstream: Downstream(subscriber), isStrict: isStrict, isSubject: other is any Subject)
      other.subscribe(PrefixUntilOutputTrigger<Other.Output, Other.Failure, Output, Failure>(inner))
      guard inner.attach() else { return }
      upstream.subscribe(inner)
      inner.isAttached()
    }
  }
}

extension Publishers.PrefixUntilOutput: Strict {}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

/// Delays a finish that comes before the upstream has been subscribed to.
@usableFromInline
struct PrefixUntilOutputState {
  enum Finish {
    case later
    /// The upstream may be about to send its subscription.
    case afterSubscription
    /// As in Combine, without a subscription if the upstream has sent none.
    case atOnce
  }

  private enum Phase { case awaiting, attaching, attached }

  private var phase = Phase.awaiting
  private var hasTerminated = false

  @usableFromInline
  init() {}

  /// Whether to subscribe to the upstream; otherwise the stream ends now.
  mutating func attach() -> Bool {
    phase = .attaching
    return !hasTerminated
  }

  /// Notes that the upstream has been subscribed to.
  mutating func isAttached() { phase = .attached }

  /// When to finish.
  mutating func terminate() -> Finish {
    hasTerminated = true
    switch phase {
    case .awaiting: return .later
    case .attaching: return .afterSubscription
    case .attached: return .atOnce
    }
  }
}

/// As in Combine, this has no description of its own.
@usableFromInline
final class PrefixUntilOutputInner<Input, Failure: Error>: BatchSubscriber, Subscription {
  @usableFromInline let delivery: Delivery<Input, Failure>
  @usableFromInline let upstream = SubscriptionSlot()
  @usableFromInline let terminator = SubscriptionSlot()
  @usableFromInline let state = Lock(PrefixUntilOutputState())

  @usableFromInline let isStrict: Bool
  /// Whether the other publisher is a subject: nobody can see that a subscription to it is cancelled after its value.
  @usableFromInline let isSubject: Bool

  @inlinable
  init(downstream: Downstream<Input, Failure>, isStrict: Bool, isSubject: Bool) {
    delivery = Delivery(downstream)
    self.isStrict = isStrict
    self.isSubject = isSubject
  }

  // MARK: The upstream

  @usableFromInline
  func attach() -> Bool {
    if state.withLock({ $0.attach() }) { return true }
    finishAfterSubscription()
    return false
  }

  @usableFromInline
  func isAttached() { state.withLock { $0.isAttached() } }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    delivery.serializer.run(self) { $0.delivery.handshake($0) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    return delivery.serializer.deliver(batch, self, { $0.deliver($1) }, from: { $0.upstream.current })
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    upstream.phase == .subscribed ? delivery.downstream.receive(contentsOf: batch) : .refused()
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    terminator.end()?.cancel()
    // A completion waits its turn behind values from the inbox, which pass only while there is a subscription.
    delivery.serializer.run { [self] in
      if upstream.end() != nil { send(completion) }
    }
  }

  // MARK: The terminator

  @usableFromInline
  func terminate() {
    guard let ended = terminator.endIfSubscribed() else { return }
    upstream.end()?.cancel()
    switch state.withLock({ $0.terminate() }) {
    case .later: break
    case .afterSubscription: finishAfterSubscription()
    case .atOnce where isStrict || delivery.downstream.reliesOnRules: finishAfterSubscription()
    case .atOnce: delivery.serializer.run { [self] in send(.finished) }
    }
    if isSubject { (ended as? SubjectSubscription)?.cancel() }
  }

  private func finishAfterSubscription() {
    delivery.serializer.run { [self] in
      if delivery.end() { delivery.send(.finished, self) }
    }
  }

  private func send(_ completion: Subscribers.Completion<Failure>) {
    if delivery.end() { delivery.downstream.receive(completion: completion) }
  }

  // MARK: The downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    _ = delivery.end()
    upstream.end()?.cancel()
    terminator.end()?.cancel()
  }
}

/// Subscribes to the publisher whose first value ends the stream.
///
/// That publisher is not cancelled when it has sent its value, and so must not keep the downstream alive.
@usableFromInline
final class PrefixUntilOutputTrigger<Input, Failure: Error, Output, OutputFailure: Error>: Subscriber {
  private let parent: Lock<PrefixUntilOutputInner<Output, OutputFailure>?>
  @usableFromInline let combineIdentifier: CombineIdentifier

  @usableFromInline
  init(_ parent: PrefixUntilOutputInner<Output, OutputFailure>) {
    self.parent = Lock(parent)
    combineIdentifier = parent.combineIdentifier
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard let parent = parent.withLock({ $0 }) else { return subscription.cancel() }
    if parent.terminator.accept(subscription) { subscription.request(.max(1)) }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    guard let current = parent.withLock({ $0 }), current.terminator.phase == .subscribed else {
      return .refused()
    }
    let parent = parent.withLock { $0.take() }
    parent?.terminate()
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let parent = parent.withLock { $0.take() }
    _ = parent?.terminator.end()
  }
}

extension Publisher {
  /// Passes values on until another publisher sends one; then the stream finishes.
  ///
  /// The other publisher is subscribed first, with a request for one value; its completion is ignored. When it
  /// sends a value this publisher is cancelled, and when this one completes the other is. Demand passes through.
  /// Cancelling cancels this publisher, then the other. Values stay on the thread on which they arrive. The other
  /// publisher may send from another thread; the stream then finishes there.
  ///
  /// After its value the other publisher is not cancelled, as in Combine, unless it is a subject: that would keep the
  /// subscription, and itself, until it completes.
  ///
  ///     let cancellable = temperatures.prefix(untilOutputFrom: stopButton).sink { show($0) }
  @inlinable
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}
