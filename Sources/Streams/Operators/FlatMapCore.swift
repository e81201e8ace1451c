import Synchronization

/// A subscriber to one of the publishers that a flatMap has made, without the types of its values.
@usableFromInline
class FlatMapBranch {
  @usableFromInline
  enum Progress { case expected, subscribed, finished }

  @usableFromInline final let core: FlatMapCore
  // All of these belong to whoever runs a signal.
  @usableFromInline final let subscription = Cell<(any Subscription)?>(nil)
  @usableFromInline final let progress = Cell(Progress.expected)
  /// The place among the children.
  @usableFromInline final let position = Cell(0)

  @inlinable
  init(_ core: FlatMapCore) { self.core = core }

  @usableFromInline
  final func receive(subscription: any Subscription) { core.receive(subscription: subscription, from: self) }
}

/// The part of a flatMap that knows no types: its children, its demand and its end.
///
/// Every value of the upstream makes a child, so this is not generic: code that knows types at run time only would
/// spend most of its time on looking them up.
@usableFromInline
class FlatMapCore {
  @usableFromInline final let maxPublishers: Subscribers.Demand
  @usableFromInline final let upstream = SubscriptionSlot()
  @usableFromInline final let serializer = Serializer()
  @usableFromInline final let state = Cell(FlatMapState())
  /// The children that have a subscription. Belongs to whoever runs a signal.
  @usableFromInline final let children = Cell<ContiguousArray<FlatMapBranch>>([])
  /// How many children have been made and have no subscription yet.
  @usableFromInline final let expectedCount = Atomic(0)
  /// False once nothing new is to begin: after the end, after cancelling.
  @usableFromInline final let isRunning = Atomic(true)
  @usableFromInline final let isCancelled = Atomic(false)

  @usableFromInline
  init(maxPublishers: Subscribers.Demand) { self.maxPublishers = maxPublishers }

  // MARK: What the types are needed for

  /// Sends the values that were kept, as far as they are demanded now.
  @usableFromInline
  func sendKept() {}

  /// Drops the values that were kept.
  @usableFromInline
  func dropKept() {}

  /// Sends the downstream its completion.
  @usableFromInline
  func sendFinished() {}

  // MARK: The downstream

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    guard isRunning.load(ordering: .relaxed) else { return }
    serializer.runNow({ grant(demand) }, busy: { serializer.submit { [self] in grant(demand) } })
  }

  private final func grant(_ demand: Subscribers.Demand) {
    state.value.demand += demand
    flush()
  }

  @usableFromInline
  final func cancel() {
    guard isRunning.exchange(false, ordering: .relaxed) else { return }
    isCancelled.store(true, ordering: .relaxed)
    serializer.post { [self] in
      state.value.phase = .ended
      cancelChildren()
      upstream.end()?.cancel()
    }
  }

  // MARK: The upstream

  @usableFromInline
  final func accept(_ subscription: any Subscription) {
    if upstream.accept(subscription) { subscription.request(maxPublishers) }
  }

  @usableFromInline
  final func finishUpstream() {
    let ended = upstream.end()
    serializer.perform { [self] in
      state.value.outerIsFinished = true
      finishIfDone()
    }
    withExtendedLifetime(ended) {}
  }

  /// Whether the upstream's failure ends the stream; the children have been cancelled then.
  final func beginFailureOfUpstream() -> Bool {
    precondition(
      !state.value.isCancellingChildren, "a publisher failed again while its failure was being handled")
    guard beginFailure() else { return false }
    state.value.isCancellingChildren = true
    cancelChildren()
    state.value.isCancellingChildren = false
    return true
  }

  /// Whether the failure of a child ends the stream; its siblings have been cancelled then.
  final func beginFailure(of child: FlatMapBranch) -> Bool {
    guard beginFailure() else { return false }
    child.subscription.value = nil
    cancelChildren()
    return true
  }

  private final func beginFailure() -> Bool {
    guard state.value.phase == .running, !isCancelled.load(ordering: .relaxed) else { return false }
    isRunning.store(false, ordering: .relaxed)
    state.value.phase = .failing
    return true
  }

  // MARK: In turn

  /// Sends what was kept, as far as it is demanded now, and what follows from that.
  ///
  /// Does nothing within a delivery: whoever delivers does it afterwards, and so nothing recurses.
  @usableFromInline
  final func flush() {
    guard state.value.depth == 0 else { return }
    state.value.depth = 1
    if state.value.keptCount > 0 { sendKept() }
    state.value.depth = 0
    if state.value.becomeUnlimited() {
      let subscriptions = children.value.compactMap { $0.subscription.value }
      serializer.afterLeaving { for subscription in subscriptions { subscription.request(.unlimited) } }
    }
    finishIfDone()
  }

  @usableFromInline
  final func askForNext(_ child: FlatMapBranch) {
    guard state.value.demand != .unlimited, let subscription = child.subscription.value else { return }
    state.value.isRequesting = true
    subscription.request(.max(1))
    state.value.isRequesting = false
  }

  @inlinable @inline(__always) @discardableResult
  final func finishIfDone() -> Bool { state.value.outerIsFinished && finishIfNothingIsLeft() }

  @usableFromInline
  final func finishIfNothingIsLeft() -> Bool {
    guard !isCancelled.load(ordering: .relaxed) else { return false }
    let liveCount = children.value.count + expectedCount.load(ordering: .relaxed)
    guard state.value.finish(liveCount: liveCount) else { return false }
    isRunning.store(false, ordering: .relaxed)
    sendFinished()
    return true
  }

  /// Takes all children out and cancels them.
  private final func cancelChildren() {
    dropKept()
    let dropped = children.value
    children.value = []
    for child in dropped { child.subscription.value.take()?.cancel() }
  }
}

// MARK: - Children

extension FlatMapCore {
  /// Announces a child. Returns false if there is to be none any more.
  @inlinable
  final func expectChild() -> Bool {
    guard isRunning.load(ordering: .relaxed) else { return false }
    expectedCount.wrappingAdd(1, ordering: .relaxed)
    return true
  }

  final func receive(subscription: any Subscription, from child: FlatMapBranch) {
    serializer.run(
      { accept(subscription, from: child) },
      refused: {
        serializer.submit { [self] in
          let start = accept(subscription, from: child)
          serializer.afterLeaving { start.perform(on: subscription) }
        }
        return .later
      }
    ).perform(on: subscription)
  }

  /// What to do with a child's subscription.
  private enum Start {
    case request(Subscribers.Demand)
    case cancel
    case later

    func perform(on subscription: any Subscription) {
      switch self {
      case .request(let demand): subscription.request(demand)
      case .cancel: subscription.cancel()
      case .later: break
      }
    }
  }

  private final func accept(_ subscription: any Subscription, from child: FlatMapBranch) -> Start {
    guard child.progress.value == .expected else { return .cancel }
    child.progress.value = .subscribed
    expectedCount.wrappingSubtract(1, ordering: .relaxed)
    guard state.value.phase == .running else { return .cancel }
    child.subscription.value = subscription
    child.position.value = children.value.count
    children.value.append(child)
    return .request(state.value.demand == .unlimited ? .unlimited : .max(1))
  }

  @usableFromInline
  final func finish(_ child: FlatMapBranch) {
    let wantsMore = serializer.run(
      { remove(child) },
      refused: {
        serializer.submit { [self] in
          if remove(child) { serializer.afterLeaving { [self] in requestPublisher() } }
        }
        return false
      })
    if wantsMore { requestPublisher() }
  }

  @usableFromInline
  final func requestPublisher() { upstream.current?.request(.max(1)) }

  /// Forgets a child that has finished. Returns whether to request another value from the upstream.
  private final func remove(_ child: FlatMapBranch) -> Bool {
    if child.progress.value == .expected { expectedCount.wrappingSubtract(1, ordering: .relaxed) }
    child.progress.value = .finished
    if let ended = child.subscription.value.take() {
      removeFromChildren(child)
      withExtendedLifetime(ended) {}
    }
    return !finishIfDone() && maxPublishers != .unlimited
  }

  private final func removeFromChildren(_ child: FlatMapBranch) {
    let position = child.position.value
    let last = children.value.removeLast()
    guard last !== child else { return }
    last.position.value = position
    children.value[position] = last
  }
}
