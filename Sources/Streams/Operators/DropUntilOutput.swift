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

    /// Makes the publisher that `drop(untilOutputFrom:)` returns.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Subscribes to the other publisher and then to the upstream, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = DropUntilOutputInner(downstream: Downstream(subscriber))
      subscriber.receive(subscription: inner)
      other.subscribe(DropUntilOutputTrigger<Other.Output, Output, Failure>(inner))
      upstream.subscribe(inner)
    }
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

@usableFromInline
final class DropUntilOutputInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "DropUntilOutput" }

  @usableFromInline
  struct State {
    var upstream: (any Subscription)?
    var other: (any Subscription)?
    /// What was requested and has been neither asked for nor dropped.
    var demand = Subscribers.Demand.none
    var isEnded = false

    @usableFromInline
    init() {}

    /// Keeps the upstream's subscription and returns what to request from it, or nil if it is to be cancelled.
    mutating func acceptUpstream(_ subscription: any Subscription) -> Subscribers.Demand? {
      guard upstream == nil, !isEnded else { return nil }
      upstream = subscription
      return demand
    }

    mutating func acceptOther(_ subscription: any Subscription, isCancelled: Bool) -> Bool {
      guard other == nil, !isCancelled else { return false }
      other = subscription
      return true
    }

    /// Uses up demand for values that are dropped.
    mutating func drop(_ count: Int) {
      precondition(demand >= count, "a value came without demand for it")
      demand -= count
    }
  }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let serializer = Serializer()
  @usableFromInline let state = Lock(State())
  /// Whether values pass: the other publisher has sent one, and the stream has not ended.
  @usableFromInline let isOpen = Atomic(false)
  @usableFromInline let isTriggered = Atomic(false)
  @usableFromInline let isCancelled = Atomic(false)

  @inlinable
  init(downstream: Downstream<Input, Failure>) { self.downstream = downstream }

  // MARK: The upstream

  @usableFromInline
  func receive(subscription: any Subscription) {
    switch state.withLock({ $0.acceptUpstream(subscription) }) {
    case nil: subscription.cancel()
    case let demand?: if demand != .none { subscription.request(demand) }
    }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: one($0)) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard isOpen.load(ordering: .acquiring) else { return drop(batch.count) }
    return serializer.run({ downstream.deliver(batch) }, refused: { enqueue(batch) })
  }

  @usableFromInline
  func drop(_ count: Int) -> Subscribers.Demand {
    state.withLock { $0.drop(count) }
    return .none
  }

  @usableFromInline @inline(never)
  func enqueue(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    let copy = Array(batch)
    serializer.submit { [self] in
      guard isOpen.load(ordering: .relaxed) else { return }
      let more = copy.withUnsafeBufferPointer { downstream.deliver($0) }
      let upstream = state.withLock { $0.upstream }
      if more != .none, let upstream { serializer.afterLeaving { upstream.request(more) } }
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let (isFirst, ended) = state.withLock { state in
      defer { state.isEnded = true }
      return (!state.isEnded, state.upstream.take())
    }
    guard isFirst else { return }
    serializer.perform { [self] in
      isOpen.store(false, ordering: .relaxed)
      if !isCancelled.load(ordering: .relaxed) { downstream.receive(completion: completion) }
    }
    withExtendedLifetime(ended) {}
  }

  // MARK: The other publisher

  @usableFromInline
  func receiveOther(_ subscription: any Subscription) {
    let isCancelled = self.isCancelled.load(ordering: .relaxed)
    if state.withLock({ $0.acceptOther(subscription, isCancelled: isCancelled) }) {
      subscription.request(.max(1))
    } else {
      subscription.cancel()
    }
  }

  @usableFromInline
  func trigger() {
    isTriggered.store(true, ordering: .relaxed)
    let ended = state.withLock { state in
      isOpen.store(!state.isEnded, ordering: .releasing)
      return state.other.take()
    }
    withExtendedLifetime(ended) {}
  }

  /// The other publisher's completion counts if it has sent no value. As in Combine it is not counted how often.
  @usableFromInline
  func completeOther(_ completion: Subscribers.Completion<Failure>) {
    let isTriggered = isTriggered.load(ordering: .relaxed)
    let (other, upstream) = state.withLock { state in
      isTriggered ? (state.other.take(), nil) : (nil, state.upstream.take())
    }
    withExtendedLifetime(other) {}
    guard !isTriggered else { return }
    upstream?.cancel()
    serializer.perform { [self] in
      if !isCancelled.load(ordering: .relaxed) { downstream.receive(completion: completion) }
    }
  }

  // MARK: The downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    let upstream = state.withLock { state in
      state.demand += demand
      return state.upstream
    }
    upstream?.request(demand)
  }

  @usableFromInline
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    isOpen.store(false, ordering: .relaxed)
    let (upstream, other) = state.withLock { state in
      state.isEnded = true
      return (state.upstream.take(), state.other.take())
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
  /// The subscription is sent first, then the other publisher is subscribed and asked for one value, then
  /// this one. A value that is dropped uses up demand. If the other publisher completes without a value, this
  /// one is cancelled and the completion sent. Cancelling cancels this publisher, then the other. Values stay
  /// on the thread on which they arrive. The other publisher may send from another thread.
  ///
  ///     let ticket = temperatures.drop(untilOutputFrom: startButton).sink { show($0) }
  @inlinable
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where Failure == P.Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}
