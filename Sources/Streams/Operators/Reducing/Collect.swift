extension Publishers {
  /// A publisher that gathers all its upstream's values into one array.
  ///
  /// Made by ``Publisher/collect()``, which describes it.
  public struct Collect<Upstream: Publisher>: Publisher {
    /// The one value is the array of all values.
    public typealias Output = [Upstream.Output]
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream

    /// Makes the publisher that `collect()` returns.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Failure == S.Failure, S.Input == [Upstream.Output] {
      upstream.subscribe(
        CollectInner<Upstream.Output, Failure>(
          downstream: Downstream(subscriber), name: "Collect", initial: [], convert: { $0 },
          step: { result, value in
            result.pointee!.append(value)
            return .more
          }))
    }
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}

@usableFromInline
final class CollectInner<Input, Failure: Error>: ReduceInner<Input, [Input], Failure, Failure> {
  @usableFromInline
  override var customMirror: Mirror { Mirror(self, children: ["count": result.value?.count ?? 0]) }
}

extension Publisher {
  /// Gathers all values, and sends them as one array when the upstream finishes.
  ///
  /// Requests unlimited values, so this needs memory for all of them. The array is sent as soon as there is
  /// demand for it; it is empty if there was no value. A failure passes through, without an array. The result
  /// is sent on the thread on which it becomes known, or on the one that requests it later.
  ///
  ///     let cancellable = (1...3).publisher.eraseToAnyPublisher().collect().sink { print($0) }
  ///     // [1, 2, 3]
  @inlinable
  public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
}
