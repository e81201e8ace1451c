import Synchronization

/// The part of a flatMap that is not generic: its children, its demand and its end.
///
/// Every value of the upstream makes a child: unspecialized generic code would spend most of its time on looking up
/// types.
@usableFromInline
class FlatMapCore {
  @usableFromInline final let maxPublishers: Subscribers.Demand
  /// Whether the failure of a child also ends the upstream's subscription, which Combine leaves running.
  final let cancelsUpstream: Bool
  @usableFromInline final let upstream = SubscriptionSlot()
  @usableFromInline final let delivery = DeliveryCore()
  @usableFromInline final let state = Cell(FlatMapState())
  /// Only for the thread that runs a signal.
  final let children = Cell(FlatMapChildren())
  @usableFromInline final let drops = Drops()
  /// How many children have been made and have no subscription yet.
  @usableFromInline final let expectedCount = Atomic(0)
  private final let promptRequest = PromptRequest.ofSubscription
  /// The request of everything.
  @usableFromInline final let unlimitedRequest = RequestUnderWay()

  @usableFromInline
  init(maxPublishers: Subscribers.Demand, cancelsUpstream: Bool) {
    self.maxPublishers = maxPublishers
    self.cancelsUpstream = cancelsUpstream
  }

  // MARK: What the types are needed for

  /// Sends the values that wait, as far as there is demand now.
  @usableFromInline
  func sendWaiting() {}

  /// Takes out the values that wait, nil if there are none.
  @usableFromInline
  func takeWaiting() -> AnyObject? { nil }

  /// Sends the downstream its completion.
  @usableFromInline
  func sendFinished() {}

  // MARK: Requests to the upstream

  /// Requests values for new places of publishers.
  @usableFromInline
  func ask(for places: Subscribers.Demand) { upstream.current?.request(places) }

  /// Called when demand has become unlimited, outside of a turn. `again` is true if another thread has called it, or is
  /// about to.
  @usableFromInline
  func demandEverything(again: Bool, isPrompt: Bool) {}

  // MARK: The downstream

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    precondition(demand != .none, "request more than no values")
    guard !delivery.isEnded else { return }
    let isPrompt = demand == .unlimited && promptRequest.isBeingMade
    let isGranted = delivery.serializer.runNow(
      {
        grant(demand, isPrompt: isPrompt)
        return true
      },
      busy: {
        delivery.serializer.enqueue(demand, of: self) { [self] in grant($0) }
        return false
      })
    if !isGranted, isPrompt { requestEverythingPromptly() }
  }

  private final func grant(_ demand: Subscribers.Demand, isPrompt: Bool = false) {
    state.value.demand += demand
    unlimitedRequest.note(demand)
    flush(isPrompt: isPrompt)
  }

  /// The thread that grants the demand, which was left to it, may not be through with that soon enough.
  private final func requestEverythingPromptly() {
    let noted = delivery.serializer.change { change in
      state.value.demand = .unlimited
      unlimitedRequest.begin()
      return (change, isFirst: state.value.beginUnlimited(), children: children.value.references)
    }
    guard let (change, isFirst, all) = noted else { return }
    demandEverything(again: !isFirst, isPrompt: true)
    for child in all where child.isRunning && !delivery.isEnded {
      request(.unlimited, from: child.subscription, of: child.child, after: change)
    }
    unlimitedRequest.end()
  }

  /// Cancels the children, then the upstream: after leaving the gate, because the cancellation of a publisher may wait
  /// for a thread that sends.
  @usableFromInline
  final func cancel() {
    guard delivery.cancel() else { return }
    let removed = delivery.serializer.runNow(
      { Optional(stop(.ended)) },
      busy: {
        delivery.serializer.betweenSignals { [self] in
          let removed = stop(.ended)
          delivery.serializer.afterLeaving { [self] in
            cancel(removed)
          }
        }
        return nil
      })
    guard let removed else { return }
    cancel(removed)
  }

  private func cancel(_ children: [FlatMapChildren.Reference]) {
    Cancellation.ofSeveral {
      Self.cancel(children)
      upstream.end()?.cancel()
    }
  }

  // MARK: The upstream

  @usableFromInline
  final func accept(_ subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    if maxPublishers != .none || !cancelsUpstream { subscription.request(maxPublishers) }
  }

  @usableFromInline
  final func finishUpstream() {
    let ended = upstream.end()
    delivery.serializer.run { [self] in
      state.value.upstreamIsFinished = true
      finishIfDone()
    }
    withExtendedLifetime(ended) {}
  }

  // MARK: In turn

  /// Sends the values that wait, as far as there is demand now, then requests more or finishes. `isPrompt` is true in a
  /// prompt request of everything.
  @usableFromInline
  final func flush(isPrompt: Bool = false) {
    guard state.value.beginFlush() else { return }
    if state.value.waitingCount > 0 { sendWaiting() }
    let isFirst = state.value.endFlush()
    if unlimitedRequest.takeDue() || isFirst, maxPublishers != .unlimited || !children.value.isEmpty {
      let all = children.value.references
      unlimitedRequest.begin()
      delivery.serializer.afterLeaving { [self] in
        demandEverything(again: !isFirst, isPrompt: isPrompt)
        for child in all where child.isRunning && !delivery.isEnded {
          child.subscription.request(.unlimited)
        }
        unlimitedRequest.end()
      }
    }
    if state.value.freePlaces > 0 {
      let places = state.value.takeFreePlaces()
      delivery.serializer.afterLeaving { [self] in ask(for: places) }
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

  /// Notes that one of a child's waiting values has been taken out. The last one of a child that has finished frees its
  /// place.
  @usableFromInline
  final func releasePlaceIfEmpty(_ child: FlatMapBranch) {
    child.waitingCount.value -= 1
    let isFinished = child.progress.load(ordering: .relaxed) == .finished
    if isFinished, child.waitingCount.value == 0 { freePlace() }
  }

  final func freePlace() {
    if maxPublishers != .unlimited { state.value.freePlace() }
  }

  @inlinable @inline(__always)
  final func finishIfDone() {
    if state.value.upstreamIsFinished { finishIfNothingIsLeft() }
  }

  @usableFromInline
  final func finishIfNothingIsLeft() {
    guard !delivery.isCancelled, state.value.finish(expectedCount: expectedCount.load(ordering: .relaxed)),
      delivery.end()
    else { return }
    sendFinished()
  }

  /// Stops everything. Returns the children to cancel.
  final func stop(_ phase: FlatMapState.Phase) -> [FlatMapChildren.Reference] {
    state.value.stop(phase)
    if let waiting = takeWaiting() { delivery.serializer.retire(waiting) }
    return children.value.removeAll()
  }

  static func cancel(_ children: [FlatMapChildren.Reference]) {
    for child in children where child.isRunning { child.subscription.cancel() }
  }
}

// MARK: - Children

extension FlatMapCore {
  /// Announces a child. Returns false if the stream has ended.
  @inlinable
  final func expectChild() -> Bool {
    guard !delivery.refusesValue() else { return false }
    expectedCount.wrappingAdd(1, ordering: .relaxed)
    return true
  }

  /// What to do with a child's subscription.
  private enum Start {
    case request(Subscribers.Demand)
    case cancel
  }

  final func receive(subscription: any Subscription, from child: FlatMapBranch) {
    let start = delivery.serializer.change { (change: $0, start: accept(subscription, from: child)) }
    switch start {
    case (let change, .request(let demand))?: request(demand, from: subscription, of: child, after: change)
    case (_, .cancel)?: subscription.cancel()
    case nil: delivery.serializer.enqueue { [self] in acceptLeft(subscription, from: child) }
    }
  }

  private final func acceptLeft(_ subscription: any Subscription, from child: FlatMapBranch) {
    switch accept(subscription, from: child) {
    case .request(let demand): requestInTurn(demand, from: subscription, of: child)
    case .cancel: delivery.serializer.afterLeaving { subscription.cancel() }
    }
  }

  private final func request(
    _ demand: Subscribers.Demand, from subscription: any Subscription, of child: FlatMapBranch,
    after change: Serializer.Change
  ) {
    if !delivery.serializer.request(demand, from: subscription, after: change) {
      delivery.serializer.enqueue { [self] in requestInTurn(demand, from: subscription, of: child) }
    }
  }

  /// What the child sends in answer comes before what was left after it.
  private final func requestInTurn(
    _ demand: Subscribers.Demand, from subscription: any Subscription, of child: FlatMapBranch
  ) {
    child.isStarting.store(true, ordering: .relaxed)
    subscription.request(demand)
    child.isStarting.store(false, ordering: .relaxed)
  }

  private final func accept(_ subscription: any Subscription, from child: FlatMapBranch) -> Start {
    guard child.progress.load(ordering: .relaxed) == .expected else { return .cancel }
    child.progress.store(.subscribed, ordering: .relaxed)
    expectedCount.wrappingSubtract(1, ordering: .relaxed)
    guard let demand = state.value.begin() else {
      _ = Subscribers.Demand.refused()
      return .cancel
    }
    child.subscription.value = subscription
    children.value.append(child)
    return .request(demand)
  }

  /// The remains of a child that has ended: its subscription, to be released, and places for others.
  private struct Ended {
    let subscription: (any Subscription)?
    let places: Subscribers.Demand
  }

  @usableFromInline
  final func finish(_ child: FlatMapBranch) {
    delivery.serializer.run(self, child, { $0.finishInTurn($1) }) { $0.requestPublishers($2.places) }
  }

  @usableFromInline
  final func requestPublishers(_ places: Subscribers.Demand) {
    if places != .none { ask(for: places) }
  }

  private final func finishInTurn(_ child: FlatMapBranch) -> Ended {
    let subscription = end(child)
    if child.waitingCount.value == 0 { freePlace() }
    finishIfDone()
    return Ended(subscription: subscription, places: state.value.takeFreePlaces())
  }

  /// Removes a child that has ended. Returns its subscription.
  final func end(_ child: FlatMapBranch) -> (any Subscription)? {
    let progress = child.progress.exchange(.finished, ordering: .relaxed)
    if progress == .expected { expectedCount.wrappingSubtract(1, ordering: .relaxed) }
    if children.value.remove(child) { state.value.childCount -= 1 }
    return child.subscription.value.take()
  }
}
