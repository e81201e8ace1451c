public import Streams

extension Publishers {
  /// A publisher that combines each of its upstream's values with the latest value of another publisher.
  ///
  /// Made by `Publisher/withLatestFrom(_:resultSelector:)`, which describes it.
  public struct WithLatestFrom<Upstream: Publisher, Other: Publisher, Output>: Publisher
  where Upstream.Failure == Other.Failure {
    /// It fails as its publishers do.
    public typealias Failure = Upstream.Failure

    /// The publisher each of whose values is combined.
    public let upstream: Upstream
    /// The publisher whose latest value is taken.
    public let other: Other
    /// Makes the value that is sent.
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
      let selecting = SelectedPair<Upstream.Output, Other.Output, Output, Failure> {
        [resultSelector] in resultSelector($0, $1)
      }
      TryWithLatestFrom(upstream: upstream, other: other, selecting: selecting)
        .receive(subscriber: subscriber)
    }
  }
}

/// `WithLatestFrom` for a function that may throw: its error cancels both publishers and then fails the stream.
///
/// Only this package uses it.
@usableFromInline
package struct TryWithLatestFrom<Upstream: Publisher, Other: Publisher, Selecting: PairTransform>: Publisher
where
  Selecting.First == Upstream.Output, Selecting.Second == Other.Output,
  Selecting.Failure == Upstream.Failure, Upstream.Failure == Other.Failure
{
  @usableFromInline package typealias Output = Selecting.Output
  /// It fails as its publishers do, or with the error that `selecting` throws.
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let other: Other
  @usableFromInline let selecting: Selecting

  /// Makes a publisher whose values `selecting` makes.
  @inlinable
  package init(upstream: Upstream, other: Other, selecting: Selecting) {
    self.upstream = upstream
    self.other = other
    self.selecting = selecting
  }

  /// Subscribes to the other publisher and then to the upstream, on behalf of `subscriber`.
  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let inner = WithLatestFromInner(Downstream(subscriber), selecting)
    other.subscribe(LatestKeeper(inner))
    upstream.subscribe(inner)
  }
}

/// Calls a function with two values.
@frozen
@usableFromInline
package struct SelectedPair<First, Second, Output, Failure: Error>: PairTransform {
  @usableFromInline let body: (First, Second) throws(Failure) -> Output

  @inlinable
  package init(_ body: @escaping (First, Second) throws(Failure) -> Output) { self.body = body }

  @inlinable @inline(__always)
  package func callAsFunction(
    _ first: UnsafePointer<First>, _ second: UnsafePointer<Second>
  ) throws(Failure) -> Output {
    try body(first.pointee, second.pointee)
  }
}

@usableFromInline
final class WithLatestFromInner<Selecting: PairTransform>: AccompaniedInner<
  Selecting.Output, Selecting.Failure
>,
BatchSubscriber, Inner
{
  @usableFromInline typealias Input = Selecting.First
  @usableFromInline typealias Latest = Selecting.Second
  @usableFromInline typealias Failure = Selecting.Failure

  @usableFromInline static var name: String { "WithLatestFrom" }

  @usableFromInline let selecting: Selecting
  @usableFromInline let latest = Cell<Latest?>(nil)

  @inlinable
  init(_ downstream: Downstream<Selecting.Output, Failure>, _ selecting: Selecting) {
    self.selecting = selecting
    super.init(downstream)
  }

  @usableFromInline
  override func dropValues() {
    if let dropped = latest.value.take() { delivery.serializer.retire(dropped) }
  }

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard _fastPath(delivery.serializer.enterIfFree()) else { return receive(several: batch) }
    let demand = deliver(batch.baseAddress.unsafelyUnwrapped)
    delivery.serializer.leave()
    return demand
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    delivery.serializer.deliver(batch, self, { $0.deliver(several: $1) }, from: { $0.upstream.current })
  }

  @inlinable
  func deliver(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    for index in 0..<batch.count { demand += deliver(batch.baseAddress.unsafelyUnwrapped + index) }
    return demand
  }

  /// Runs in the serializer. A value that comes before the other publisher's first is requested again.
  @inlinable @inline(__always)
  func deliver(_ value: UnsafePointer<Input>) -> Subscribers.Demand {
    if delivery.isEnded || upstream.phase == .awaiting { return .refused() }
    guard var latest = latest.value else { return .max(1) }
    do throws(Failure) {
      var result = try _withUnprotectedUnsafeMutablePointer(to: &latest) { latest throws(Failure) in
        try selecting(value, latest)
      }
      // The function may have cancelled the stream.
      return delivery.isEnded ? .refused() : delivery.downstream.receive(&result)
    } catch {
      fail(with: error)
      return .none
    }
  }

  // MARK: The other publisher

  /// Keeps a value. The value that it replaces is released outside the serializer.
  @inlinable @inline(__always)
  func keep(_ value: UnsafePointer<Latest>) {
    delivery.serializer.run(self, value.pointee, releasing: { $0.replace(with: $1) })
  }

  @inlinable @inline(__always)
  func replace(with value: Latest) -> Latest? {
    delivery.isEnded || other.phase == .awaiting ? nil : exchange(&latest.value, with: value)
  }
}

/// Subscribes to the publisher whose latest value is kept.
@usableFromInline
final class LatestKeeper<Selecting: PairTransform>: BatchSubscriber {
  @usableFromInline typealias Input = Selecting.Second
  @usableFromInline typealias Failure = Selecting.Failure

  @usableFromInline let parent: WithLatestFromInner<Selecting>

  @inlinable
  init(_ parent: WithLatestFromInner<Selecting>) { self.parent = parent }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { parent.combineIdentifier }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receive(otherSubscription: subscription) }

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    for index in 0..<batch.count { parent.keep(batch.baseAddress.unsafelyUnwrapped + index) }
    return .none
  }

  /// When this publisher finishes, its latest value stays.
  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard let ended = parent.other.end() else { return }
    if case .failure = completion { parent.end(completion) }
    withExtendedLifetime(ended) {}
  }
}

extension Publisher {
  /// Combines each of this publisher's values with the latest value of another.
  ///
  /// A value that comes before the other publisher's first is dropped and requested again: the downstream gets as many values as
  /// it requested. The other publisher is asked for all its values. The stream finishes when this publisher does; it goes on when
  /// the other one finishes. It fails with the first failure of either. When it ends or is cancelled, both are cancelled. The
  /// publishers may send from different threads; values are sent on the threads of this publisher.
  ///
  ///     let cancellable = saveButton.withLatestFrom(text) { _, text in text }.sink { save($0) }
  ///
  /// - Parameters:
  ///   - other: The publisher whose latest value is taken. It is subscribed to first.
  ///   - resultSelector: Makes the value that is sent. It is called on the thread on which this publisher's value arrives.
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
  ///     let cancellable = saveButton.withLatestFrom(text).sink { save($0) }
  ///
  /// - Parameter other: The publisher whose latest value is taken. It is subscribed to first.
  public func withLatestFrom<Other: Publisher>(
    _ other: Other
  ) -> Publishers.WithLatestFrom<Self, Other, Other.Output> where Other.Failure == Failure {
    withLatestFrom(other) { $1 }
  }
}
