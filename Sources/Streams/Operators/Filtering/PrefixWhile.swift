extension Publishers {
  /// A publisher that sends its upstream's values until one does not satisfy a predicate.
  ///
  /// Made by ``Publisher/prefix(while:)``, which describes it.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether to go on.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher that `prefix(while:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      let isIncluded = predicate
      upstream.subscribe(
        PrefixWhileInner<Output, Failure, Failure>(
          downstream: Downstream(subscriber), name: "PrefixWhile", convert: { $0 },
          predicate: { isIncluded($0) }))
    }
  }

  /// A publisher that sends its upstream's values until one does not satisfy a predicate that may throw.
  ///
  /// Made by ``Publisher/tryPrefix(while:)``, which describes it.
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether to go on.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher that `tryPrefix(while:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Output == S.Input, S.Failure == any Error {
      upstream.subscribe(
        PrefixWhileInner<Output, Upstream.Failure, any Error>(
          downstream: Downstream(subscriber), name: "TryPrefixWhile", convert: { $0 }, predicate: predicate))
    }
  }
}

/// Serves both forms: the one that cannot throw has the upstream's failures.
@usableFromInline
final class PrefixWhileInner<Input, UpstreamFailure: Error, Failure: Error>: BatchSubscriber, Subscription,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let upstream = FilterSlot()
  @usableFromInline let predicate: (Input) throws(Failure) -> Bool
  @usableFromInline let convert: (UpstreamFailure) -> Failure
  @usableFromInline let name: String

  @inlinable
  init(
    downstream: Downstream<Input, Failure>, name: String, convert: @escaping (UpstreamFailure) -> Failure,
    predicate: @escaping (Input) throws(Failure) -> Bool
  ) {
    self.downstream = downstream
    self.name = name
    self.convert = convert
    self.predicate = predicate
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard upstream.isOpen else { return .refused() }
    do throws(Failure) {
      if try predicate(batch[0]) { return downstream.receive(contentsOf: batch) }
      complete(.finished)
    } catch {
      complete(.failure(error))
    }
    return .none
  }

  @usableFromInline
  func complete(_ completion: Subscribers.Completion<Failure>) {
    guard let subscription = upstream.end() else { return }
    subscription.cancel()
    downstream.receive(completion: completion)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<UpstreamFailure>) {
    if upstream.complete() { downstream.receive(completion: completion.mapError(convert)) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  @usableFromInline
  func cancel() { upstream.cancel() }

  @usableFromInline var description: String { name }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: ["downstream": downstream.subscriber]) }
  @usableFromInline var playgroundDescription: Any { description }
}

extension Publisher {
  /// Sends values while they satisfy `predicate`, then finishes.
  ///
  /// Demand passes through. At the first value that does not satisfy the predicate, the upstream is
  /// cancelled, then the stream finishes; that value is not sent. A request for no values traps. The closure
  /// is called on the thread on which the value arrives.
  ///
  ///     let cancellable = [1, 2, 9, 3].publisher.prefix { $0 < 5 }.sink { print($0) }
  ///     // 1, 2
  @inlinable
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Sends values while they satisfy `predicate`, which may throw; an error it throws fails the stream.
  ///
  /// On an error the upstream is cancelled, then the failure is sent. Everything else is as with
  /// ``prefix(while:)``.
  @inlinable
  public func tryPrefix(
    while predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}
