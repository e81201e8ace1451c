extension Publishers {
  /// A publisher that sends, for each of its upstream's values, what a closure that may throw has accumulated so far.
  ///
  /// Made by ``Publisher/tryScan(_:_:)``, which describes it.
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The result with which the first value is combined.
    public let initialResult: Output
    /// The closure that combines the last result and the next value into a new result.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Makes the publisher that `tryScan(_:_:)` returns.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        TryScanInner<ThrowingPair<Output, Upstream.Output, Output>, Upstream.Failure>(
          downstream: Downstream(subscriber), initialResult: initialResult,
          nextPartialResult: ThrowingPair(nextPartialResult), convert: { $0 }))
    }
  }
}

/// A `TryScan` whose transform throws errors of the upstream's type.
///
/// For this package alone.
@usableFromInline
package struct TryScanPairs<Upstream: Publisher, Transform: Accumulation>: Publisher
where Transform.Second == Upstream.Output, Transform.Failure == Upstream.Failure {
  @usableFromInline package typealias Output = Transform.Output
  /// It fails as its upstream does, or with the error that the transform throws.
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let initialResult: Output
  @usableFromInline let nextPartialResult: Transform

  /// Makes the results with `nextPartialResult`.
  @inlinable
  package init(upstream: Upstream, initialResult: Output, nextPartialResult: Transform) {
    self.upstream = upstream
    self.initialResult = initialResult
    self.nextPartialResult = nextPartialResult
  }

  /// Subscribes to the upstream on behalf of `subscriber`.
  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(
      TryScanInner<Transform, Failure>(
        downstream: Downstream(subscriber), initialResult: initialResult,
        nextPartialResult: nextPartialResult, convert: { $0 }))
  }
}

/// As in Combine, it passes on values that its upstream sends after the end: only a completion after a cancellation
/// or an error is dropped.
@usableFromInline
final class TryScanInner<Transform: Accumulation, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline typealias Input = Transform.Second
  @usableFromInline static var name: String { "TryScan" }

  @usableFromInline let downstream: Downstream<Transform.Output, Transform.Failure>
  @usableFromInline let nextPartialResult: Transform
  @usableFromInline let convert: (Failure) -> Transform.Failure
  @usableFromInline let result: Cell<Transform.Output>
  @usableFromInline let upstream = SubscriptionSlot()

  @inlinable
  init(
    downstream: Downstream<Transform.Output, Transform.Failure>, initialResult: Transform.Output,
    nextPartialResult: Transform, convert: @escaping (Failure) -> Transform.Failure
  ) {
    self.downstream = downstream
    self.nextPartialResult = nextPartialResult
    self.convert = convert
    result = Cell(initialResult)
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    batch.isSingle ? receive(at: batch.baseAddress.unsafelyUnwrapped) : receive(several: batch)
  }

  @inlinable @inline(__always)
  func receive(at input: UnsafePointer<Input>) -> Subscribers.Demand {
    do throws(Transform.Failure) {
      // Not captured, which would retain it for each value.
      let stream = Unmanaged.passUnretained(self)
      return try nextPartialResult.accumulate(input, in: result.address) { next in
        stream._withUnsafeGuaranteedRef { $0.downstream.receive(contentsOf: one(next)) }
      }
    } catch {
      fail(error)
      return .none
    }
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    batch.inStep(while: { upstream.phase != .ended }) {
      receive(at: batch.baseAddress.unsafelyUnwrapped + $0)
    }
  }

  @usableFromInline
  func fail(_ error: Transform.Failure) {
    guard let subscription = upstream.endIfSubscribed() else { return }
    subscription.cancel()
    downstream.receive(completion: .failure(error))
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    // Releases the subscription: kept longer, it and this object could form a reference cycle.
    if upstream.endIfSubscribed() != nil { downstream.receive(completion: completion.mapError(convert)) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  @usableFromInline
  func cancel() { upstream.endIfSubscribed()?.cancel() }

  @usableFromInline var customMirror: Mirror {
    Mirror(
      self,
      children: ["downstream": downstream.subscriber, "status": upstream.phase, "result": result.value])
  }
}

extension Publisher {
  /// Combines each value with the last result and sends the new result; an error that the closure throws
  /// fails the stream.
  ///
  /// The initial result itself is not sent. Demand and cancellation pass through. On an error the upstream is
  /// cancelled, then the failure is sent. The closure is called on the thread on which the value arrives.
  ///
  ///     struct DivisionByZero: Error {}
  ///     let cancellable = [6, 3, 0].publisher
  ///       .tryScan(36) { if $1 == 0 { throw DivisionByZero() } else { $0 / $1 } }
  ///       .sink(receiveCompletion: { _ in print("over") }, receiveValue: { print($0) })
  ///     // 6, 2, over
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}
