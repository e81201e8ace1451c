import Synchronization

/// What a merge stores for one of its upstreams.
@usableFromInline
final class MergeBranch<Value>: Branch {
  /// The newest value for which there was no demand.
  @usableFromInline let waiting = Cell<Value?>(nil)

  @inlinable
  override init() {}

  @usableFromInline
  override var isEmpty: Bool { waiting.value == nil }

  @usableFromInline
  override func takeAll() -> Any? { waiting.value.take() }
}

/// The subscription of every kind of merge.
@usableFromInline
final class MergeInner<Output, Failure: Error>: JoinInner<Output, Failure> {
  @usableFromInline let children: ContiguousArray<MergeBranch<Output>>
  @usableFromInline let state: Cell<MergeState>
  /// Where to look first for a value that waits. Only for the thread that runs a signal.
  @usableFromInline let cursor = Cell(0)
  @usableFromInline let promptRequest = PromptRequest.ofSubscription
  /// The request of everything.
  @usableFromInline let unlimitedRequest = RequestUnderWay()

  @inlinable
  init<S: Subscriber>(subscriber: S, count: Int) where S.Input == Output, S.Failure == Failure {
    // Not with map(_:): its closure, made where the subscriber's type is known, is too much for the compiler.
    var children: ContiguousArray<MergeBranch<Output>> = []
    var branches: ContiguousArray<Branch> = []
    for _ in 0..<count {
      let child = MergeBranch<Output>()
      children.append(child)
      branches.append(child)
    }
    self.children = children
    state = Cell(MergeState(count: count))
    super.init(name: "Merge", downstream: Downstream(subscriber), branches: branches)
    begin()
  }

  /// Delivers the subscription to the downstream first.
  @usableFromInline
  func begin() {
    delivery.serializer.run({ delivery.handshake(self) }, busy: {})
    if children.isEmpty { finishEmpty() }
  }

  /// Subscribes to one of the upstreams.
  @inlinable
  func attach<P: Publisher>(_ publisher: P, at index: Int) where P.Output == Output, P.Failure == Failure {
    publisher.subscribe(MergeChild(self, children[index]))
  }

  // MARK: The downstream

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    guard !delivery.isEnded else { return }
    let isGranted = delivery.serializer.runNow(
      {
        grant(demand)
        return true
      },
      busy: {
        delivery.serializer.enqueue(demand, of: self) { [self] in grant($0) }
        return false
      })
    if !isGranted, demand == .unlimited, promptRequest.isBeingMade { requestEverythingPromptly() }
  }

  /// The thread that grants the demand, which was left to it, may not be through with that soon enough.
  private func requestEverythingPromptly() {
    let noted = delivery.serializer.change { change in
      state.value.demand = .unlimited
      _ = state.value.beginUnlimited()
      unlimitedRequest.begin()
      return change
    }
    guard let change = noted else { return }
    for branch in branches {
      guard let subscription = branch.upstream.current else { continue }
      if !delivery.serializer.request(.unlimited, from: subscription, after: change) {
        leaveRequest(.unlimited, from: subscription)
      }
    }
    unlimitedRequest.end()
  }

  private func leaveRequest(_ demand: Subscribers.Demand, from subscription: any Subscription) {
    delivery.serializer.enqueue { [self] in
      delivery.serializer.afterLeaving { subscription.request(demand) }
    }
  }

  private func grant(_ demand: Subscribers.Demand) {
    state.value.demand += demand
    unlimitedRequest.note(demand)
    flush()
  }

  @usableFromInline
  override func dropValues() {
    state.value.waitingCount = 0
    super.dropValues()
  }

  // MARK: In turn

  /// Sends the values that wait, as far as there is demand now, one from each branch in turn.
  @usableFromInline
  func flush() {
    guard state.value.beginFlush() else { return }
    while !delivery.isEnded, state.value.takeWaiting(), let (branch, value) = takeWaiting() {
      let more = delivery.downstream.receive(value)
      state.value.demand += more
      if state.value.demand != .unlimited { askForNext(branch) }
    }
    let isFirst = state.value.endFlush()
    if unlimitedRequest.takeDue() || isFirst, !delivery.isEnded {
      unlimitedRequest.begin()
      delivery.serializer.afterLeaving { [self] in
        branches.request(.unlimited)
        unlimitedRequest.end()
      }
    }
    finishIfDone()
  }

  private func takeWaiting() -> (MergeBranch<Output>, Output)? {
    for _ in children {
      let branch = children[cursor.value]
      cursor.value = (cursor.value + 1) % children.count
      if let value = branch.waiting.value.take() { return (branch, value) }
    }
    return nil
  }

  private func askForNext(_ branch: MergeBranch<Output>) {
    state.value.isRequesting = true
    branch.upstream.current?.request(.max(1))
    state.value.isRequesting = false
  }

  @usableFromInline
  func finishIfDone() {
    if state.value.isDone, delivery.end() { delivery.send(.finished, self) }
  }

  // MARK: The upstreams

  @usableFromInline
  override func receive(subscription: any Subscription, from branch: Branch) {
    guard branch.upstream.accept(subscription) else { return }
    guard let (demand, change) = delivery.serializer.change({ (state.value.initialDemand, $0) }) else {
      return delivery.serializer.enqueue { [self] in
        let demand = state.value.initialDemand
        delivery.serializer.afterLeaving { subscription.request(demand) }
      }
    }
    if !delivery.serializer.request(demand, from: subscription, after: change) {
      leaveRequest(demand, from: subscription)
    }
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Output>, from branch: MergeBranch<Output>) -> Subscribers.Demand {
    if delivery.isEnded { return .refused() }
    guard state.value.passesAll, !unlimitedRequest.isElsewhere else {
      return deliverLimited(batch, from: branch)
    }
    _ = delivery.downstream.receive(contentsOf: batch)
    return .none
  }

  /// Delivers as many values as there is demand for and keeps the last of the rest. Returns demand for as
  /// many as were delivered.
  @usableFromInline
  func deliverLimited(
    _ batch: UnsafeBufferPointer<Output>, from branch: MergeBranch<Output>
  ) -> Subscribers.Demand {
    var delivered = Subscribers.Demand.none
    for value in batch {
      if delivery.isEnded { return .refused() }
      if state.value.demand == .unlimited, !branch.isEmpty { sendWaiting(of: branch) }
      switch state.value.arrive(isOtherWaiting: !branch.isEmpty) {
      case .keep:
        if let old = branch.waiting.value.take() {
          drops.add(1)
          delivery.serializer.retire(old)
        }
        branch.waiting.value = value
      case .deliver:
        delivered += 1
        let more = delivery.downstream.receive(value)
        state.value.end(returning: more)
        unlimitedRequest.note(more)
      }
    }
    flush()
    return delivered
  }

  /// Demand has become unlimited, and the flush that sends what waits is under way or was left.
  private func sendWaiting(of branch: MergeBranch<Output>) {
    guard state.value.takeWaiting(), let value = branch.waiting.value.take() else { return }
    _ = delivery.downstream.receive(value)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>, from branch: MergeBranch<Output>) {
    guard case .finished = completion else { return fail(completion) }
    let ended = branch.upstream.end()
    delivery.serializer.run { [self] in
      guard !branch.isFinished.value else { return }
      branch.isFinished.value = true
      state.value.unfinishedCount -= 1
      finishIfDone()
    }
    withExtendedLifetime(ended) {}
  }
}

/// Subscribes to one of a merge's upstreams.
@usableFromInline
final class MergeChild<Input, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "Merge" }

  @usableFromInline let parent: MergeInner<Input, Failure>
  @usableFromInline let branch: MergeBranch<Input>

  @inlinable
  init(_ parent: MergeInner<Input, Failure>, _ branch: MergeBranch<Input>) {
    self.parent = parent
    self.branch = branch
  }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receive(subscription: subscription, from: branch) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { deliver(one($0)) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    return deliver(batch)
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    parent.delivery.serializer.deliver(batch, self, { $0.parent.deliver($1, from: $0.branch) }) {
      $0.branch.upstream.current
    }
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    parent.receive(completion: completion, from: branch)
  }
}
