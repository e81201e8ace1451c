extension Publishers {
  /// A publisher that sends those of its upstream's values whose positions are in a range.
  ///
  /// Made by ``Publisher/output(in:)``, ``Publisher/output(at:)`` and ``Publisher/prefix(_:)``, which describe
  /// it.
  public struct Output<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The positions of the values to send.
    public let range: CountableRange<Int>

    /// Traps if a bound of `range` is negative.
    @inlinable
    public init(upstream: Upstream, range: CountableRange<Int>) {
      precondition(range.lowerBound >= 0, "the range starts before the first value")
      precondition(range.upperBound >= 0, "the range ends before the first value")
      self.upstream = upstream
      self.range = range
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(
      subscriber: S
    ) where Upstream.Failure == S.Failure, Upstream.Output == S.Input {
      upstream.subscribe(OutputInner(downstream: Downstream(subscriber), range: range))
    }
  }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}

@usableFromInline
final class OutputInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Output" }

  /// How many values are still to be skipped, and then to be sent. As in Combine, they are counted whether or not
  /// there is a subscription.
  @frozen
  @usableFromInline
  struct Remaining {
    @usableFromInline var skipped: Int
    @usableFromInline var sent: Int
    /// Whether the last value has been sent, or is being sent.
    @usableFromInline var isComplete = false

    @inlinable
    init(_ range: Range<Int>) {
      skipped = range.lowerBound
      sent = range.count
    }
  }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let remaining: Cell<Remaining>
  @usableFromInline let upstream = SubscriptionSlot()

  @inlinable
  init(downstream: Downstream<Input, Failure>, range: Range<Int>) {
    self.downstream = downstream
    remaining = Cell(Remaining(range))
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { downstream.receive(subscription: self) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    if remaining.value.skipped > 0 {
      remaining.value.skipped -= 1
      return .max(1)
    }
    guard remaining.value.sent > 0 else {
      finish()
      return .refused()
    }
    remaining.value.sent -= 1
    remaining.value.isComplete = remaining.value.sent == 0
    let demand = downstream.receive(contentsOf: batch)
    if remaining.value.sent == 0 { finish() }
    return demand
  }

  @usableFromInline
  func finish() {
    guard let subscription = upstream.endIfSubscribed() else { return }
    subscription.cancel()
    downstream.receive(completion: .finished)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard upstream.endIfSubscribed() != nil else { return }
    // The subscriber may end the upstream while it receives the last value: the stream still finishes, since all values
    // have come.
    downstream.receive(completion: remaining.value.isComplete ? .finished : completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { upstream.current?.request(demand) }

  @usableFromInline
  func cancel() { upstream.endIfSubscribed()?.cancel() }
}

extension Publisher {
  /// Sends the first `maxLength` values, then finishes.
  ///
  /// Demand passes through. After the last value the upstream is cancelled and the stream finishes, even if the
  /// upstream fails while the last value is received; with a `maxLength` of 0 this happens at the first value. Traps if
  /// `maxLength` is negative. Values stay on the thread on which they arrive.
  ///
  ///     let cancellable = (1...).publisher.prefix(2).sink { print($0) }
  ///     // 1, 2
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> { output(in: ..<maxLength) }

  /// Sends the value at a position, the first being 0, then finishes.
  ///
  /// Demand, completion and threads are those of ``output(in:)``. Traps if `index` is negative or `Int.max`.
  ///
  ///     let cancellable = ["a", "b", "c"].publisher.eraseToAnyPublisher().output(at: 1).sink { print($0) }
  ///     // b
  @inlinable
  public func output(at index: Int) -> Publishers.Output<Self> { output(in: index...index) }

  /// Sends the values at the positions in `range`, then finishes.
  ///
  /// For each value before the range one more is requested. After the last value the upstream is cancelled and the
  /// stream finishes, even if the upstream fails while the last value is received. Traps if a bound is negative. Values
  /// stay on the thread on which they arrive.
  ///
  ///     let cancellable = ["a", "b", "c", "d"].publisher.eraseToAnyPublisher().output(in: 1...2).sink { print($0) }
  ///     // b, c
  @inlinable
  public func output<RangeExpression: Swift.RangeExpression>(
    in range: RangeExpression
  ) -> Publishers.Output<Self> where RangeExpression.Bound == Int {
    Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }
}
