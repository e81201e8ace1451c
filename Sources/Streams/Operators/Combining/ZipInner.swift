import Synchronization

/// What a zip stores for one of its upstreams: the values that wait for partners.
@usableFromInline
final class ZipBranch<Value>: Branch {
  /// The first of them. Most often there is no other.
  @usableFromInline let first = Cell<Value?>(nil)
  @usableFromInline let rest = Cell(Queue<Value>())
  /// The value that completes a tuple. It is taken immediately, in place.
  @usableFromInline let last = Cell<UnsafePointer<Value>?>(nil)

  @inlinable
  override init() {}

  @usableFromInline
  override var isEmpty: Bool { first.value == nil }

  @usableFromInline
  override func takeAll() -> Any? { first.value.take().map { [$0] + rest.value.removeAll() } }

  @inlinable @inline(__always)
  func append(_ value: UnsafePointer<Value>) {
    // The place holds nothing that would be released.
    if first.value == nil {
      first.address.initialize(to: value.pointee)
    } else {
      rest.value.append(value.pointee)
    }
  }

  /// Takes the first value, which there must be.
  @inlinable @inline(__always)
  func take(_ state: inout ZipState) -> Value {
    if let value = last.value {
      last.value = nil
      state.empty(isFinished: isFinished.value)
      return value.pointee
    }
    let value = first.address.move()
    if _fastPath(rest.value.isEmpty) {
      first.address.initialize(to: nil)
      state.empty(isFinished: isFinished.value)
    } else {
      first.address.initialize(to: rest.value.popFirst())
    }
    return value!
  }
}

/// The subscription of every kind of zip. It knows the type of the tuples, not of their elements.
@usableFromInline
final class ZipInner<Output, Failure: Error>: JoinInner<Output, Failure> {
  /// Makes a tuple of the first value of each branch. An error that it throws fails the stream.
  @usableFromInline let takeTuple: (inout ZipState) throws(Failure) -> Output
  @usableFromInline let state: Cell<ZipState>

  @inlinable
  init<S: Subscriber>(
    subscriber: S, branches: ContiguousArray<Branch>,
    takeTuple: @escaping (inout ZipState) throws(Failure) -> Output
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

  // MARK: The downstream

  @usableFromInline
  override func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    precondition(demand != .none, "request more than no values")
    guard !delivery.isEnded else { return }
    let returning = delivery.serializer.isEntered ? state.value.request(demand) : nil
    request(demand, except: returning)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand, except returning: ObjectIdentifier?) {
    for branch in branches where ObjectIdentifier(branch) != returning {
      branch.upstream.current?.request(demand)
    }
  }

  // MARK: The upstreams

  @inlinable @inline(__always)
  func receive<Value>(
    _ batch: UnsafeBufferPointer<Value>, from branch: ZipBranch<Value>
  ) -> Subscribers.Demand {
    guard batch.isSingle else { return batch.inStep { receive(batch.single($0), from: branch) } }
    guard _fastPath(delivery.serializer.enterIfFree()) else {
      return receive(several: batch, from: branch)
    }
    let more = deliver(batch.baseAddress.unsafelyUnwrapped, from: branch)
    delivery.serializer.leave()
    if _fastPath(more.isNone && !more.hasEnded) { return .none }
    pass(on: more, from: branch)
    return more.sum
  }

  @inlinable @inline(never)
  func receive<Value>(
    several batch: UnsafeBufferPointer<Value>, from branch: ZipBranch<Value>
  ) -> Subscribers.Demand {
    var total = Subscribers.Demand.none
    var start = 0
    while start < batch.count {
      let more = delivery.serializer.run(
        { deliver(batch, from: branch, start: &start) },
        busy: {
          enqueue(UnsafeBufferPointer(rebasing: batch[start...]), from: branch)
          start = batch.count
          return JoinDemand()
        })
      if more.returned != .none || more.hasEnded { pass(on: more, from: branch) }
      total += more.sum
    }
    return total
  }

  /// Takes values of a batch until a tuple leads to more demand, which goes to all upstreams before the next value.
  @inlinable
  func deliver<Value>(
    _ batch: UnsafeBufferPointer<Value>, from branch: ZipBranch<Value>, start: inout Int
  ) -> JoinDemand {
    while start < batch.count {
      let more = deliver(batch.baseAddress.unsafelyUnwrapped + start, from: branch)
      start &+= 1
      if delivery.isEnded { start = batch.count }
      if !more.isNone || more.hasEnded { return more }
    }
    return JoinDemand()
  }

  /// Takes a value, which is not queued if the other upstreams' values were waiting only for this one.
  @inlinable @inline(__always)
  func deliver<Value>(_ value: UnsafePointer<Value>, from branch: ZipBranch<Value>) -> JoinDemand {
    if delivery.isEnded || branch.isFinished.value { return .refused() }
    let isFirst = branch.first.value == nil
    if state.value.queue(isFirst: isFirst) && isFirst {
      branch.last.value = value
    } else {
      branch.append(value)
    }
    guard state.value.isComplete else { return JoinDemand() }
    let more = deliverTuple(completedBy: branch)
    if state.value.isOver { return JoinDemand(hasEnded: end(.finished)) }
    return delivery.isEnded ? JoinDemand() : more
  }

  @inlinable @inline(__always)
  func deliverTuple(completedBy branch: Branch) -> JoinDemand {
    // Making the tuple is a part of the delivery: an end that it causes comes after it.
    let outer = state.value.begin(by: ObjectIdentifier(branch))
    var returned = Subscribers.Demand.none
    do throws(Failure) {
      var tuple = try takeTuple(&state.value)
      // Making the tuple may have ended the stream.
      if !delivery.refusesValue() {
        state.value.turn?.isBeingReceived = true
        returned = delivery.downstream.receive(&tuple)
      }
    } catch {
      fail(with: error)
    }
    return JoinDemand(returned: returned, requested: state.value.end(within: outer))
  }

  @usableFromInline @inline(never)
  func enqueue<Value>(_ batch: UnsafeBufferPointer<Value>, from branch: ZipBranch<Value>) {
    delivery.serializer.enqueue(copyOf: batch) { [self] batch in
      var start = 0
      while start < batch.count {
        let more = deliver(batch, from: branch, start: &start)
        guard !more.isNone || more.hasEnded else { continue }
        delivery.serializer.afterLeaving { [self] in
          pass(on: more, from: branch)
          if !more.isNone { branch.upstream.current?.request(more.sum) }
        }
      }
    }
  }

  /// Applies the effects of a delivery, except for returning demand.
  @usableFromInline
  func pass(on more: JoinDemand, from branch: Branch) {
    if more.returned != .none { request(more.returned, except: ObjectIdentifier(branch)) }
    if more.hasEnded { branches.cancel() }
  }

  // MARK: The end

  /// The completion is sent before the upstreams are cancelled, as in Combine.
  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>, from branch: Branch) {
    var ended: (any Subscription)?
    if case .finished = completion { ended = branch.upstream.end() }
    delivery.serializer.run(self, (completion, branch), { $0.complete($1.0, $1.1) }) {
      if $2 { $0.branches.cancel() }
    }
    withExtendedLifetime(ended) {}
  }

  /// Returns whether this has ended the stream.
  private func complete(_ completion: Subscribers.Completion<Failure>, _ branch: Branch) -> Bool {
    guard case .finished = completion else { return end(state.value.isSendingLast ? .finished : completion) }
    guard !branch.isFinished.value else { return false }
    branch.isFinished.value = true
    state.value.finish(isEmpty: branch.isEmpty)
    return state.value.isOver && end(.finished)
  }

  /// Returns whether this has ended the stream.
  @usableFromInline
  func end(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard delivery.end() else { return false }
    delivery.send(completion, self)
    dropValues()
    return true
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

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    parent.receive(batch, from: branch)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    parent.receive(completion: completion, from: branch)
  }
}
