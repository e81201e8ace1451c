import Synchronization

/// The part of a flatMap that knows the values it sends.
@usableFromInline
class FlatMapOutput<Output, Failure: Error>: FlatMapCore {
  @usableFromInline final let downstream: Downstream<Output, Failure>
  /// Values for which there was no demand, with the child each came from. Belongs to whoever runs a signal.
  @usableFromInline final let kept = Cell(Queue<(child: FlatMapBranch, value: Output)>())

  @usableFromInline
  init(downstream: Downstream<Output, Failure>, maxPublishers: Subscribers.Demand) {
    self.downstream = downstream
    super.init(maxPublishers: maxPublishers)
  }

  @usableFromInline
  override func sendKept() {
    while !isCancelled.load(ordering: .relaxed), state.value.takeKept(),
      let (child, value) = kept.value.popFirst()
    {
      let more = downstream.receive(value)
      state.value.demand += more
      askForNext(child)
    }
  }

  @usableFromInline
  override func dropKept() {
    state.value.keptCount = 0
    let dropped = kept.value.removeAll()
    withExtendedLifetime(dropped) {}
  }

  @usableFromInline
  override func sendFinished() { downstream.receive(completion: .finished) }

  /// Sends the failure. Values sent from within it still pass, as in Combine.
  final func sendFailure(_ completion: Subscribers.Completion<Failure>) {
    downstream.receive(completion: completion)
    state.value.phase = .ended
  }

  // MARK: Children's signals

  @inlinable @inline(__always)
  final func receive(
    _ batch: UnsafeBufferPointer<Output>, from child: FlatMapBranch
  ) -> Subscribers.Demand {
    serializer.run({ deliver(batch, from: child) }, refused: { enqueue(batch, from: child) })
  }

  @inlinable @inline(__always)
  final func deliver(
    _ batch: UnsafeBufferPointer<Output>, from child: FlatMapBranch
  ) -> Subscribers.Demand {
    guard state.value.phase == .running, state.value.demand == .unlimited else {
      return deliverLimited(batch, from: child)
    }
    if !isCancelled.load(ordering: .relaxed) { _ = downstream.deliver(batch) }
    return .none
  }

  /// Delivers what is demanded and keeps the rest. Returns demand for as many values as were delivered.
  @inlinable
  final func deliverLimited(
    _ batch: UnsafeBufferPointer<Output>, from child: FlatMapBranch
  ) -> Subscribers.Demand {
    var delivered = Subscribers.Demand.none
    for index in 0..<batch.count {
      guard state.value.phase != .ended, !isCancelled.load(ordering: .relaxed) else { return .none }
      guard state.value.takeDemand() else {
        kept.value.append((child, batch[index]))
        continue
      }
      delivered += 1
      state.value.depth += 1
      let more = downstream.receive(batch[index])
      state.value.depth -= 1
      state.value.demand += more
    }
    flush()
    return delivered
  }

  /// Delivers the only value of a publisher that sends it at the first request, if everything is demanded: the
  /// same as subscribing to it, at a fraction of the cost.
  @inlinable @inline(__always)
  final func deliverWithoutChild(_ value: Output) -> Bool {
    let isDelivered = serializer.run(
      {
        guard state.value.phase == .running, state.value.demand == .unlimited,
          !isCancelled.load(ordering: .relaxed)
        else { return false }
        state.value.childlessCount += 1
        _ = downstream.receive(value)
        state.value.childlessCount -= 1
        finishIfDone()
        return true
      }, refused: { false })
    if isDelivered, maxPublishers != .unlimited, isRunning.load(ordering: .relaxed) { requestPublisher() }
    return isDelivered
  }

  @usableFromInline @inline(never)
  final func enqueue(
    _ batch: UnsafeBufferPointer<Output>, from child: FlatMapBranch
  ) -> Subscribers.Demand {
    serializer.submit(copyOf: batch) { [self] in
      let more = deliver($0, from: child)
      guard more != .none, let subscription = child.subscription.value else { return }
      serializer.afterLeaving { subscription.request(more) }
    }
    return .none
  }

  @usableFromInline
  final func fail(_ completion: Subscribers.Completion<Failure>, from child: FlatMapBranch) {
    serializer.perform { [self] in
      if beginFailure(of: child) { sendFailure(completion) }
    }
  }
}

/// A flatMap as its upstream and its downstream see it.
@usableFromInline
final class FlatMapInner<Input, Output, Failure: Error>: FlatMapOutput<Output, Failure>, Subscriber,
  Subscription,
  Inner
{
  @usableFromInline static var name: String { "FlatMap" }

  /// Makes a publisher of a value and subscribes a child to it.
  @usableFromInline let attach: (Input, FlatMapInner) -> Void

  @inlinable
  init(
    downstream: Downstream<Output, Failure>, maxPublishers: Subscribers.Demand,
    attach: @escaping (Input, FlatMapInner) -> Void
  ) {
    self.attach = attach
    super.init(downstream: downstream, maxPublishers: maxPublishers)
  }

  @usableFromInline
  func receive(subscription: any Subscription) { accept(subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if isRunning.load(ordering: .relaxed) { attach(input, self) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard case .failure = completion else { return finishUpstream() }
    let ended = upstream.end()
    serializer.perform { [self] in
      if beginFailureOfUpstream() { sendFailure(completion) }
    }
    withExtendedLifetime(ended) {}
  }
}

/// Subscribes to one of the publishers that a flatMap has made.
@usableFromInline
final class FlatMapChild<Input, Failure: Error>: FlatMapBranch, Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @inlinable
  init(_ parent: FlatMapOutput<Input, Failure>) { super.init(parent) }

  /// The parent, which `core` keeps alive: a value that is on its way to it need not.
  @inlinable
  var parent: Unmanaged<FlatMapOutput<Input, Failure>> {
    .fromOpaque(Unmanaged.passUnretained(core).toOpaque())
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: one($0)) }
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    parent._withUnsafeGuaranteedRef { $0.receive(batch, from: self) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if case .finished = completion {
      core.finish(self)
    } else {
      parent._withUnsafeGuaranteedRef { $0.fail(completion, from: self) }
    }
  }

  @usableFromInline var description: String { "FlatMap" }
  @usableFromInline var customMirror: Mirror {
    Mirror(self, children: ["parentSubscription": CombineIdentifier(core)])
  }
  @usableFromInline var playgroundDescription: Any { description }
}
