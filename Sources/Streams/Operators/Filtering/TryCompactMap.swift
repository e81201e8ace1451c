extension Publishers {
  /// A publisher that sends its upstream's values transformed by a closure that may throw, without those that became
  /// `nil`.
  ///
  /// Made by ``Publisher/tryCompactMap(_:)``, which describes it.
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that transforms values, or drops them by returning `nil`.
    public let transform: (Upstream.Output) throws -> Output?

    /// Makes the publisher that `tryCompactMap(_:)` returns.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TryCompactMapInner<Upstream.Output, Output, Upstream.Failure>(
          downstream: Downstream(subscriber), transform: transform))
    }
  }
}

@usableFromInline
final class TryCompactMapInner<Input, Output, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "TryCompactMap" }

  @usableFromInline let downstream: Downstream<Output, any Error>
  @usableFromInline let transform: (Input) throws -> Output?
  @usableFromInline let upstream = FilterSlot()

  @inlinable
  init(downstream: Downstream<Output, any Error>, transform: @escaping (Input) throws -> Output?) {
    self.downstream = downstream
    self.transform = transform
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
      guard var output = try batch.lend(0, to: transform) else { return .max(1) }
      return downstream.receive(&output)
    } catch {
      fail(error)
      return .none
    }
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.receive(compactMapping: batch, dropped: .max(1), while: { upstream.isOpen }) { value in
      try upstream.isOpen ? transform(value) : nil
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
  /// Transforms every value with a closure that may throw and drops those for which it returns `nil`; an
  /// error it throws fails the stream.
  ///
  /// A dropped value is requested again. On an error the upstream is cancelled, then the failure is sent. The
  /// closure is called on the thread on which the value arrives.
  ///
  ///     let cancellable = ["1", "", "x"].publisher
  ///       .tryCompactMap { $0.isEmpty ? nil : try parse($0) }
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  @inlinable
  public func tryCompactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Self, T> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers.TryCompactMap {
  /// Two compactMaps in a row are one.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so a
  /// value passes one operator less.
  @inlinable
  public func compactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryCompactMap<Upstream, T>(upstream: upstream) { try first($0).flatMap(transform) }
  }
}
