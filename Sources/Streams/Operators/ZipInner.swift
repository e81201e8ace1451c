import Synchronization

/// What a zip keeps for one of its upstreams: the values that wait for partners.
@usableFromInline
final class ZipBranch<Value>: Branch {
  @usableFromInline let queue = Cell(Queue<Value>())

  @inlinable
  override init() {}

  @usableFromInline
  override var isEmpty: Bool { queue.value.isEmpty }

  @usableFromInline
  override func removeAll() {
    let dropped = queue.value.removeAll()
    withExtendedLifetime(dropped) {}
  }

  /// Takes the first value, which there must be; adds 1 to `emptyCount` if it was the last.
  @inlinable @inline(__always)
  func take(_ emptyCount: inout Int) -> Value {
    let value = queue.value.popFirst()!
    if queue.value.isEmpty { emptyCount &+= 1 }
    return value
  }
}

/// What a zip has to remember. Belongs to whoever runs a signal.
@usableFromInline
struct ZipState {
  /// How many branches have no values.
  @usableFromInline var emptyCount: Int
  @usableFromInline var finishedCount = 0
  /// The branch whose value completed the tuple that is being delivered.
  @usableFromInline var delivering: Branch?
  /// What the downstream requested during that delivery, to be returned to that branch.
  @usableFromInline var requestedMeanwhile = Subscribers.Demand.none

  @inlinable
  init(count: Int) { emptyCount = count }
}

/// The subscription of every kind of zip. It knows the tuples it sends, not what they are made of.
@usableFromInline
final class ZipInner<Output, Failure: Error>: JoinInner<Output, Failure> {
  /// Makes a tuple of the first value of each branch, and counts the branches that have none left.
  @usableFromInline let takeTuple: (inout Int) -> Output
  @usableFromInline let state: Cell<ZipState>

  @inlinable
  init<S: Subscriber>(
    subscriber: S, branches: ContiguousArray<Branch>, takeTuple: @escaping (inout Int) -> Output
  ) where S.Input == Output, S.Failure == Failure {
    self.takeTuple = takeTuple
    state = Cell(ZipState(count: branches.count))
    super.init(name: "Zip", downstream: Downstream(subscriber), branches: branches)
  }

  /// Subscribes to one of the upstreams.
  @inlinable
  func attach<P: Publisher>(_ publisher: P, _ branch: ZipBranch<P.Output>) where P.Failure == Failure {
    publisher.subscribe(ZipChild(self, branch))
  }

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    guard delivery.serializer.isEntered, let delivering = state.value.delivering else { return super.request(demand) }
    precondition(demand != .none, "request more than no values")
    guard !delivery.isEnded else { return }
    state.value.requestedMeanwhile += demand
    for branch in branches where branch !== delivering { branch.upstream.current?.request(demand) }
  }

  @inlinable @inline(__always)
  func receive<Value>(
    _ batch: UnsafeBufferPointer<Value>, from branch: ZipBranch<Value>
  ) -> Subscribers.Demand {
    delivery.serializer.run({ deliver(batch, from: branch) }, refused: { enqueue(batch, from: branch) })
  }

  @inlinable @inline(__always)
  func deliver<Value>(
    _ batch: UnsafeBufferPointer<Value>, from branch: ZipBranch<Value>
  ) -> Subscribers.Demand {
    var demand = Subscribers.Demand.none
    for index in 0..<batch.count {
      if delivery.isEnded { return .none }
      if branch.queue.value.isEmpty { state.value.emptyCount &-= 1 }
      branch.queue.value.append(batch[index])
      if state.value.emptyCount == 0 {
        demand += deliverTuple(completedBy: branch)
      }
      if state.value.finishedCount > 0 { finishIfExhausted() }
    }
    return demand
  }

  /// Delivers a tuple. Returns what the downstream returned and what it requested meanwhile.
  @inlinable @inline(__always)
  func deliverTuple(completedBy branch: Branch) -> Subscribers.Demand {
    let tuple = takeTuple(&state.value.emptyCount)
    let outer = (state.value.delivering, state.value.requestedMeanwhile)
    state.value.delivering = branch
    state.value.requestedMeanwhile = .none
    let demand = delivery.downstream.receive(tuple) + state.value.requestedMeanwhile
    (state.value.delivering, state.value.requestedMeanwhile) = outer
    return demand
  }

  @usableFromInline @inline(never)
  func enqueue<Value>(
    _ batch: UnsafeBufferPointer<Value>, from branch: ZipBranch<Value>
  ) -> Subscribers.Demand {
    delivery.serializer.submit(copyOf: batch) { [self] in
      let more = deliver($0, from: branch)
      if more != .none { delivery.serializer.afterLeaving { branch.upstream.current?.request(more) } }
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>, from branch: Branch) {
    delivery.serializer.perform { [self] in
      switch completion {
      case .finished:
        guard !branch.isFinished.value else { return }
        branch.isFinished.value = true
        state.value.finishedCount += 1
        finishIfExhausted()
      case .failure:
        end(completion, cancelling: Array(branches))
      }
    }
  }

  /// Finishes when a branch that has finished has no values left. Within a delivery that is checked afterwards.
  @usableFromInline
  func finishIfExhausted() {
    guard state.value.delivering == nil, branches.contains(where: { $0.isFinished.value && $0.isEmpty })
    else { return }
    end(.finished, cancelling: branches.filter { !$0.isFinished.value })
  }

  /// Sends the completion, then cancels: in this order, as in Combine.
  private func end(_ completion: Subscribers.Completion<Failure>, cancelling active: [Branch]) {
    guard delivery.end() else { return }
    delivery.send(completion, self)
    active.cancel()
    for branch in branches { _ = branch.upstream.end() }
    dropValues()
  }
}

/// Subscribes to one of a zip's upstreams.
@usableFromInline
final class ZipChild<Input, Output, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "Zip" }

  @usableFromInline let parent: ZipInner<Output, Failure>
  @usableFromInline let branch: ZipBranch<Input>

  @inlinable
  init(_ parent: ZipInner<Output, Failure>, _ branch: ZipBranch<Input>) {
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
