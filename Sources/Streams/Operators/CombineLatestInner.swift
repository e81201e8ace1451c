import Synchronization

/// What a combineLatest keeps for one of its upstreams: the latest value.
@usableFromInline
final class LatestBranch<Value>: Branch {
  @usableFromInline let latest = Cell<Value?>(nil)

  @inlinable
  override init() {}

  @usableFromInline
  override var isEmpty: Bool { latest.value == nil }

  @usableFromInline
  override func removeAll() {
    let dropped = latest.value.take()
    withExtendedLifetime(dropped) {}
  }

  /// The latest value, which there must be.
  @inlinable @inline(__always)
  var current: Value { latest.value! }
}

/// The subscription of every kind of combineLatest. It knows the tuples it sends, not what they are made of.
@usableFromInline
final class CombineLatestInner<Output, Failure: Error>: JoinInner<Output, Failure> {
  @usableFromInline
  struct Counts {
    /// How many branches have not sent a value.
    @usableFromInline var empty: Int
    @usableFromInline var unfinished: Int

    @inlinable
    init(_ count: Int) {
      empty = count
      unfinished = count
    }
  }

  /// Makes a tuple of the latest values.
  @usableFromInline let makeTuple: () -> Output
  @usableFromInline let demand = DemandCounter()
  /// Belongs to whoever runs a signal.
  @usableFromInline let counts: Cell<Counts>

  @inlinable
  init<S: Subscriber>(
    subscriber: S, branches: ContiguousArray<Branch>, makeTuple: @escaping () -> Output
  ) where S.Input == Output, S.Failure == Failure {
    self.makeTuple = makeTuple
    counts = Cell(Counts(branches.count))
    super.init(name: "CombineLatest", downstream: Downstream(subscriber), branches: branches)
  }

  /// Subscribes to one of the upstreams.
  @inlinable
  func attach<P: Publisher>(_ publisher: P, _ branch: LatestBranch<P.Output>) where P.Failure == Failure {
    publisher.subscribe(CombineLatestChild(self, branch))
  }

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    self.demand.add(demand)
    super.request(demand)
  }

  // MARK: The upstreams

  @inlinable @inline(__always)
  func receive<Value>(
    _ batch: UnsafeBufferPointer<Value>, from branch: LatestBranch<Value>
  ) -> Subscribers.Demand {
    let more = delivery.serializer.run({ deliver(batch, from: branch) }, refused: { enqueue(batch, from: branch) })
    if more != .none { distribute(more, except: branch) }
    return more
  }

  /// Delivers a tuple for each of the values. Returns what the downstream returned.
  @inlinable @inline(__always)
  func deliver<Value>(
    _ batch: UnsafeBufferPointer<Value>, from branch: LatestBranch<Value>
  ) -> Subscribers.Demand {
    var returned = Subscribers.Demand.none
    for index in 0..<batch.count {
      if delivery.isEnded { return .none }
      if branch.latest.value.replace(with: batch[index]) { counts.value.empty -= 1 }
      guard counts.value.empty == 0, demand.take(upTo: 1) == 1 else { continue }
      let more = delivery.downstream.receive(makeTuple())
      demand.add(more)
      returned += more
    }
    return delivery.isEnded ? .none : returned
  }

  /// Passes on what was returned from a delivery: it is for all the upstreams, as a request would be.
  @usableFromInline
  func distribute(_ more: Subscribers.Demand, except branch: Branch?) {
    for other in branches where other !== branch { other.upstream.current?.request(more) }
  }

  @usableFromInline @inline(never)
  func enqueue<Value>(
    _ batch: UnsafeBufferPointer<Value>, from branch: LatestBranch<Value>
  ) -> Subscribers.Demand {
    delivery.serializer.submit(copyOf: batch) { [self] in
      let more = deliver($0, from: branch)
      if more != .none { delivery.serializer.afterLeaving { [self] in distribute(more, except: nil) } }
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>, from branch: Branch) {
    let ended = branch.upstream.end()
    delivery.serializer.perform { [self] in
      switch completion {
      case .finished:
        guard !branch.isFinished.value else { return }
        branch.isFinished.value = true
        counts.value.unfinished -= 1
        if counts.value.unfinished == 0 || branch.isEmpty { end(.finished) }
      case .failure:
        end(completion)
      }
    }
    withExtendedLifetime(ended) {}
  }

  private func end(_ completion: Subscribers.Completion<Failure>) {
    guard delivery.end() else { return }
    branches.cancel()
    dropValues()
    delivery.send(completion, self)
  }
}

extension Optional {
  /// Puts a value in. Returns whether there was none before.
  @inlinable @inline(__always)
  mutating func replace(with value: Wrapped) -> Bool {
    let wasEmpty = self == nil
    self = value
    return wasEmpty
  }
}

/// Subscribes to one of a combineLatest's upstreams.
@usableFromInline
final class CombineLatestChild<Input, Output, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "CombineLatest" }

  @usableFromInline let parent: CombineLatestInner<Output, Failure>
  @usableFromInline let branch: LatestBranch<Input>

  @inlinable
  init(_ parent: CombineLatestInner<Output, Failure>, _ branch: LatestBranch<Input>) {
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
