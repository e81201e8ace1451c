import StreamsShims
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
      let inner = ConcatenateInner(downstream: Downstream(subscriber)) { [suffix] inner, host in
        guard host.choose() else { return }
        if let successor = inner.successor(in: host) {
          suffix.subscribe(successor)
        } else {
          suffix.subscribe(ConcatenateSuffix(inner))
        }
      }
      prefix.subscribe(ConcatenatePrefix(inner))
    }
  }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

/// The subscription of a concatenation.
@usableFromInline
final class ConcatenateInner<Output, Failure: Error>: SuccessionCore, Inner {
  @usableFromInline static var name: String { "Concatenate" }

  @usableFromInline typealias Attach = (ConcatenateInner, SuccessionCore) -> Void

  @usableFromInline let downstream: Downstream<Output, Failure>
  /// Subscribes to the suffix, for the operator given last. Released after that, and at the end.
  @usableFromInline let attachSuffix: Lock<Attach?>
  @usableFromInline let prefixIsOpen = Atomic(false)

  @usableFromInline
  init(downstream: Downstream<Output, Failure>, attachSuffix: @escaping Attach) {
    self.downstream = downstream
    self.attachSuffix = Lock(attachSuffix)
  }

  /// The subscriber to the suffix, if another operator takes over.
  @usableFromInline
  func successor(in host: SuccessionCore) -> (any Subscriber<Output, Failure> & AnyObject)? {
    host === self ? nil : downstream.subscriber
  }

  @usableFromInline
  override func request(_ more: Subscribers.Demand) {
    super.request(more)
    if prefixIsOpen.load(ordering: .relaxed) { streams_note_waiting_suffix() }
  }

  @usableFromInline
  override func cancel() {
    BatchProgress.noteAction()
    prefixIsOpen.store(false, ordering: .relaxed)
    let released = takeAttach()
    super.cancel()
    withExtendedLifetime(released) {}
  }

  private func takeAttach() -> Attach? { attachSuffix.withLock { $0.take() } }

  // MARK: The prefix

  func receivePrefix(_ subscription: any Subscription) {
    guard state.withLock({ $0.acceptFirst(subscription) }) else { return subscription.cancel() }
    prefixIsOpen.store(true, ordering: .relaxed)
    handshake { downstream.receive(subscription: self) }
  }

  /// Passes on values for which there is demand; drops the others.
  @inlinable @inline(__always)
  func receivePrefix(_ batch: UnsafeBufferPointer<Output>) -> Subscribers.Demand {
    guard prefixIsOpen.load(ordering: .relaxed) else { return .refused() }
    if demand.isUnlimited { return frames.delivering(from: self) { downstream.receive(contentsOf: batch) } }
    let granted = demand.take(upTo: batch.count)
    guard granted > 0 else { return .none }
    let more = frames.delivering(from: self) {
      downstream.receive(contentsOf: UnsafeBufferPointer(rebasing: batch[..<granted]))
    }
    demand.add(more)
    return more
  }

  func completePrefix(_ completion: Subscribers.Completion<Failure>) {
    guard prefixIsOpen.exchange(false, ordering: .relaxed) else { return }
    let attach = takeAttach()
    switch completion {
    case .finished:
      guard state.withLock({ $0.moveOn() }) != nil, let attach else { return }
      streams_note_waiting_suffix()
      goOn(before: downstream.subscriber) { [self] host in attach(self, host) }
    case .failure:
      let ended = state.withLock { $0.end() }
      downstream.receive(completion: completion)
      withExtendedLifetime(ended) {}
    }
  }

  // MARK: The suffix

  @inlinable @inline(__always)
  func receiveSuffix(_ batch: UnsafeBufferPointer<Output>) -> Subscribers.Demand {
    frames.run(batch, self, { $0.deliverSuffix($1) }, from: { $0 })
  }

  @inlinable @inline(__always)
  func deliverSuffix(_ batch: UnsafeBufferPointer<Output>) -> Subscribers.Demand {
    guard secondIsOpen.load(ordering: .relaxed) else { return .refused() }
    return frames.delivering(from: self) { downstream.receive(contentsOf: batch) }
  }

  func completeSuffix(_ completion: Subscribers.Completion<Failure>) {
    completeSecond { [downstream] in downstream.receive(completion: completion) }
  }
}

@usableFromInline
final class ConcatenatePrefix<Input, Failure: Error>: BatchSubscriber, Inner {
  @usableFromInline static var name: String { "Concatenate" }

  @usableFromInline let parent: ConcatenateInner<Input, Failure>

  @inlinable
  init(_ parent: ConcatenateInner<Input, Failure>) { self.parent = parent }

  @usableFromInline var combineIdentifier: CombineIdentifier { parent.combineIdentifier }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receivePrefix(subscription) }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    return parent.receivePrefix(batch)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) { parent.completePrefix(completion) }
}

@usableFromInline
final class ConcatenateSuffix<Input, Failure: Error>: BatchSubscriber, Successor, Inner {
  @usableFromInline static var name: String { "Concatenate" }

  @usableFromInline let parent: ConcatenateInner<Input, Failure>

  @inlinable
  init(_ parent: ConcatenateInner<Input, Failure>) { self.parent = parent }

  @usableFromInline var succession: SuccessionCore { parent }
  @usableFromInline var combineIdentifier: CombineIdentifier { parent.combineIdentifier }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receiveSecond(subscription) }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    return parent.receiveSuffix(batch)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) { parent.completeSuffix(completion) }
}
