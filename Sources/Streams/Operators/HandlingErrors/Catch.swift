extension Publishers {
  /// A publisher that goes on with another publisher when its upstream fails.
  ///
  /// Made by ``Publisher/catch(_:)``, which describes it.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as the new publisher does.
    public typealias Failure = NewPublisher.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that makes a publisher from the upstream's failure.
    public let handler: (Upstream.Failure) -> NewPublisher
    /// Whether a cancellation takes effect immediately even while the new publisher is being subscribed to. In Combine
    /// it then waits for a value; if none comes, what the new publisher retains is never released.
    @usableFromInline package var isStrict = false

    /// Makes the publisher that `catch(_:)` returns.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = CatchInner<Output, Upstream.Failure, Failure>(
        name: "Catch", downstream: Downstream(subscriber), lingers: !isStrict
      ) { [handler] error, inner, host in
        let replacement = handler(error)
        guard host.choose() else { return }
        if let successor = inner.successor(in: host) {
          replacement.subscribe(successor)
        } else {
          replacement.subscribe(CatchReplacement(inner) { (failure: Failure) in failure })
        }
      }
      upstream.subscribe(inner)
    }
  }
}

extension Publishers.Catch: Strict {}

extension Publisher {
  /// Goes on with the publisher that a closure makes of this publisher's failure.
  ///
  /// The demand that is left goes to the new publisher. Finishing passes through, and so does the new publisher's
  /// failure. Cancelling cancels the publisher that is subscribed at that moment; while the new publisher is being
  /// subscribed to, only when that sends a value. The closure is called, and the new publisher subscribed, on the
  /// thread on which the failure arrives.
  ///
  ///     let cancellable = request.catch { _ in Just(cached) }.sink { show($0) }
  ///
  /// As in Combine, a value without demand and a second failure of this publisher trap. A `tryMap` fails a second time
  /// if the closure of an operator before it, such as a filter, sends a value during another one and
  /// both values throw.
  @inlinable
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where Output == P.Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}
