public import Streams

extension Publishers {
  /// A publisher that sends the latest value of its upstream whenever another publisher sends one.
  ///
  /// Made by `Publisher/sample(on:)`, which describes it.
  public struct Sample<Upstream: Publisher, Trigger: Publisher>: Publisher
  where Upstream.Failure == Trigger.Failure {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its publishers do.
    public typealias Failure = Upstream.Failure

    /// The publisher whose latest value is sent.
    public let upstream: Upstream
    /// The publisher whose values trigger the samples.
    public let trigger: Trigger

    /// Makes the publisher that `sample(on:)` returns.
    @inlinable
    public init(upstream: Upstream, trigger: Trigger) {
      self.upstream = upstream
      self.trigger = trigger
    }

    /// Subscribes to the trigger and then to the upstream, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = SampleInner<Output, Failure>(Downstream(subscriber))
      trigger.subscribe(SampleTrigger<Trigger.Output, Output, Failure>(inner))
      upstream.subscribe(inner)
    }
  }
}

extension Publishers.Sample: Equatable where Upstream: Equatable, Trigger: Equatable {}

@usableFromInline
final class SampleInner<Input, Failure: Error>: AccompaniedInner<Input, Failure>, BatchSubscriber,
  Inner
{
  @usableFromInline static var name: String { "Sample" }

  @usableFromInline let demand = DemandCounter()
  /// The latest value, unless it has been sent. Accessed only in the serializer.
  @usableFromInline let latest = Cell<Input?>(nil)
  private let upstreamIsOver = Cell(false)
  private let drops = Drops()

  /// The downstream's demand counts samples and does not reach the upstream.
  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    self.demand.add(demand)
  }

  @usableFromInline
  override var demandOfUpstream: Subscribers.Demand { .unlimited }

  @usableFromInline
  override func dropValues() {
    if let dropped = latest.value.take() { delivery.serializer.retire(dropped) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard let value = batch.last, upstream.phase == .subscribed else { return .refused() }
    delivery.serializer.run(self, value, releasing: { $0.keep($1) })
    return .none
  }

  @inlinable
  func keep(_ value: Input) -> Input? {
    delivery.isEnded ? nil : exchange(&latest.value, with: value)
  }

  /// The last value waits for the trigger before the stream finishes.
  @usableFromInline
  override func receive(completion: Subscribers.Completion<Failure>) {
    guard case .finished = completion else { return super.receive(completion: completion) }
    guard let ended = upstream.end() else { return }
    delivery.serializer.run { [self] in
      upstreamIsOver.value = true
      finishIfNothingWaits()
    }
    withExtendedLifetime(ended) {}
  }

  // MARK: The trigger

  @inlinable
  func sample() {
    delivery.serializer.run { [self] in
      deliver()
      finishIfNothingWaits()
    }
  }

  @usableFromInline
  func sampleForTheLastTime() {
    delivery.serializer.run { [self] in
      deliver()
      if latest.value != nil, !delivery.isEnded { drops.add(1) }
      delivery.serializer.afterLeaving { [self] in end(.finished) }
    }
  }

  /// A failure of the trigger. If the stream's last value is just being received, the stream finishes instead.
  @usableFromInline
  func fail(_ completion: Subscribers.Completion<Failure>) {
    delivery.serializer.run(self, completion, { inner, _ in inner.isComplete }) {
      inner, completion, isComplete in
      inner.end(isComplete ? .finished : completion)
    }
  }

  private var isComplete: Bool { upstreamIsOver.value && latest.value == nil }

  /// Runs in the serializer. Without demand the value stays the latest.
  @inlinable
  func deliver() {
    guard !delivery.isEnded, latest.value != nil, demand.take(upTo: 1) == 1,
      let value = latest.value.take()
    else { return }
    demand.add(delivery.downstream.receive(value))
  }

  @usableFromInline
  func finishIfNothingWaits() {
    guard isComplete, !delivery.isEnded else { return }
    delivery.serializer.afterLeaving { [self] in end(.finished) }
  }
}

/// Subscribes to the publisher whose values trigger the samples.
@usableFromInline
final class SampleTrigger<Input, Output, Failure: Error>: BatchSubscriber {
  @usableFromInline let parent: SampleInner<Output, Failure>

  @inlinable
  init(_ parent: SampleInner<Output, Failure>) { self.parent = parent }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { parent.combineIdentifier }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receive(otherSubscription: subscription) }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    if parent.other.phase == .subscribed { parent.sample() }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard let ended = parent.other.end() else { return }
    switch completion {
    case .finished: parent.sampleForTheLastTime()
    case .failure: parent.fail(completion)
    }
    withExtendedLifetime(ended) {}
  }
}

extension Publisher {
  /// Sends the latest value whenever another publisher sends one, unless it has been sent already.
  ///
  /// Both publishers are asked for all values. A value stays the latest while there is no demand for it. When this publisher has
  /// finished, its last value waits for the other one, and then the stream finishes. When the other one finishes, that triggers a
  /// last sample, which is dropped if there is no demand for it, and the stream finishes. It fails with the first failure of
  /// either. When it ends or is cancelled, both are cancelled. The publishers may send from different threads; values are sent on
  /// the threads of the other publisher.
  ///
  ///     let cancellable = position.sample(on: Timer.publish(every: 1, on: .main, in: .common).autoconnect()).sink { show($0) }
  ///
  /// - Parameter trigger: The publisher whose values trigger the samples. It is subscribed to first.
  @inlinable
  public func sample<Trigger: Publisher>(
    on trigger: Trigger
  ) -> Publishers.Sample<Self, Trigger> where Trigger.Failure == Failure {
    Publishers.Sample(upstream: self, trigger: trigger)
  }
}
