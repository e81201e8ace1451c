/// The subscription of every kind of combineLatest, however it stores values and whatever it makes of them.
@usableFromInline
class CombineLatestCore<Output, Failure: Error>: JoinInner<Output, Failure> {
  @usableFromInline let demand = DemandCounter()
  @usableFromInline let state: Cell<CombineLatestState>

  @inlinable
  init(downstream: Downstream<Output, Failure>, branches: ContiguousArray<Branch>) {
    state = Cell(CombineLatestState(count: branches.count))
    super.init(name: "CombineLatest", downstream: downstream, branches: branches)
  }

  // MARK: The downstream

  @usableFromInline
  final override func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    self.demand.add(demand)
    if delivery.serializer.isEntered, demand != .none, state.value.request(demand) { return }
    super.request(demand)
  }

  /// Delivers a tuple that has been made. Making it may have ended the stream.
  @inlinable @inline(__always)
  final func pass(_ tuple: UnsafePointer<Output>) -> Subscribers.Demand {
    delivery.isEnded ? .refused() : delivery.downstream.receive(contentsOf: one(tuple))
  }

  @usableFromInline @inline(never)
  final func takeDemand() -> Bool {
    if demand.take(upTo: 1) == 1 { return true }
    drops.add(1)
    return false
  }

  /// The demand to pass on after a delivery that has returned demand, or during which demand was requested.
  @usableFromInline @inline(never)
  final func more(_ returned: Subscribers.Demand) -> JoinDemand {
    let more = JoinDemand(returned: returned, requested: state.value.takeRequested())
    demand.add(returned)
    return delivery.isEnded ? JoinDemand() : more
  }

  /// Fails instead of delivering.
  @usableFromInline @inline(never)
  final func failing(with error: Failure) -> Subscribers.Demand {
    fail(with: error)
    return .none
  }

  // MARK: The upstreams

  /// Passes the downstream's demand on to all upstreams, except that `returning` gets the returned
  /// demand as a result.
  @usableFromInline
  final func distribute(_ more: JoinDemand, except returning: Branch?) {
    if more.requested != .none { branches.request(more.requested) }
    guard more.returned != .none else { return }
    for branch in branches where branch !== returning { branch.upstream.current?.request(more.returned) }
  }

  @usableFromInline
  final func receive(completion: Subscribers.Completion<Failure>, from branch: Branch) {
    let isAwaited = branch.upstream.phase == .awaiting
    let ended = branch.upstream.end()
    delivery.serializer.run { [self] in
      if isAwaited { awaitOneLess() }
      if case .finished = completion { finish(branch) }
    }
    if case .failure = completion { fail(completion) }
    withExtendedLifetime(ended) {}
  }

  private func finish(_ branch: Branch) {
    guard !branch.isFinished.value else { return }
    branch.isFinished.value = true
    if state.value.finish() { afterTheTupleThatIsDue { $0.finishNow() } }
  }

  private func finishNow() {
    guard delivery.end() else { return }
    dropValues()
    delivery.send(.finished, self)
  }

  @usableFromInline
  final override func beginFailure(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard state.value.owesTuple, case .failure(let error) = completion else {
      return super.beginFailure(completion)
    }
    afterTheTupleThatIsDue { $0.fail(with: error) }
    return false
  }

  /// In turn: the tuple of values that came before the end comes before the end too.
  private func afterTheTupleThatIsDue(_ end: @escaping (CombineLatestCore) -> Void) {
    guard state.value.owesTuple else { return end(self) }
    delivery.serializer.betweenSignals { [self] in end(self) }
  }
}

/// Subscribes to one of a combineLatest's upstreams: the handling of a value, however it is stored.
@usableFromInline
protocol CombineLatestReceiver: AnyObject, Subscriber, Inner {
  associatedtype Output
  associatedtype Parent: CombineLatestCore<Output, Failure>
  associatedtype Source: Branch

  var parent: Parent { get }
  var branch: Source { get }

  /// Stores a value, and passes out the one that it replaces. Returns whether it makes a tuple.
  func keep(_ value: UnsafePointer<Input>, _ replaced: inout Input?) -> Bool

  /// Makes a tuple of the latest values and delivers it.
  func deliverTuple() -> Subscribers.Demand

  /// In a turn of its own: stores a value, delivers the tuple that it makes, and leaves.
  func acceptEntered(_ value: UnsafePointer<Input>) -> Subscribers.Demand
}

extension CombineLatestReceiver {
  @usableFromInline static var name: String { "CombineLatest" }

  @usableFromInline
  func receive(subscription: any Subscription) { parent.receive(subscription: subscription, from: branch) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { withUnsafePointer(to: input) { accept(one($0)) } }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    parent.receive(completion: completion, from: branch)
  }

  @inlinable @inline(__always)
  func accept(_ batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    batch.isSingle ? accept(at: batch.baseAddress.unsafelyUnwrapped) : accept(several: batch)
  }

  @inlinable @inline(never)
  func accept(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    batch.inStep { accept(at: batch.baseAddress.unsafelyUnwrapped + $0) }
  }

  /// Each value has a turn of its own.
  @inlinable @inline(__always)
  func accept(at value: UnsafePointer<Input>) -> Subscribers.Demand {
    guard _fastPath(parent.delivery.serializer.enterIfFree()) else { return acceptInTurn(value) }
    return acceptEntered(value)
  }

  @inlinable @inline(__always)
  func acceptEntered(_ value: UnsafePointer<Input>) -> Subscribers.Demand { acceptInGeneral(value) }

  /// Stores and delivers a value of any type, releases the replaced one after the turn, and leaves.
  @inlinable @inline(__always)
  func acceptInGeneral(_ value: UnsafePointer<Input>) -> Subscribers.Demand {
    // Released after the turn.
    var replaced: Input?
    let more = deliver(value, &replaced)
    parent.delivery.serializer.leave()
    return distribute(more)
  }

  @inlinable @inline(never)
  func acceptInTurn(_ value: UnsafePointer<Input>) -> Subscribers.Demand {
    var replaced: Input?
    return distribute(
      parent.delivery.serializer.run(
        { deliver(value, &replaced) },
        busy: {
          enqueue(value.pointee)
          return JoinDemand()
        }))
  }

  @usableFromInline @inline(never)
  func enqueue(_ value: Input) {
    parent.delivery.serializer.enqueue { [self] in
      let isStored = isOpen
      let isDelivered = parent.state.value.stage == .idle
      var replaced: Input?
      let more = withUnsafePointer(to: value) { deliver($0, &replaced) }
      if let replaced { parent.delivery.serializer.retire(replaced) }
      distributeLater(more)
      if isStored { noteLeft(isDelivered: isDelivered) }
    }
  }

  /// Notes that a value that was left is stored, with its own tuple or during the delivery of another
  /// one.
  private func noteLeft(isDelivered: Bool) {
    if isDelivered {
      // The tuple had the values of one that was due.
      _ = parent.state.value.pay()
    } else if parent.state.value.owe() {
      parent.delivery.serializer.betweenSignals { [self] in deliverOwed() }
    }
  }

  /// Delivers the tuple of a value that was left by another thread, and was stored during another
  /// delivery.
  private func deliverOwed() {
    guard parent.state.value.pay() else { return }
    if !parent.delivery.isEnded {
      distributeLater(deliverKept())
    } else if !parent.delivery.core.isCancelled {
      parent.drops.add(1)
    }
  }

  private func distributeLater(_ more: JoinDemand) {
    guard !more.isNone else { return }
    parent.delivery.serializer.afterLeaving { [parent] in parent.distribute(more, except: nil) }
  }

  /// Whether a value that arrives now is stored.
  @inlinable @inline(__always)
  var isOpen: Bool { !parent.delivery.isEnded && !branch.isFinished.value }

  /// Stores a value, and delivers the tuple it makes.
  @inlinable @inline(__always)
  func deliver(_ value: UnsafePointer<Input>, _ replaced: inout Input?) -> JoinDemand {
    guard isOpen else { return .refused() }
    return keep(value, &replaced) ? deliverKept() : JoinDemand()
  }

  /// Takes the demand for a tuple, if there is any.
  @inlinable @inline(__always)
  func takeDemand() -> Bool { _fastPath(parent.demand.isUnlimited) || parent.takeDemand() }

  /// Delivers the tuple of the latest values, if there is demand for it.
  @inlinable @inline(__always)
  func deliverKept() -> JoinDemand {
    guard takeDemand() else { return JoinDemand() }
    let returned = deliverTuple()
    return _fastPath(parent.state.value.end() && returned == .none) ? JoinDemand() : parent.more(returned)
  }

  /// Passes on the downstream's demand. Returns the demand to return to this upstream.
  @inlinable @inline(__always)
  func distribute(_ more: JoinDemand) -> Subscribers.Demand {
    if _fastPath(more.isNone) { return .none }
    parent.distribute(more, except: branch)
    return more.returned
  }
}
