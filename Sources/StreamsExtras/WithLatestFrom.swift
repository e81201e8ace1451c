public import Streams

extension Publishers {
  /// A publisher that makes something of each of its upstream's values and the latest value of another publisher.
  ///
  /// Made by `Publisher/withLatestFrom(_:resultSelector:)`, which describes it.
  public struct WithLatestFrom<Upstream: Publisher, Other: Publisher, Output>: Publisher
  where Upstream.Failure == Other.Failure {
    /// It fails as its publishers do.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values lead to values.
    public let upstream: Upstream
    /// The publisher of whose values the latest is taken.
    public let other: Other
    /// Makes what is sent.
    public let resultSelector: (Upstream.Output, Other.Output) -> Output

    /// Makes the publisher that `withLatestFrom(_:resultSelector:)` returns.
    @inlinable
    public init(
      upstream: Upstream, other: Other, resultSelector: @escaping (Upstream.Output, Other.Output) -> Output
    ) {
      self.upstream = upstream
      self.other = other
      self.resultSelector = resultSelector
    }

    /// Subscribes to the other publisher and then to the upstream, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      TryWithLatestFrom<Upstream, Other, Output>(upstream: upstream, other: other) {
        [resultSelector] in resultSelector($0, $1)
      }.receive(subscriber: subscriber)
    }
  }
}

/// The same with a function that may throw: its error fails the stream, when both publishers have been cancelled.
///
/// For this package alone.
@usableFromInline
package struct TryWithLatestFrom<Upstream: Publisher, Other: Publisher, Output>: Publisher
where Upstream.Failure == Other.Failure {
  /// It fails as its publishers do, or with the error that the function throws.
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let other: Other
  @usableFromInline let resultSelector: (Upstream.Output, Other.Output) throws(Failure) -> Output

  /// Makes what is sent with `resultSelector`.
  @inlinable
  package init(
    upstream: Upstream, other: Other,
    resultSelector: @escaping (Upstream.Output, Other.Output) throws(Failure) -> Output
  ) {
    self.upstream = upstream
    self.other = other
    self.resultSelector = resultSelector
  }

  /// Subscribes to the other publisher and then to the upstream, on behalf of `subscriber`.
  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let inner = WithLatestFromInner<Upstream.Output, Other.Output, Output, Failure>(
      Downstream(subscriber), resultSelector)
    other.subscribe(LatestKeeper(inner))
    upstream.subscribe(inner)
  }
}

@usableFromInline
final class WithLatestFromInner<Input, Latest, Output, Failure: Error>:
  AccompaniedInner<Output, Failure>, BatchSubscriber, Inner
{
  @usableFromInline static var name: String { "WithLatestFrom" }

  @usableFromInline let resultSelector: (Input, Latest) throws(Failure) -> Output
  @usableFromInline let latest = Cell<Latest?>(nil)

  @inlinable
  init(
    _ downstream: Downstream<Output, Failure>,
    _ resultSelector: @escaping (Input, Latest) throws(Failure) -> Output
  ) {
    self.resultSelector = resultSelector
    super.init(downstream)
  }

  @usableFromInline
  override func dropValues() {
    if let dropped = latest.value.take() { delivery.serializer.retire([dropped] as AnyObject) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    delivery.serializer.run({ deliver(batch) }, refused: { enqueue(batch) })
  }

  /// In turn. A value that comes too early is asked for again.
  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    for index in 0..<batch.count where !delivery.isEnded && upstream.phase != .awaiting {
      guard let latest = latest.value else {
        demand += .max(1)
        continue
      }
      do throws(Failure) {
        let result = try resultSelector(batch[index], latest)
        // The function may have cancelled.
        if !delivery.isEnded { demand += delivery.downstream.receive(result) }
      } catch {
        fail(with: error)
      }
    }
    return demand
  }

  @usableFromInline @inline(never)
  func enqueue(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    delivery.serializer.submit(copyOf: batch) { [self] in
      let more = deliver($0)
      if more != .none { delivery.serializer.afterLeaving { [self] in request(more) } }
    }
    return .none
  }

  // MARK: The other publisher

  /// Keeps a value. The one that it replaces is released after the turn.
  @inlinable
  func keep(_ value: Latest) {
    let replaced = delivery.serializer.run(
      { replace(with: value) },
      refused: {
        enqueue(value)
        return nil
      })
    withExtendedLifetime(replaced) {}
  }

  @usableFromInline @inline(never)
  func enqueue(_ value: Latest) {
    delivery.serializer.submit { [self] in
      if let replaced = replace(with: value) { delivery.serializer.retire([replaced] as AnyObject) }
    }
  }

  @inlinable @inline(__always)
  func replace(with value: Latest) -> Latest? {
    delivery.isEnded || other.phase == .awaiting ? nil : exchange(&latest.value, with: value)
  }
}

/// Subscribes to the publisher of whose values the latest is kept.
@usableFromInline
final class LatestKeeper<Input, Latest, Output, Failure: Error>: Subscriber {
  @usableFromInline let parent: WithLatestFromInner<Input, Latest, Output, Failure>

  @inlinable
  init(_ parent: WithLatestFromInner<Input, Latest, Output, Failure>) { self.parent = parent }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { parent.combineIdentifier }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receive(otherSubscription: subscription) }

  @inlinable
  func receive(_ input: Latest) -> Subscribers.Demand {
    parent.keep(input)
    return .none
  }

  /// The latest value stays.
  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard let ended = parent.other.end() else { return }
    if case .failure = completion { parent.end(completion) }
    withExtendedLifetime(ended) {}
  }
}

extension Publisher {
  /// Makes something of each of this publisher's values and the latest value of another.
  ///
  /// A value that comes before the other publisher's first is dropped, and asked for again: downstream gets as many values
  /// as it requested. The other publisher is asked for all its values. The stream finishes when this publisher does; that
  /// the other one finishes does not matter. It fails with the first failure of either. Then, and when it is cancelled,
  /// both are cancelled. The publishers may send from different threads; values are sent on the threads of this publisher.
  ///
  ///     let ticket = saveButton.withLatestFrom(text) { _, text in text }.sink { save($0) }
  ///
  /// - Parameters:
  ///   - other: The publisher of whose values the latest is taken. It is subscribed to first.
  ///   - resultSelector: Makes what is sent. It is called on the thread on which this publisher's value arrives.
  @inlinable
  public func withLatestFrom<Other: Publisher, Result>(
    _ other: Other, resultSelector: @escaping (Output, Other.Output) -> Result
  ) -> Publishers.WithLatestFrom<Self, Other, Result> where Other.Failure == Failure {
    Publishers.WithLatestFrom(upstream: self, other: other, resultSelector: resultSelector)
  }

  /// Sends the latest value of another publisher whenever this one sends a value.
  ///
  /// Demand, completion, failure, cancellation and threads are those of ``withLatestFrom(_:resultSelector:)``.
  ///
  ///     let ticket = saveButton.withLatestFrom(text).sink { save($0) }
  ///
  /// - Parameter other: The publisher of whose values the latest is taken. It is subscribed to first.
  public func withLatestFrom<Other: Publisher>(
    _ other: Other
  ) -> Publishers.WithLatestFrom<Self, Other, Other.Output> where Other.Failure == Failure {
    withLatestFrom(other) { $1 }
  }
}
