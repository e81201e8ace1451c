import Synchronization

extension Publishers {
  /// A publisher that sends each of its upstream's values transformed by a closure that may throw.
  ///
  /// Made by ``Publisher/tryMap(_:)``, which describes it.
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that transforms values.
    public let transform: (Upstream.Output) throws -> Output

    /// Makes the publisher that `tryMap(_:)` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TryMapInner<Upstream.Output, Output, Upstream.Failure>(
          downstream: Downstream(subscriber), transform: transform))
    }
  }
}

@usableFromInline
final class TryMapInner<Input, Output, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "TryMap" }

  @usableFromInline let downstream: Downstream<Output, any Error>
  @usableFromInline let transform: (Input) throws -> Output
  @usableFromInline let upstream = SubscriptionSlot()
  /// How often the stream has ended or been cancelled.
  @usableFromInline let endCount = Atomic(0)

  @inlinable
  init(downstream: Downstream<Output, any Error>, transform: @escaping (Input) throws -> Output) {
    self.downstream = downstream
    self.transform = transform
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    let endsBefore = endCount.load(ordering: .relaxed)
    do {
      guard batch.isSingle else { return receive(several: batch) }
      var output = try batch.lend(0, to: transform)
      return downstream.receive(&output)
    } catch {
      // A closure may end the stream before it throws: by a value for which it throws, too, or by what it calls.
      if endCount.load(ordering: .relaxed) == endsBefore { fail(error) }
      return .none
    }
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    let endsBefore = endCount.load(ordering: .relaxed)
    return downstream.receive(compactMapping: batch, dropped: .none) {
      try transform($0)
    } fail: { error in
      // The downstream may have cancelled when it received the results before the error.
      if endCount.load(ordering: .relaxed) == endsBefore { fail(error) }
    }
  }

  @usableFromInline
  func fail(_ error: any Error) {
    endCount.wrappingAdd(1, ordering: .relaxed)
    upstream.end()?.cancel()
    downstream.receive(completion: .failure(error))
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard upstream.end() != nil else { return }
    endCount.wrappingAdd(1, ordering: .relaxed)
    downstream.receive(completion: completion.erased)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  @usableFromInline
  func cancel() {
    guard let subscription = upstream.endIfSubscribed() else { return }
    endCount.wrappingAdd(1, ordering: .relaxed)
    subscription.cancel()
  }
}

extension Publisher {
  /// Transforms every value with a closure that may throw; an error it throws fails the stream.
  ///
  /// Demand and cancellation pass through. On an error the upstream is cancelled, then the failure is sent.
  /// The closure is called on the thread on which the value arrives.
  ///
  ///     let cancellable = ["1", "x"].publisher
  ///       .tryMap { try parse($0) }
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers.Map {
  /// A map and a tryMap in a row are one tryMap.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so a
  /// value passes one operator less.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap(upstream: upstream) { try transform(first($0)) }
  }
}

extension Publishers.TryMap {
  /// Two maps in a row are one.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so a
  /// value passes one operator less.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { transform(try first($0)) }
  }

  /// Two maps in a row are one.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so a
  /// value passes one operator less.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(try first($0)) }
  }
}
