extension Publishers {
  /// A publisher that sends those of its upstream's values that satisfy a predicate that may throw.
  ///
  /// Made by ``Publisher/tryFilter(_:)``, which describes it.
  public struct TryFilter<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether to send a value.
    public let isIncluded: (Upstream.Output) throws -> Bool

    /// Makes the publisher that `tryFilter(_:)` returns.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TryFilterInner<Upstream.Output, Upstream.Failure>(
          downstream: Downstream(subscriber), isIncluded: isIncluded))
    }
  }
}

@usableFromInline
final class TryFilterInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "TryFilter" }

  @usableFromInline let downstream: Downstream<Input, any Error>
  @usableFromInline let isIncluded: (Input) throws -> Bool
  @usableFromInline let upstream = FilterSlot()

  @inlinable
  init(downstream: Downstream<Input, any Error>, isIncluded: @escaping (Input) throws -> Bool) {
    self.downstream = downstream
    self.isIncluded = isIncluded
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard upstream.isOpen else { return .refused() }
    do {
      guard batch.isSingle else { return receive(several: batch) }
      return try batch.lend(0, to: isIncluded) ? downstream.receive(contentsOf: batch) : .max(1)
    } catch {
      fail(error)
      return .none
    }
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.receive(compactMapping: batch, dropped: .max(1), while: { upstream.isOpen }) { value in
      try upstream.isOpen && isIncluded(value) ? copy value : nil
    } fail: {
      fail($0)
    }
  }

  @usableFromInline
  func fail(_ error: any Error) {
    guard let subscription = upstream.end() else { return }
    subscription.cancel()
    downstream.receive(completion: .failure(error))
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.complete() { downstream.receive(completion: completion.erased) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  @usableFromInline
  func cancel() { upstream.cancel() }

  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["downstream": downstream.subscriber])
  }
}

extension Publisher {
  /// Passes on only those values for which a closure that may throw returns true; an error it throws fails
  /// the stream.
  ///
  /// A dropped value is requested again. On an error the upstream is cancelled, then the failure is sent. The
  /// closure is called on the thread on which the value arrives.
  ///
  ///     let cancellable = ["a.txt", "b"].publisher
  ///       .tryFilter { try exists($0) }
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers.Filter {
  /// A filter and a tryFilter in a row are one tryFilter.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so
  /// a value passes one operator less.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

extension Publishers.TryFilter {
  /// Two filters in a row are one.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so
  /// a value passes one operator less.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }

  /// Two filters in a row are one.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so
  /// a value passes one operator less.
  @inlinable
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}
