import Synchronization

extension Publishers {
  /// A publisher that leaves out its upstream's values until one does not satisfy a predicate.
  ///
  /// Made by ``Publisher/drop(while:)``, which describes it.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether to leave out the next value.
    public let predicate: (Output) -> Bool

    /// Makes the publisher that `drop(while:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
      let isDropped = predicate
      upstream.subscribe(
        DropWhileInner<Output, Failure, Failure>(
          downstream: Downstream(subscriber), name: "DropWhile", convert: { $0 },
          predicate: { isDropped($0) }))
    }
  }

  /// A publisher that leaves out its upstream's values until one does not satisfy a predicate that may throw.
  ///
  /// Made by ``Publisher/tryDrop(while:)``, which describes it.
  public struct TryDropWhile<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does, or with the error that the closure throws.
    public typealias Failure = any Error

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether to leave out the next value.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher that `tryDrop(while:)` returns.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, S.Failure == any Error {
      upstream.subscribe(
        DropWhileInner<Output, Upstream.Failure, any Error>(
          downstream: Downstream(subscriber), name: "TryDropWhile", convert: { $0 }, predicate: predicate))
    }
  }
}

/// Serves both forms: the one that cannot throw has the upstream's failures.
@usableFromInline
final class DropWhileInner<Input, UpstreamFailure: Error, Failure: Error>: BatchSubscriber, Subscription,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline let downstream: Downstream<Input, Failure>
  /// True while there is a subscription.
  @usableFromInline let isSubscribed = Atomic(false)
  @usableFromInline let isDropping = Cell(true)
  @usableFromInline let predicate: (Input) throws(Failure) -> Bool
  @usableFromInline let convert: (UpstreamFailure) -> Failure
  @usableFromInline let name: String
  @usableFromInline let upstream = SubscriptionSlot()

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
    guard upstream.accept(subscription) else { return }
    isSubscribed.store(true, ordering: .relaxed)
    downstream.receive(subscription: self)
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard isSubscribed.load(ordering: .relaxed) else { return .refused() }
    guard isDropping.value else { return downstream.receive(contentsOf: batch) }
    do throws(Failure) {
      if try predicate(batch[0]) { return .max(1) }
    } catch {
      fail(error)
      return .none
    }
    isDropping.value = false
    return downstream.receive(contentsOf: batch)
  }

  @usableFromInline
  func fail(_ error: Failure) {
    guard let subscription = end() else { return }
    subscription.cancel()
    downstream.receive(completion: .failure(error))
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<UpstreamFailure>) {
    if end() != nil { downstream.receive(completion: completion.mapError(convert)) }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    upstream.current?.request(demand)
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    end()?.cancel()
  }

  private func end() -> (any Subscription)? {
    isSubscribed.store(false, ordering: .relaxed)
    return upstream.endIfSubscribed()
  }

  @usableFromInline var description: String { name }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
  @usableFromInline var playgroundDescription: Any { description }
}

extension Publisher {
  /// Leaves out values while they satisfy `predicate`, and sends all that come after.
  ///
  /// A value that is left out is requested again. The first value that does not satisfy the predicate is
  /// sent; the predicate is not called after that. Completion, failure and cancellation pass through; a
  /// request for no values traps. The closure is called on the thread on which the value arrives.
  ///
  ///     let cancellable = [1, 2, 9, 3].publisher.drop { $0 < 5 }.sink { print($0) }
  ///     // 9, 3
  @inlinable
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  /// Leaves out values while they satisfy `predicate`, which may throw; an error it throws fails the stream.
  ///
  /// On an error the upstream is cancelled, then the failure is sent. Everything else is as with
  /// ``drop(while:)``.
  @inlinable
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}
