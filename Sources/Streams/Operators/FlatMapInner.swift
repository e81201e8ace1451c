import Synchronization

@usableFromInline
final class FlatMapInner<Input, Output, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "FlatMap" }
  @usableFromInline typealias Child = FlatMapChild<Input, Output, Failure>

  @usableFromInline let downstream: Downstream<Output, Failure>
  @usableFromInline let maxPublishers: Subscribers.Demand
  /// Makes a publisher of a value and subscribes a child to it.
  @usableFromInline let attach: (Input, FlatMapInner) -> Void
  @usableFromInline let upstream = SubscriptionSlot()
  @usableFromInline let serializer = Serializer()
  @usableFromInline let state = Cell(FlatMapState<Child, Output>())
  /// The children that have a subscription. Belongs to whoever runs a signal.
  @usableFromInline let children = Cell<ContiguousArray<Child>>([])
  /// How many children have been made and have no subscription yet.
  @usableFromInline let expectedCount = Atomic(0)
  /// False once nothing new is to begin: after the end, after cancelling.
  @usableFromInline let isRunning = Atomic(true)
  @usableFromInline let isCancelled = Atomic(false)

  @inlinable
  init(
    downstream: Downstream<Output, Failure>, maxPublishers: Subscribers.Demand,
    attach: @escaping (Input, FlatMapInner) -> Void
  ) {
    self.downstream = downstream
    self.maxPublishers = maxPublishers
    self.attach = attach
  }

  // MARK: The upstream

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.accept(subscription) { subscription.request(maxPublishers) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if isRunning.load(ordering: .relaxed) { attach(input, self) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    let ended = upstream.end()
    serializer.perform { [self] in
      switch completion {
      case .finished:
        state.value.outerIsFinished = true
        finishIfDone()
      case .failure:
        failFromUpstream(completion)
      }
    }
    withExtendedLifetime(ended) {}
  }

  private func failFromUpstream(_ completion: Subscribers.Completion<Failure>) {
    precondition(
      !state.value.isCancellingChildren, "a publisher failed again while its failure was being handled")
    guard state.value.phase == .running, !isCancelled.load(ordering: .relaxed) else { return }
    isRunning.store(false, ordering: .relaxed)
    state.value.phase = .failing
    state.value.isCancellingChildren = true
    cancelChildren()
    state.value.isCancellingChildren = false
    sendFailure(completion)
  }

  private func sendFailure(_ completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion)
    state.value.phase = .ended
  }

  // MARK: The downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    guard isRunning.load(ordering: .relaxed) else { return }
    serializer.run({ grant(demand) }, busy: { serializer.submit { [self] in grant(demand) } })
  }

  private func grant(_ demand: Subscribers.Demand) {
    state.value.demand += demand
    flush()
  }

  @usableFromInline
  func cancel() {
    guard isRunning.exchange(false, ordering: .relaxed) else { return }
    isCancelled.store(true, ordering: .relaxed)
    serializer.perform { [self] in
      state.value.phase = .ended
      cancelChildren()
      upstream.end()?.cancel()
    }
  }

  // MARK: In turn

  /// Sends what was kept, as far as it is demanded now.
  ///
  /// Does nothing within a delivery: whoever delivers does it afterwards, and so nothing recurses.
  @usableFromInline
  func flush() {
    guard state.value.depth == 0 else { return }
    state.value.depth = 1
    while let (child, value) = state.value.next() {
      let more = downstream.receive(value)
      state.value.demand += more
      if state.value.demand != .unlimited { askForNext(child) }
    }
    state.value.depth = 0
    if state.value.becomeUnlimited() {
      let subscriptions = children.value.compactMap { $0.subscription.value }
      serializer.afterLeaving { for subscription in subscriptions { subscription.request(.unlimited) } }
    }
    finishIfDone()
  }

  private func askForNext(_ child: Child) {
    guard let subscription = child.subscription.value else { return }
    state.value.isRequesting = true
    subscription.request(.max(1))
    state.value.isRequesting = false
  }

  @usableFromInline @discardableResult
  func finishIfDone() -> Bool {
    let liveCount = children.value.count + expectedCount.load(ordering: .relaxed)
    guard !isCancelled.load(ordering: .relaxed), state.value.finish(liveCount: liveCount) else {
      return false
    }
    isRunning.store(false, ordering: .relaxed)
    downstream.receive(completion: .finished)
    return true
  }

  /// Takes all children out and cancels them.
  private func cancelChildren() {
    let dropped = (state.value.buffer.removeAll(), children.value)
    children.value = []
    for child in dropped.1 { child.subscription.value.take()?.cancel() }
  }
}

// MARK: - Children's signals

extension FlatMapInner {
  /// Announces a child. Returns false if there is to be none any more.
  @inlinable
  func expectChild() -> Bool {
    guard isRunning.load(ordering: .relaxed) else { return false }
    expectedCount.wrappingAdd(1, ordering: .relaxed)
    return true
  }

  @usableFromInline
  func receive(subscription: any Subscription, from child: Child) {
    serializer.run(
      { accept(subscription, from: child) },
      busy: {
        serializer.submit { [self] in
          let start = accept(subscription, from: child)
          serializer.afterLeaving { start.perform(on: subscription) }
        }
        return .later
      }
    ).perform(on: subscription)
  }

  /// What to do with a child's subscription.
  @usableFromInline
  enum Start {
    case request(Subscribers.Demand)
    case cancel
    case later

    @usableFromInline
    func perform(on subscription: any Subscription) {
      switch self {
      case .request(let demand): subscription.request(demand)
      case .cancel: subscription.cancel()
      case .later: break
      }
    }
  }

  private func accept(_ subscription: any Subscription, from child: Child) -> Start {
    guard child.progress.value == .expected else { return .cancel }
    child.progress.value = .subscribed
    expectedCount.wrappingSubtract(1, ordering: .relaxed)
    guard state.value.phase == .running else { return .cancel }
    child.subscription.value = subscription
    child.position.value = children.value.count
    children.value.append(child)
    return .request(state.value.initialDemand)
  }

  @inlinable @inline(__always)
  func receive(
    _ batch: UnsafeBufferPointer<Output>, from child: Child
  ) -> Subscribers.Demand {
    serializer.run({ deliver(batch, from: child) }, busy: { enqueue(batch, from: child) })
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Output>, from child: Child) -> Subscribers.Demand {
    guard state.value.phase == .running, state.value.demand == .unlimited else {
      return deliverLimited(batch, from: child)
    }
    if !isCancelled.load(ordering: .relaxed) { _ = downstream.deliver(batch) }
    return .none
  }

  /// Delivers what is demanded and keeps the rest. Returns demand for as many values as were delivered.
  @usableFromInline
  func deliverLimited(_ batch: UnsafeBufferPointer<Output>, from child: Child) -> Subscribers.Demand {
    var delivered = Subscribers.Demand.none
    for value in batch {
      guard state.value.isOpen, !isCancelled.load(ordering: .relaxed) else { return .none }
      guard state.value.takeDemand() else {
        state.value.buffer.append((child, value))
        continue
      }
      delivered += 1
      state.value.depth += 1
      let more = downstream.receive(value)
      state.value.depth -= 1
      state.value.demand += more
    }
    flush()
    return delivered
  }

  @usableFromInline @inline(never)
  func enqueue(_ batch: UnsafeBufferPointer<Output>, from child: Child) -> Subscribers.Demand {
    let copy = Array(batch)
    serializer.submit { [self] in
      let more = copy.withUnsafeBufferPointer { deliver($0, from: child) }
      guard more != .none, let subscription = child.subscription.value else { return }
      serializer.afterLeaving { subscription.request(more) }
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>, from child: Child) {
    switch completion {
    case .finished:
      let wantsMore = serializer.run(
        { remove(child) },
        busy: {
          serializer.submit { [self] in
            if remove(child) { serializer.afterLeaving { [self] in requestPublisher() } }
          }
          return false
        })
      if wantsMore { requestPublisher() }
    case .failure:
      serializer.perform { [self] in fail(completion, from: child) }
    }
  }

  private func requestPublisher() { upstream.current?.request(.max(1)) }

  /// Forgets a child that has finished. Returns whether to request another value from the upstream.
  private func remove(_ child: Child) -> Bool {
    if child.progress.value == .expected { expectedCount.wrappingSubtract(1, ordering: .relaxed) }
    child.progress.value = .finished
    let ended = child.subscription.value.take()
    if ended != nil { removeFromChildren(child) }
    return !finishIfDone() && maxPublishers != .unlimited
  }

  private func removeFromChildren(_ child: Child) {
    let position = child.position.value
    let last = children.value.removeLast()
    guard last !== child else { return }
    last.position.value = position
    children.value[position] = last
  }

  private func fail(_ completion: Subscribers.Completion<Failure>, from child: Child) {
    guard state.value.phase == .running, !isCancelled.load(ordering: .relaxed) else { return }
    isRunning.store(false, ordering: .relaxed)
    state.value.phase = .failing
    child.subscription.value = nil
    cancelChildren()
    sendFailure(completion)
  }
}

/// Subscribes to one of the publishers that a flatMap has made.
@usableFromInline
final class FlatMapChild<OuterInput, Input, Failure: Error>: Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline
  enum Progress { case expected, subscribed, finished }

  @usableFromInline let parent: FlatMapInner<OuterInput, Input, Failure>
  // All of these belong to whoever runs a signal of the parent.
  @usableFromInline let subscription = Cell<(any Subscription)?>(nil)
  @usableFromInline let progress = Cell(Progress.expected)
  /// The place among the parent's children.
  @usableFromInline let position = Cell(0)

  @inlinable
  init(_ parent: FlatMapInner<OuterInput, Input, Failure>) { self.parent = parent }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receive(subscription: subscription, from: self) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { parent.receive(UnsafeBufferPointer(start: $0, count: 1), from: self) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    parent.receive(batch, from: self)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    parent.receive(completion: completion, from: self)
  }

  @usableFromInline var description: String { "FlatMap" }
  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["parentSubscription": parent.combineIdentifier])
  }
  @usableFromInline var playgroundDescription: Any { description }
}
