extension Publishers {
  /// A publisher that goes on with another publisher when its upstream fails, or fails with another error.
  ///
  /// Made by ``Publisher/tryCatch(_:)``, which describes it.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as the new publisher does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that makes a publisher from the upstream's failure.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// Makes the publisher that `tryCatch(_:)` returns.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = CatchInner<Output, Upstream.Failure, Failure>(
        name: "TryCatch", downstream: Downstream(subscriber)
      ) { [handler] error, inner, host in
        do {
          let replacement = try handler(error)
          guard host.choose() else { return }
          guard let successor = inner.successor(in: host) else {
            return replacement.subscribe(
              CatchReplacement(inner) { (failure: NewPublisher.Failure) in failure })
          }
          if let same = successor as? any Subscriber<Output, NewPublisher.Failure> & AnyObject {
            replacement.subscribe(same)
          } else {
            replacement.mapError { $0 as any Error }.subscribe(successor)
          }
        } catch {
          inner.fail(error, in: host)
        }
      }
      upstream.subscribe(inner)
    }
  }
}

extension Publisher {
  /// Goes on with the publisher that a closure makes of this publisher's failure; an error the closure throws
  /// fails the stream.
  ///
  /// Everything else is as with ``catch(_:)``.
  ///
  ///     let cancellable = request
  ///       .tryCatch { error in
  ///         guard isOffline(error) else { throw error }
  ///         return Just(cached)
  ///       }
  ///       .sink(receiveCompletion: { print($0) }, receiveValue: { show($0) })
  @inlinable
  public func tryCatch<P: Publisher>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P>
  where Output == P.Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}
