import Synchronization

/// The part of a switchToLatest that is not generic.
///
/// Every value of the upstream is a publisher that is subscribed: unspecialized generic code would spend most of
/// its time on looking up types.
@usableFromInline
class SwitchToLatestCore {
  @usableFromInline final let upstream = SubscriptionSlot()
  /// Ended by cancelling, and by a failure of the latest publisher: nothing is sent after that.
  @usableFromInline final let delivery = DeliveryCore()
  @usableFromInline final let state = Cell(SwitchToLatestState())
  @usableFromInline final let drops = Drops()
  private final let promptRequest = PromptRequest.ofSubscription
  /// The number of the publisher, among those that were left, to which the thread that has the turn is
  /// subscribing; -1 if there is none. May be read at any time.
  private let starting = Atomic(-1)
  private let isStrict: Bool

  @usableFromInline
  init(isStrict: Bool) { self.isStrict = isStrict }

  // MARK: The downstream

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    precondition(demand != .none, "request more than no values")
    var isLeft = false
    let latest = delivery.serializer.runNow(
      { grant(demand) },
      busy: {
        delivery.serializer.enqueue(demand, of: self) { [self] demand in
          if let latest = grant(demand) { delivery.serializer.afterLeaving(request: demand, from: latest) }
        }
        isLeft = true
        return nil
      })
    latest?.request(demand)
    if isLeft, demand == .unlimited, promptRequest.isBeingMade { requestEverythingPromptly() }
  }

  /// The thread that grants the demand, which was left to it, may not be through with that soon enough.
  private final func requestEverythingPromptly() {
    let noted = delivery.serializer.change { (latest: grant(.unlimited), change: $0) }
    guard let noted, let latest = noted.latest else { return }
    request(.unlimited, from: latest, after: noted.change)
  }

  private final func grant(_ demand: Subscribers.Demand) -> (any Subscription & AnyObject)? {
    state.value.demand += demand
    return state.value.latest.subscription
  }

  /// Cancels the latest publisher, then the upstream: after leaving the gate, because the cancellation of a
  /// publisher may wait for a thread that sends.
  @usableFromInline
  final func cancel() {
    guard delivery.cancel() else { return }
    delivery.serializer.runNow(self, (), { inner, _ in inner.state.value.take() }) { inner, _, latest in
      Cancellation.ofSeveral {
        latest?.cancel()
        inner.upstream.end()?.cancel()
      }
    }
  }

  // MARK: The upstream

  @usableFromInline
  final func accept(_ subscription: any Subscription) {
    if upstream.accept(subscription) { subscription.request(.unlimited) }
  }

  /// Begins with a publisher that has arrived. Returns its number and the subscription of the one before.
  @usableFromInline typealias Next = (number: Int, previous: (any Subscription & AnyObject)?)

  @usableFromInline
  final func begin() -> Next? {
    delivery.refusesValue() ? nil : state.value.begin()
  }

  /// Cancels the previous publisher. Returns whether the next one is still to be subscribed to.
  @usableFromInline
  final func replace(with next: Next) -> Bool {
    guard let previous = next.previous else { return true }
    previous.cancel()
    return delivery.serializer.run(
      { !delivery.refusesValue() && state.value.expects(next.number) },
      // If it has been replaced too, its subscription is cancelled.
      busy: { !delivery.refusesValue() })
  }

  /// In turn: subscribes to a publisher that was left. What it sends meanwhile passes immediately: if it
  /// were left too, it would come too late when the next publisher had also been left.
  @usableFromInline
  final func start(_ number: Int, _ subscribe: () -> Void) {
    let outer = starting.exchange(number, ordering: .relaxed)
    subscribe()
    starting.store(outer, ordering: .relaxed)
  }

  /// Whether it is this thread's turn, and it is subscribing to that publisher.
  @usableFromInline
  final func isStarting(_ number: Int) -> Bool {
    _slowPath(starting.load(ordering: .relaxed) == number) && delivery.serializer.isEntered
  }

  // MARK: The latest publisher

  @usableFromInline
  final func receive(subscription: any Subscription, from number: Int) {
    if isStarting(number) { return request(accept(subscription, from: number), from: subscription) }
    guard let (demand, change) = delivery.serializer.change({ (accept(subscription, from: number), $0) })
    else {
      return delivery.serializer.enqueue { [self] in
        let demand = accept(subscription, from: number)
        delivery.serializer.afterLeaving { [self] in request(demand, from: subscription) }
      }
    }
    guard let demand, demand != .none else { return request(demand, from: subscription) }
    request(demand, from: subscription, after: change)
  }

  private final func request(
    _ demand: Subscribers.Demand, from subscription: any Subscription, after change: Serializer.Change
  ) {
    if delivery.serializer.request(demand, from: subscription, after: change) { return }
    delivery.serializer.enqueue { [self] in
      delivery.serializer.afterLeaving { subscription.request(demand) }
    }
  }

  private final func request(_ demand: Subscribers.Demand?, from subscription: any Subscription) {
    guard let demand else { return subscription.cancel() }
    if demand != .none { subscription.request(demand) }
  }

  private final func accept(_ subscription: any Subscription, from number: Int) -> Subscribers.Demand? {
    delivery.refusesValue() ? nil : state.value.accept(subscription, from: number, isStrict: isStrict)
  }
}

@usableFromInline
final class SwitchToLatestInner<Input, Output, Failure: Error>: SwitchToLatestCore, Subscriber, Subscription,
  Inner
{
  @usableFromInline static var name: String { "SwitchToLatest" }
  @usableFromInline typealias Child = SwitchToLatestChild<Input, Output, Failure>

  @usableFromInline let downstream: Downstream<Output, Failure>
  /// Subscribes a child to a publisher.
  @usableFromInline let attach: (Input, Child) -> Void
  /// The only value of a publisher, if it is known beforehand.
  @usableFromInline let single: (Input) -> SingleValue<Output>?

  @inlinable
  init(
    downstream: Downstream<Output, Failure>, isStrict: Bool,
    single: @escaping (Input) -> SingleValue<Output>?,
    attach: @escaping (Input, Child) -> Void
  ) {
    self.downstream = downstream
    self.single = single
    self.attach = attach
    super.init(isStrict: isStrict)
  }

  // MARK: The upstream

  @usableFromInline
  func receive(subscription: any Subscription) { accept(subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if let single = single(input), deliverWithoutChild(single.output) { return .none }
    let next = delivery.serializer.run(
      { begin() },
      busy: {
        leave(input)
        return nil
      })
    if let next { attach(input, next) }
    return .none
  }

  /// Delivers the only value of a publisher that sends it at the first request, if there is demand and no other publisher
  /// to cancel. It has the effect of subscribing to the publisher, at a fraction of the cost.
  @inlinable @inline(__always)
  func deliverWithoutChild(_ value: Output) -> Bool {
    delivery.serializer.run(
      {
        guard !delivery.isEnded, let number = state.value.beginSingle() else { return false }
        let more = downstream.receive(value)
        if !state.value.add(more, returnedFor: number) { requestFromLatest(more) }
        if !delivery.isEnded, state.value.completeSingle(number) { downstream.receive(completion: .finished) }
        return true
      }, busy: { false })
  }

  @usableFromInline @inline(never)
  func leave(_ input: Input) {
    delivery.serializer.enqueue { [self] in
      if let next = begin() { start(next.number) { attach(input, next) } }
    }
  }

  @inlinable
  func attach(_ input: Input, _ next: Next) {
    if replace(with: next) { drops.counting { attach(input, Child(self, next.number)) } }
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let ended = upstream.end()
    if case .finished = completion {
      delivery.serializer.run { [self] in
        if !delivery.isEnded, state.value.finishOuter() { downstream.receive(completion: .finished) }
      }
    } else {
      failOuter(completion)
    }
    withExtendedLifetime(ended) {}
  }

  private func failOuter(_ completion: Subscribers.Completion<Failure>) {
    delivery.serializer.run(self, completion) { inner, _ in
      inner.delivery.isEnded ? nil : Optional(inner.state.value.failOuter())
    } then: { inner, completion, latest in
      guard let latest else { return }
      latest?.cancel()
      inner.delivery.serializer.run {
        if !inner.delivery.isEnded { inner.downstream.receive(completion: completion) }
      }
    }
  }

  // MARK: The latest publisher

  @inlinable @inline(__always)
  func receive(_ batch: UnsafeBufferPointer<Output>, from number: Int) -> Subscribers.Demand {
    if isStarting(number) { return deliver(batch, from: number) }
    return delivery.serializer.run(
      { deliver(batch, from: number) }, busy: { enqueue(batch, from: number) })
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Output>, from number: Int) -> Subscribers.Demand {
    guard state.value.passes(number), !delivery.isEnded else { return .refused() }
    precondition(state.value.demand >= batch.count, "a value came without demand for it")
    state.value.demand -= batch.count
    let more = downstream.receive(contentsOf: batch)
    if state.value.add(more, returnedFor: number) { return more }
    requestFromLatest(more)
    return .none
  }

  /// Requests what was returned for a value of a publisher that has been replaced during the delivery. All
  /// demand is requested from a publisher that has no subscription yet, once it has one.
  @usableFromInline @inline(never)
  func requestFromLatest(_ more: Subscribers.Demand) {
    guard more != .none, let latest = state.value.latest.subscription else { return }
    delivery.serializer.afterLeaving(request: more, from: latest)
  }

  @usableFromInline @inline(never)
  func enqueue(_ batch: UnsafeBufferPointer<Output>, from number: Int) -> Subscribers.Demand {
    delivery.serializer.enqueue(copyOf: batch) { [self] in
      guard !state.value.hasSentCompletion else { return }
      let more = deliver($0, from: number)
      guard more != .none, state.value.number == number, let latest = state.value.latest.subscription
      else { return }
      delivery.serializer.afterLeaving(request: more, from: latest)
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>, from number: Int) {
    guard case .finished = completion else { return fail(completion, from: number) }
    if isStarting(number) { return retire(finish(number)) }
    delivery.serializer.run(self, number, releasing: { $0.finish($1) })
  }

  @usableFromInline
  func retire(_ subscription: (any Subscription & AnyObject)?) {
    if let subscription { delivery.serializer.retire(subscription) }
  }

  /// Returns the publisher's subscription.
  @usableFromInline
  func finish(_ number: Int) -> (any Subscription & AnyObject)? {
    if delivery.isEnded { return nil }
    let (isSent, ended) = state.value.complete(number, failing: false)
    if isSent { downstream.receive(completion: .finished) }
    return ended
  }

  /// Cancels the upstream, then sends the failure.
  @usableFromInline
  func fail(_ completion: Subscribers.Completion<Failure>, from number: Int) {
    if isStarting(number) { return failNow(completion, from: number) }
    delivery.serializer.run(self, (completion, number), { $0.beginFailure(of: $1.1) }) {
      inner, input, failure in
      guard failure.isSent else { return }
      inner.upstream.end()?.cancel()
      inner.delivery.serializer.run { inner.send(input.0) }
    }
  }

  /// In turn.
  private func failNow(_ completion: Subscribers.Completion<Failure>, from number: Int) {
    let (isSent, ended) = beginFailure(of: number)
    retire(ended)
    guard isSent else { return }
    upstream.end()?.cancel()
    send(completion)
  }

  private func send(_ completion: Subscribers.Completion<Failure>) {
    if !delivery.isCancelled { downstream.receive(completion: completion) }
  }

  private func beginFailure(of number: Int) -> (isSent: Bool, ended: (any Subscription & AnyObject)?) {
    if delivery.isEnded { return (false, nil) }
    let (isSent, ended) = state.value.complete(number, failing: true)
    return (isSent && delivery.end(), ended)
  }
}

/// Subscribes to one of the publishers that the upstream sends.
@usableFromInline
final class SwitchToLatestChild<OuterInput, Input, Failure: Error>: Subscriber, ReliesOnRules,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline let parent: SwitchToLatestInner<OuterInput, Input, Failure>
  @usableFromInline let number: Int

  @inlinable
  init(_ parent: SwitchToLatestInner<OuterInput, Input, Failure>, _ number: Int) {
    self.parent = parent
    self.number = number
  }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receive(subscription: subscription, from: number) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { parent.receive(one($0), from: number) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    return parent.receive(batch, from: number)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    parent.receive(completion: completion, from: number)
  }

  @usableFromInline var description: String { "SwitchToLatest" }
  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["parentSubscription": parent.combineIdentifier])
  }
  @usableFromInline var playgroundDescription: Any { description }
}
