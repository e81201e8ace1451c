extension Publishers {
  /// A publisher that sends those of its upstream's values that satisfy a predicate.
  ///
  /// Made by ``Publisher/filter(_:)``, which describes it.
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The closure that says whether to send a value.
    public let isIncluded: (Upstream.Output) -> Bool

    /// Makes the publisher that `filter(_:)` returns.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(FilterInner(downstream: Downstream(subscriber), isIncluded: isIncluded))
    }
  }
}

@usableFromInline
final class FilterInner<Input, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "Filter" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let isIncluded: (Input) -> Bool

  @inlinable
  init(downstream: Downstream<Input, Failure>, isIncluded: @escaping (Input) -> Bool) {
    self.downstream = downstream
    self.isIncluded = isIncluded
  }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    isIncluded(input) ? downstream.receive(input) : .max(1)
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(several: batch) }
    return batch.lend(0, to: isIncluded) ? downstream.receive(contentsOf: batch) : .max(1)
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.receive(compactMapping: batch, dropped: .max(1)) { isIncluded($0) ? copy $0 : nil }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}

extension Publisher {
  /// Passes on only those values for which `isIncluded` returns true.
  ///
  /// A dropped value is requested again: downstream gets as many values as it requested. Completion, failure
  /// and cancellation pass through unchanged. The closure is called on the thread on which the value arrives.
  ///
  ///     let cancellable = (1...6).publisher.filter { $0 % 2 == 0 }.sink { print($0) }
  ///     // 2, 4, 6
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers.Filter {
  /// Two filters in a row are one.
  ///
  /// It does what the two would do one after the other. The closures are composed when the chain is built, so
  /// a value passes one operator less.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
    let first = self.isIncluded
    return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
  }
}
