extension Publishers {
  /// A publisher that drops its upstream's values and sends its completion only.
  ///
  /// Made by ``Publisher/ignoreOutput()``, which describes it.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    /// There are no values.
    public typealias Output = Never
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream

    /// Makes the publisher that `ignoreOutput()` returns.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Never, S.Failure == Failure {
      upstream.subscribe(IgnoreOutputInner<Upstream.Output, Upstream.Failure>(downstream: subscriber))
    }
  }
}

extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

@usableFromInline
final class IgnoreOutputInner<Input, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "IgnoreOutput" }

  private let downstream: any Subscriber<Never, Failure>

  @usableFromInline
  init(downstream: any Subscriber<Never, Failure>) { self.downstream = downstream }

  @usableFromInline
  func receive(subscription: any Subscription) {
    downstream.receive(subscription: subscription)
    subscription.request(.unlimited)
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { .none }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand { .none }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}

extension Publisher {
  /// Drops all values and waits for the end.
  ///
  /// Requests an unlimited number of values, whatever downstream requests. Completion, failure and
  /// cancellation pass through unchanged. The completion stays on the thread on which it arrives.
  ///
  ///     let cancellable = uploads.ignoreOutput()
  ///       .sink(receiveCompletion: { print("done: \($0)") }, receiveValue: { _ in })
  @inlinable
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { Publishers.IgnoreOutput(upstream: self) }
}
