import Synchronization

/// What a switchToLatest has to remember. Belongs to whoever runs a signal.
@usableFromInline
struct SwitchToLatestState {
  /// The number of the latest publisher, also when it has finished. The first is 1.
  @usableFromInline var latest = 0
  @usableFromInline var subscription: (any Subscription)?
  @usableFromInline var isAwaitingSubscription = false
  /// The downstream's demand that has not been met.
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var outerIsFinished = false
  @usableFromInline var hasSentCompletion = false
  /// The thread on which the upstream failed, 0 before.
  @usableFromInline var failingThread: UInt32 = 0
  /// A publisher that began only after the failure: its values are not sent.
  @usableFromInline var lateStarter = 0

  @inlinable
  init() {}

  /// Makes room for the next publisher. Returns the subscription of the one before.
  @inlinable
  mutating func begin() -> (any Subscription)? {
    latest += 1
    isAwaitingSubscription = true
    return subscription.take()
  }

  /// What to request from the subscription of a publisher, or nil if it is to be cancelled.
  @inlinable
  mutating func accept(_ new: any Subscription, from number: Int) -> Subscribers.Demand? {
    guard number == latest, subscription == nil else { return nil }
    subscription = new
    isAwaitingSubscription = false
    if failingThread != 0 { lateStarter = number }
    return demand
  }

  /// After a failure Combine still passes on the values of a publisher that ignores its cancellation. Values that
  /// were only on their way, on another thread, are dropped.
  @usableFromInline
  func isTooLate(_ number: Int) -> Bool { failingThread != Gate.currentThread || lateStarter == number }

  /// Whether to send the latest publisher's completion.
  @inlinable
  mutating func complete(_ number: Int, failing: Bool) -> Bool {
    guard number == latest else { return false }
    precondition(!isAwaitingSubscription, "a publisher completed before it sent its subscription")
    subscription = nil
    guard !hasSentCompletion, failing || outerIsFinished else { return false }
    hasSentCompletion = true
    return true
  }

  /// Whether the outer publisher's finish ends the stream.
  @usableFromInline
  mutating func finishOuter() -> Bool {
    outerIsFinished = true
    guard !isAwaitingSubscription, subscription == nil else { return false }
    hasSentCompletion = true
    return true
  }

  /// Ends the stream because the outer publisher has failed. Returns the subscription to cancel.
  @usableFromInline
  mutating func failOuter() -> (any Subscription)? {
    outerIsFinished = true
    hasSentCompletion = true
    failingThread = Gate.currentThread
    return subscription.take()
  }
}

/// The part of a switchToLatest that knows no types.
///
/// Every value of the upstream is a publisher that is subscribed, so this is not generic: code that knows types at
/// run time only would spend most of its time on looking them up.
@usableFromInline
class SwitchToLatestCore {
  @usableFromInline final let upstream = SubscriptionSlot()
  @usableFromInline final let serializer = Serializer()
  @usableFromInline final let state = Cell(SwitchToLatestState())
  /// True after cancelling, and after a failure of the latest publisher.
  @usableFromInline final let isSilent = Atomic(false)

  @usableFromInline
  init() {}

  // MARK: The downstream

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    let latest = serializer.runNow(
      { grant(demand) },
      busy: {
        serializer.submit { [self] in
          if let latest = grant(demand) { serializer.afterLeaving { latest.request(demand) } }
        }
        return nil
      })
    latest?.request(demand)
  }

  private final func grant(_ demand: Subscribers.Demand) -> (any Subscription)? {
    state.value.demand += demand
    return state.value.subscription
  }

  @usableFromInline
  final func cancel() {
    isSilent.store(true, ordering: .relaxed)
    serializer.post { [self] in
      state.value.subscription.take()?.cancel()
      upstream.end()?.cancel()
    }
  }

  // MARK: The upstream

  @usableFromInline
  final func accept(_ subscription: any Subscription) {
    if upstream.accept(subscription) { subscription.request(.unlimited) }
  }

  /// Cancels the publisher before. Returns the number of the next one, or nil if there is to be none any more.
  @usableFromInline
  final func begin() -> Int? {
    guard !isSilent.load(ordering: .relaxed), !state.value.outerIsFinished else { return nil }
    let previous = state.value.begin()
    let number = state.value.latest
    previous?.cancel()
    return number
  }

  // MARK: The latest publisher

  @usableFromInline
  final func receive(subscription: any Subscription, from number: Int) {
    let demand = serializer.run(
      { accept(subscription, from: number) },
      refused: {
        serializer.submit { [self] in
          let demand = accept(subscription, from: number)
          serializer.afterLeaving { Self.start(subscription, demand) }
        }
        return Subscribers.Demand.none
      })
    Self.start(subscription, demand)
  }

  private final func accept(_ subscription: any Subscription, from number: Int) -> Subscribers.Demand? {
    isSilent.load(ordering: .relaxed) ? nil : state.value.accept(subscription, from: number)
  }

  private static func start(_ subscription: any Subscription, _ demand: Subscribers.Demand?) {
    guard let demand else { return subscription.cancel() }
    if demand != .none { subscription.request(demand) }
  }

  /// Whether to send the completion of a publisher.
  @usableFromInline
  final func complete(_ number: Int, failing: Bool) -> Bool {
    guard !isSilent.load(ordering: .relaxed), state.value.complete(number, failing: failing) else {
      return false
    }
    if failing {
      isSilent.store(true, ordering: .relaxed)
      upstream.end()?.cancel()
    }
    return true
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

  @inlinable
  init(downstream: Downstream<Output, Failure>, attach: @escaping (Input, Child) -> Void) {
    self.downstream = downstream
    self.attach = attach
    super.init()
  }

  // MARK: The upstream

  @usableFromInline
  func receive(subscription: any Subscription) { accept(subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    let number = serializer.run({ begin() }, refused: { enqueue(input) })
    if let number { attach(input, Child(self, number)) }
    return .none
  }

  @usableFromInline @inline(never)
  func enqueue(_ input: Input) -> Int? {
    serializer.submit { [self] in
      guard let number = begin() else { return }
      serializer.afterLeaving { [self] in attach(input, Child(self, number)) }
    }
    return nil
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let ended = upstream.end()
    serializer.perform { [self] in
      guard !isSilent.load(ordering: .relaxed) else { return }
      switch completion {
      case .finished:
        if state.value.finishOuter() { downstream.receive(completion: .finished) }
      case .failure:
        state.value.failOuter()?.cancel()
        downstream.receive(completion: completion)
      }
    }
    withExtendedLifetime(ended) {}
  }

  // MARK: The latest publisher

  @inlinable @inline(__always)
  func receive(_ batch: UnsafeBufferPointer<Output>, from number: Int) -> Subscribers.Demand {
    serializer.run({ deliver(batch, from: number) }, refused: { enqueue(batch, from: number) })
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Output>, from number: Int) -> Subscribers.Demand {
    guard state.value.latest == number, !isSilent.load(ordering: .relaxed) else { return .none }
    if state.value.failingThread != 0, state.value.isTooLate(number) { return .none }
    precondition(state.value.demand >= batch.count, "a value came without demand for it")
    state.value.demand -= batch.count
    let more = downstream.deliver(batch)
    state.value.demand += more
    return more
  }

  @usableFromInline @inline(never)
  func enqueue(_ batch: UnsafeBufferPointer<Output>, from number: Int) -> Subscribers.Demand {
    serializer.submit(copyOf: batch) { [self] in
      guard !state.value.hasSentCompletion else { return }
      let more = deliver($0, from: number)
      guard more != .none, state.value.latest == number, let subscription = state.value.subscription
      else { return }
      serializer.afterLeaving { subscription.request(more) }
    }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>, from number: Int) {
    serializer.run(
      { complete(completion, from: number) },
      refused: {
        serializer.submit { [self] in complete(completion, from: number) }
      })
  }

  @inlinable @inline(__always)
  func complete(_ completion: Subscribers.Completion<Failure>, from number: Int) {
    let isFailure = if case .failure = completion { true } else { false }
    if complete(number, failing: isFailure) { downstream.receive(completion: completion) }
  }
}

/// Subscribes to one of the publishers that the upstream sends.
@usableFromInline
final class SwitchToLatestChild<OuterInput, Input, Failure: Error>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
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
    parent.receive(batch, from: number)
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
