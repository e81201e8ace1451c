import Synchronization

/// What a merge keeps for one of its upstreams.
@usableFromInline
final class MergeBranch<Value>: Branch {
  /// The newest value for which there was no demand.
  @usableFromInline let waiting = Cell<Value?>(nil)

  @inlinable
  override init() {}
}

/// What a merge has to remember. Belongs to whoever runs a signal.
@usableFromInline
struct MergeState {
  /// The downstream's demand that has not been met.
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var branchesAreUnlimited = false
  /// How many deliveries are under way, one inside the other.
  @usableFromInline var depth = 0
  /// True while a branch is asked for its next value: what it sends has to wait its turn.
  @usableFromInline var isRequesting = false
  @usableFromInline var unfinishedCount: Int
  /// Where to look first for a value that waits.
  @usableFromInline var cursor = 0

  @inlinable
  init(count: Int) { unfinishedCount = count }

  /// Takes the demand for one value; returns false if it has to wait.
  @inlinable @inline(__always)
  mutating func takeDemand() -> Bool {
    guard demand != .none, !isRequesting else { return false }
    demand -= 1
    return true
  }

  /// Whether to ask the branches for everything now.
  @usableFromInline
  mutating func becomeUnlimited() -> Bool {
    guard demand == .unlimited, !branchesAreUnlimited else { return false }
    branchesAreUnlimited = true
    return true
  }
}

/// The subscription of every kind of merge.
@usableFromInline
final class MergeInner<Output, Failure: Error>: Subscription, Inner {
  @usableFromInline static var name: String { "Merge" }
  @usableFromInline typealias Lane = MergeBranch<Output>

  @usableFromInline let downstream: Downstream<Output, Failure>
  @usableFromInline let branches: ContiguousArray<Lane>
  @usableFromInline let serializer = Serializer()
  @usableFromInline let state: Cell<MergeState>
  @usableFromInline let isEnded = Atomic(false)

  @inlinable
  init<S: Subscriber>(subscriber: S, count: Int) where S.Input == Output, S.Failure == Failure {
    downstream = Downstream(subscriber)
    branches = ContiguousArray((0..<count).map { _ in Lane() })
    state = Cell(MergeState(count: count))
    subscriber.receive(subscription: self)
    if count == 0 { serializer.perform { [self] in finishIfDone() } }
  }

  /// Subscribes to one of the upstreams.
  @inlinable
  func attach<P: Publisher>(_ publisher: P, at index: Int) where P.Output == Output, P.Failure == Failure {
    publisher.subscribe(MergeChild(self, branches[index]))
  }

  // MARK: The downstream

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard !isEnded.load(ordering: .relaxed) else { return }
    serializer.runNow({ grant(demand) }, busy: { serializer.submit { [self] in grant(demand) } })
  }

  private func grant(_ demand: Subscribers.Demand) {
    state.value.demand += demand
    flush()
  }

  @usableFromInline
  func cancel() {
    guard !isEnded.exchange(true, ordering: .relaxed) else { return }
    branches.cancel()
    serializer.post { [self] in dropWaiting() }
  }

  private func dropWaiting() {
    for branch in branches { branch.waiting.value = nil }
  }

  // MARK: In turn

  /// Sends the values that wait, as far as they are demanded now, one of each branch after the other.
  ///
  /// Does nothing within a delivery: whoever delivers does it afterwards, and so nothing recurses.
  @usableFromInline
  func flush() {
    guard state.value.depth == 0 else { return }
    state.value.depth = 1
    while let branch = nextWaiting() {
      guard let value = branch.waiting.value.take() else { break }
      state.value.demand -= 1
      let more = downstream.receive(value)
      state.value.demand += more
      if state.value.demand != .unlimited { askForNext(branch) }
    }
    state.value.depth = 0
    if state.value.becomeUnlimited() {
      serializer.afterLeaving { [branches] in branches.request(.unlimited) }
    }
    finishIfDone()
  }

  private func nextWaiting() -> Lane? {
    guard state.value.demand != .none, !isEnded.load(ordering: .relaxed) else { return nil }
    for _ in branches {
      let branch = branches[state.value.cursor]
      state.value.cursor = (state.value.cursor + 1) % branches.count
      if branch.waiting.value != nil { return branch }
    }
    return nil
  }

  private func askForNext(_ branch: Lane) {
    state.value.isRequesting = true
    branch.upstream.current?.request(.max(1))
    state.value.isRequesting = false
  }

  @usableFromInline
  func finishIfDone() {
    guard state.value.unfinishedCount == 0, branches.allSatisfy({ $0.waiting.value == nil }),
      !isEnded.exchange(true, ordering: .relaxed)
    else { return }
    downstream.receive(completion: .finished)
  }

  // MARK: The upstreams

  @usableFromInline
  func receive(subscription: any Subscription, from branch: Lane) {
    guard branch.upstream.accept(subscription) else { return }
    let demand = serializer.run(
      { initialDemand },
      refused: {
        serializer.submit { [self] in
          let demand = initialDemand
          serializer.afterLeaving { subscription.request(demand) }
        }
        return .none
      })
    if demand != .none { subscription.request(demand) }
  }

  private var initialDemand: Subscribers.Demand { state.value.demand == .unlimited ? .unlimited : .max(1) }

  @inlinable @inline(__always)
  func receive(_ batch: UnsafeBufferPointer<Output>, from branch: Lane) -> Subscribers.Demand {
    serializer.run({ deliver(batch, from: branch) }, refused: { enqueue(batch, from: branch) })
  }

  @inlinable @inline(__always)
  func deliver(_ batch: UnsafeBufferPointer<Output>, from branch: Lane) -> Subscribers.Demand {
    if isEnded.load(ordering: .relaxed) { return .none }
    guard state.value.demand == .unlimited else { return deliverLimited(batch, from: branch) }
    _ = downstream.deliver(batch)
    return .none
  }

  /// Delivers what is demanded and keeps the last of the rest. Returns demand for as many as were delivered.
  @usableFromInline
  func deliverLimited(_ batch: UnsafeBufferPointer<Output>, from branch: Lane) -> Subscribers.Demand {
    var delivered = Subscribers.Demand.none
    for value in batch {
      if isEnded.load(ordering: .relaxed) { return .none }
      guard state.value.takeDemand() else {
        branch.waiting.value = value
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
  func enqueue(_ batch: UnsafeBufferPointer<Output>, from branch: Lane) -> Subscribers.Demand {
    serializer.submit(copyOf: batch) { [self] in
      let more = deliver($0, from: branch)
      if more != .none { serializer.afterLeaving { branch.upstream.current?.request(more) } }
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>, from branch: Lane) {
    let ended = branch.upstream.end()
    serializer.perform { [self] in
      switch completion {
      case .finished:
        guard !branch.isFinished.value else { return }
        branch.isFinished.value = true
        state.value.unfinishedCount -= 1
        finishIfDone()
      case .failure:
        guard !isEnded.exchange(true, ordering: .relaxed) else { return }
        branches.cancel()
        dropWaiting()
        downstream.receive(completion: completion)
      }
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
    withUnsafePointer(to: input) { parent.receive(one($0), from: branch) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    parent.receive(batch, from: branch)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    parent.receive(completion: completion, from: branch)
  }
}
