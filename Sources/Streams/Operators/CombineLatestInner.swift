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
  override func takeAll() -> Any? { latest.value.take() }

  /// The latest value, which there must be.
  @inlinable @inline(__always)
  var current: Value { latest.value! }

  /// Where the latest value is, which there must be.
  @inlinable @inline(__always)
  var address: UnsafePointer<Value> {
    UnsafeRawPointer(latest.address).assumingMemoryBound(to: Value.self)
  }
}

/// The subscription of every kind of combineLatest. It knows the tuples it sends, not what they are made of.
@usableFromInline
final class CombineLatestInner<Output, Failure: Error>: JoinInner<Output, Failure> {
  /// Makes a tuple of the latest values and delivers it with ``pass(_:)``, in specialised code.
  @usableFromInline let deliverTuple: (CombineLatestInner) -> Subscribers.Demand
  @usableFromInline let demand = DemandCounter()
  @usableFromInline let state: Cell<CombineLatestState>

  @inlinable
  init<S: Subscriber>(
    subscriber: S, branches: ContiguousArray<Branch>,
    deliverTuple: @escaping (CombineLatestInner) -> Subscribers.Demand
  ) where S.Input == Output, S.Failure == Failure {
    self.deliverTuple = deliverTuple
    state = Cell(CombineLatestState(count: branches.count))
    super.init(name: "CombineLatest", downstream: Downstream(subscriber), branches: branches)
  }

  /// Sends what `makeTuple` makes. An error that it throws fails the stream.
  @inlinable
  convenience init<S: Subscriber>(
    subscriber: S, branches: ContiguousArray<Branch>, makeTuple: @escaping () throws(Failure) -> Output
  ) where S.Input == Output, S.Failure == Failure {
    self.init(subscriber: subscriber, branches: branches) { inner in
      do throws(Failure) {
        var tuple = try makeTuple()
        return _withUnprotectedUnsafeMutablePointer(to: &tuple) { inner.pass($0) }
      } catch {
        return inner.failing(with: error)
      }
    }
  }

  /// Subscribes to one of the upstreams.
  @inlinable
  func attach<P: Publisher>(_ publisher: P, _ branch: LatestBranch<P.Output>) where P.Failure == Failure {
    publisher.subscribe(CombineLatestChild(self, branch))
  }

  // MARK: The downstream

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    self.demand.add(demand)
    if delivery.serializer.isEntered, demand != .none, state.value.request(demand) { return }
    super.request(demand)
  }

  // MARK: The upstreams

  @inlinable @inline(__always)
  func receive<Value>(
    _ batch: UnsafeBufferPointer<Value>, from branch: LatestBranch<Value>
  ) -> Subscribers.Demand {
    batch.isSingle
      ? receive(at: batch.baseAddress.unsafelyUnwrapped, from: branch) : receive(several: batch, from: branch)
  }

  @inlinable @inline(never)
  func receive<Value>(
    several batch: UnsafeBufferPointer<Value>, from branch: LatestBranch<Value>
  ) -> Subscribers.Demand {
    var total = Subscribers.Demand.none
    for index in 0..<batch.count {
      total += receive(at: batch.baseAddress.unsafelyUnwrapped + index, from: branch)
    }
    return total
  }

  /// Each value has a turn of its own, after which the one that it replaces is released.
  @inlinable @inline(__always)
  func receive<Value>(
    at value: UnsafePointer<Value>, from branch: LatestBranch<Value>
  ) -> Subscribers.Demand {
    guard _fastPath(delivery.serializer.gate.enterIfFree()) else {
      return receiveInTurn(at: value, from: branch)
    }
    var replaced: Value?
    let more = deliver(value.pointee, from: branch, &replaced)
    delivery.serializer.leave()
    if _fastPath(more.isNone) { return .none }
    distribute(more, except: branch)
    return more.returned
  }

  @inlinable @inline(never)
  func receiveInTurn<Value>(
    at value: UnsafePointer<Value>, from branch: LatestBranch<Value>
  ) -> Subscribers.Demand {
    var replaced: Value?
    let more = delivery.serializer.run(
      { deliver(value.pointee, from: branch, &replaced) },
      refused: {
        enqueue(value.pointee, from: branch)
        return JoinDemand()
      })
    if _fastPath(more.isNone) { return .none }
    distribute(more, except: branch)
    return more.returned
  }

  /// Keeps a value, and delivers the tuple it makes.
  @inlinable @inline(__always)
  func deliver<Value>(
    _ value: consuming Value, from branch: LatestBranch<Value>, _ replaced: inout Value?
  ) -> JoinDemand {
    if delivery.isEnded || branch.isFinished.value { return JoinDemand() }
    replaced = consume value
    swap(&replaced, &branch.latest.value)
    let makesTuple = state.value.keep(isFirst: replaced == nil)
    guard makesTuple, demand.take(upTo: 1) == 1 else { return JoinDemand() }
    state.value.begin()
    let returned = deliverTuple(self)
    demand.add(returned)
    let more = JoinDemand(returned: returned, requested: state.value.end())
    return more.isNone || delivery.isEnded ? JoinDemand() : more
  }

  /// Delivers a tuple. What has made it may have ended the stream.
  @inlinable @inline(__always)
  func pass(_ tuple: UnsafePointer<Output>) -> Subscribers.Demand {
    delivery.isEnded ? .none : delivery.downstream.receive(contentsOf: one(tuple))
  }

  /// In the place of a delivery.
  @usableFromInline @inline(never)
  func failing(with error: Failure) -> Subscribers.Demand {
    fail(with: error)
    return .none
  }

  /// Passes on what the downstream wants: all the upstreams are asked for it, except for one which has what was
  /// returned returned.
  @usableFromInline
  func distribute(_ more: JoinDemand, except returning: Branch?) {
    if more.requested != .none { branches.request(more.requested) }
    guard more.returned != .none else { return }
    for branch in branches where branch !== returning { branch.upstream.current?.request(more.returned) }
  }

  @usableFromInline @inline(never)
  func enqueue<Value>(_ value: Value, from branch: LatestBranch<Value>) {
    delivery.serializer.submit { [self] in
      var replaced: Value?
      let more = deliver(value, from: branch, &replaced)
      if replaced != nil { delivery.serializer.retire(replaced as AnyObject) }
      if !more.isNone {
        delivery.serializer.afterLeaving { [self] in distribute(more, except: nil) }
      }
    }
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>, from branch: Branch) {
    let isAwaited = branch.upstream.phase == .awaiting
    let ended = branch.upstream.end()
    delivery.serializer.perform { [self] in
      if isAwaited { awaitOneLess() }
      if case .finished = completion { finish(branch) }
    }
    if case .failure = completion { fail(completion) }
    withExtendedLifetime(ended) {}
  }

  private func finish(_ branch: Branch) {
    guard !branch.isFinished.value else { return }
    branch.isFinished.value = true
    guard state.value.finish(), delivery.end() else { return }
    dropValues()
    delivery.send(.finished, self)
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

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    parent.receive(batch, from: branch)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    parent.receive(completion: completion, from: branch)
  }
}
