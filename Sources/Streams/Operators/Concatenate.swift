import Synchronization

extension Publishers {
  /// A publisher that sends all values of one publisher and then those of another.
  ///
  /// Made by `append(_:)` and `prepend(_:)`, which describe it.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
    /// The values are those of both publishers.
    public typealias Output = Suffix.Output
    /// It fails as its publishers do.
    public typealias Failure = Suffix.Failure

    /// The publisher whose values come first.
    public let prefix: Prefix
    /// The publisher whose values come when the first has finished.
    public let suffix: Suffix

    /// Makes the publisher that `append(_:)` returns.
    @inlinable
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Subscribes to the first publisher on behalf of `subscriber`, and to the second when that has finished.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = ConcatenateInner(downstream: Downstream(subscriber)) { [suffix] inner in
        suffix.subscribe(ConcatenateSuffix(inner))
      }
      prefix.subscribe(ConcatenatePrefix(inner))
    }
  }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

/// The subscription of a concatenation.
@usableFromInline
final class ConcatenateInner<Output, Failure: Error>: Subscription, Inner {
  @usableFromInline static var name: String { "Concatenate" }

  @usableFromInline
  struct State {
    @usableFromInline var position = Succession.awaitingFirst
    /// Subscribes to the suffix. Released at the end.
    @usableFromInline var attachSuffix: ((ConcatenateInner) -> Void)?

    @usableFromInline
    init(attachSuffix: @escaping (ConcatenateInner) -> Void) { self.attachSuffix = attachSuffix }

    /// Ends. Returns what is to be released outside of the lock.
    mutating func end() -> ((any Subscription)?, ((ConcatenateInner) -> Void)?) {
      (position.end(), attachSuffix.take())
    }
  }

  @usableFromInline let downstream: Downstream<Output, Failure>
  @usableFromInline let state: Lock<State>
  /// What was requested and has not come from the prefix; the suffix is asked for it.
  @usableFromInline let demand = DemandCounter()
  @usableFromInline let prefixIsOpen = Atomic(false)
  @usableFromInline let suffixIsOpen = Atomic(false)

  @usableFromInline
  init(downstream: Downstream<Output, Failure>, attachSuffix: @escaping (ConcatenateInner) -> Void) {
    self.downstream = downstream
    state = Lock(State(attachSuffix: attachSuffix))
  }

  // MARK: The downstream

  @usableFromInline
  func request(_ more: Subscribers.Demand) {
    let subscription = state.withLock { state in
      demand.add(more)
      return state.position.subscription
    }
    subscription?.request(more)
  }

  @usableFromInline
  func cancel() {
    close()
    let ended = state.withLock { $0.end() }
    ended.0?.cancel()
  }

  private func close() {
    prefixIsOpen.store(false, ordering: .relaxed)
    suffixIsOpen.store(false, ordering: .relaxed)
  }

  // MARK: The prefix

  func receivePrefix(_ subscription: any Subscription) {
    guard state.withLock({ $0.position.acceptFirst(subscription) }) else { return subscription.cancel() }
    prefixIsOpen.store(true, ordering: .relaxed)
    downstream.receive(subscription: self)
  }

  /// Passes on what is demanded; what is not is dropped.
  @inlinable @inline(__always)
  func receivePrefix(_ batch: UnsafeBufferPointer<Output>) -> Subscribers.Demand {
    guard prefixIsOpen.load(ordering: .relaxed) else { return .none }
    if demand.isUnlimited { return downstream.deliver(batch) }
    let granted = demand.take(upTo: batch.count)
    guard granted > 0 else { return .none }
    let more = downstream.deliver(UnsafeBufferPointer(rebasing: batch[..<granted]))
    demand.add(more)
    return more
  }

  func completePrefix(_ completion: Subscribers.Completion<Failure>) {
    guard prefixIsOpen.exchange(false, ordering: .relaxed) else { return }
    switch completion {
    case .finished:
      let (ended, attachSuffix) = state.withLock { ($0.position.moveOn(), $0.attachSuffix) }
      if ended != nil { attachSuffix?(self) }
    case .failure:
      let ended = state.withLock { $0.end() }
      downstream.receive(completion: completion)
      withExtendedLifetime(ended) {}
    }
  }

  // MARK: The suffix

  func receiveSuffix(_ subscription: any Subscription) {
    let missing: Subscribers.Demand? = state.withLock { state in
      guard state.position.acceptSecond(subscription) else { return nil }
      suffixIsOpen.store(true, ordering: .relaxed)
      return demand.current
    }
    guard let missing else { return subscription.cancel() }
    if missing != .none { subscription.request(missing) }
  }

  @inlinable @inline(__always)
  func receiveSuffix(_ batch: UnsafeBufferPointer<Output>) -> Subscribers.Demand {
    suffixIsOpen.load(ordering: .relaxed) ? downstream.deliver(batch) : .none
  }

  func completeSuffix(_ completion: Subscribers.Completion<Failure>) {
    guard suffixIsOpen.exchange(false, ordering: .relaxed) else { return }
    let ended = state.withLock { $0.end() }
    downstream.receive(completion: completion)
    withExtendedLifetime(ended) {}
  }
}

@usableFromInline
final class ConcatenatePrefix<Input, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "Concatenate" }

  @usableFromInline let parent: ConcatenateInner<Input, Failure>

  @inlinable
  init(_ parent: ConcatenateInner<Input, Failure>) { self.parent = parent }

  @usableFromInline var combineIdentifier: CombineIdentifier { parent.combineIdentifier }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receivePrefix(subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { parent.receivePrefix(one($0)) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    parent.receivePrefix(batch)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) { parent.completePrefix(completion) }
}

@usableFromInline
final class ConcatenateSuffix<Input, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "Concatenate" }

  @usableFromInline let parent: ConcatenateInner<Input, Failure>

  @inlinable
  init(_ parent: ConcatenateInner<Input, Failure>) { self.parent = parent }

  @usableFromInline var combineIdentifier: CombineIdentifier { parent.combineIdentifier }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receiveSuffix(subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { parent.receiveSuffix(one($0)) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    parent.receiveSuffix(batch)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) { parent.completeSuffix(completion) }
}
