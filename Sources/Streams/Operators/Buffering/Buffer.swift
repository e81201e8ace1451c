extension Publishers {
  /// How a buffer requests values from its upstream.
  ///
  /// See ``Publisher/buffer(size:prefetch:whenFull:)``.
  public enum PrefetchStrategy: Hashable, Sendable {
    /// The buffer requests as many values as it can hold, and another one for each that it delivers.
    case keepFull
    /// The buffer requests values without limit.
    case byRequest
  }

  /// What a buffer does with a value when it is full.
  ///
  /// See ``Publisher/buffer(size:prefetch:whenFull:)``.
  public enum BufferingStrategy<Failure: Error> {
    /// The value is dropped.
    case dropNewest
    /// The value that has been in the buffer longest is dropped.
    case dropOldest
    /// The stream fails with the error that the closure returns, once the values in the buffer have been
    /// delivered or there is no demand for them.
    case customError(() -> Failure)
  }

  /// A publisher that keeps its upstream's values until there is demand for them.
  ///
  /// Made by ``Publisher/buffer(size:prefetch:whenFull:)``, which describes it.
  public struct Buffer<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How many values the buffer holds.
    public let size: Int
    /// How the buffer requests values from its upstream.
    public let prefetch: Publishers.PrefetchStrategy
    /// What happens to a value when the buffer is full.
    public let whenFull: Publishers.BufferingStrategy<Upstream.Failure>

    /// Makes the publisher that `buffer(size:prefetch:whenFull:)` returns.
    @inlinable
    public init(
      upstream: Upstream, size: Int, prefetch: Publishers.PrefetchStrategy,
      whenFull: Publishers.BufferingStrategy<Publishers.Buffer<Upstream>.Failure>
    ) {
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        BufferInner<Output, Failure>(
          downstream: Downstream(subscriber), size: size, prefetch: prefetch, whenFull: whenFull))
    }
  }
}

extension Publisher {
  /// Keeps values until there is demand for them.
  ///
  /// With `.keepFull` the buffer requests `size` values, and another one for each that it delivers; with
  /// `.byRequest` its demand is unlimited. The completion waits until the values are delivered. A finish then
  /// also waits for further demand; a failure does not wait if there is no demand. Cancelling drops the
  /// values. An error closure that sends a value to the same buffer traps. A value is delivered on a thread
  /// that sends or that requests.
  ///
  ///     let cancellable = sensor
  ///       .buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
  ///       .flatMap(maxPublishers: .max(1)) { upload($0) }
  ///       .sink { print($0) }
  ///
  /// - Parameters:
  ///   - size: How many values the buffer holds.
  ///   - prefetch: How the buffer requests values from its upstream.
  ///   - whenFull: What happens to a value when the buffer is full.
  @inlinable
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}
