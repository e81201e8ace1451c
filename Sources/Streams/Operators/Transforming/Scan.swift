extension Publishers {
  /// A publisher that sends, for each of its upstream's values, what has been accumulated so far.
  ///
  /// Made by ``Publisher/scan(_:_:)``, which describes it.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The result with which the first value is combined.
    public let initialResult: Output
    /// The closure that combines the last result and the next value into a new result.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Makes the publisher that `scan(_:_:)` returns.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        ScanInner(
          downstream: Downstream(subscriber), initialResult: initialResult,
          nextPartialResult: nextPartialResult))
    }
  }
}

@usableFromInline
final class ScanInner<Input, Output, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "Scan" }

  @usableFromInline let downstream: Downstream<Output, Failure>
  @usableFromInline let nextPartialResult: (Output, Input) -> Output
  @usableFromInline let result: Cell<Output>

  @inlinable
  init(
    downstream: Downstream<Output, Failure>, initialResult: Output,
    nextPartialResult: @escaping (Output, Input) -> Output
  ) {
    self.downstream = downstream
    self.nextPartialResult = nextPartialResult
    result = Cell(initialResult)
  }

  /// Stores the next result. The caller releases the replaced one after the delivery: the release may run the user's
  /// code, which may send and complete.
  @inlinable @inline(__always)
  func advance(_ input: Input) -> (next: Output, replaced: Output) {
    let next = nextPartialResult(result.value, input)
    return (next, exchange(&result.value, with: next))
  }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    let (next, replaced) = advance(input)
    let demand = downstream.receive(next)
    withExtendedLifetime(replaced) {}
    return demand
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    var (next, replaced) = batch.lend(0) { advance($0) }
    let demand = downstream.receive(&next)
    withExtendedLifetime(replaced) {}
    return demand
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["downstream": downstream.subscriber, "result": result.value])
  }
}

extension Publisher {
  /// Combines each value with the last result and sends the new result.
  ///
  /// The initial result itself is not sent. Demand, completion, failure and cancellation pass through
  /// unchanged. The closure is called on the thread on which the value arrives.
  ///
  ///     let cancellable = [1, 2, 3].publisher.scan(0, +).sink { print($0) }
  ///     // 1, 3, 6
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}
