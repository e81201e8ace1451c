import Synchronization

/// The part of a flatMap that knows the values it sends.
@usableFromInline
class FlatMapOutput<Output, Failure: Error>: FlatMapCore {
  @usableFromInline final let downstream: Downstream<Output, Failure>
  /// Values for which there was no demand, with the child each came from. Only for the thread that runs a signal.
  @usableFromInline final let waiting = Cell(Queue<(child: FlatMapBranch, value: Output)>())

  @usableFromInline
  init(downstream: Downstream<Output, Failure>, maxPublishers: Subscribers.Demand, cancelsUpstream: Bool) {
    self.downstream = downstream
    super.init(maxPublishers: maxPublishers, cancelsUpstream: cancelsUpstream)
  }

  @usableFromInline
  override func sendWaiting() {
    while !delivery.isCancelled, state.value.takeWaiting(), let (child, value) = waiting.value.popFirst() {
      let more = downstream.receive(value)
      state.value.demand += more
      releasePlaceIfEmpty(child)
      askForNext(child)
    }
  }

  @usableFromInline
  override func takeWaiting() -> AnyObject? {
    waiting.value.isEmpty ? nil : waiting.value.removeAll() as AnyObject
  }

  @usableFromInline
  override func sendFinished() { downstream.receive(completion: .finished) }

  @usableFromInline
  final func receive(completion: Subscribers.Completion<Failure>) {
    guard case .failure = completion else { return finishUpstream() }
    let ended = upstream.end()
    fail(completion, from: nil)
    withExtendedLifetime(ended) {}
  }

  // MARK: Failures

  /// Ends the stream with the failure of a child, or of the upstream if `child` is nil: cancels the remaining
  /// children, after leaving the gate, and then sends the failure.
  @usableFromInline
  final func fail(_ completion: Subscribers.Completion<Failure>, from child: FlatMapBranch?) {
    delivery.serializer.run(self, (completion, child), { $0.beginFailure(from: $1.1) }) {
      output, input, failure in
      guard let removed = failure.removed else { return }
      Cancellation.ofSeveral {
        Self.cancel(removed)
        if output.cancelsUpstream { output.upstream.end()?.cancel() }
      }
      output.delivery.serializer.run { output.send(failure: input.0) }
    }
  }

  /// Returns the children to cancel, or nil if the stream has ended already, and the child's subscription.
  private final func beginFailure(
    from child: FlatMapBranch?
  ) -> (removed: [FlatMapChildren.Reference]?, ended: (any Subscription)?) {
    precondition(
      child != nil || state.value.phase != .failing(isUpstream: true),
      "a publisher failed again while its failure was being handled")
    let ended = child.flatMap { end($0) }
    return (delivery.end() ? stop(.failing(isUpstream: child == nil)) : nil, ended)
  }

  /// Values sent from within the failure still pass, as in Combine.
  private final func send(failure: Subscribers.Completion<Failure>) {
    state.value.phase = .sendingFailure
    if !delivery.isCancelled { downstream.receive(completion: failure) }
    _ = stop(.ended)
  }

  // MARK: Children's values

  @inlinable @inline(__always)
  final func deliver(
    _ batch: UnsafeBufferPointer<Output>, from child: FlatMapBranch
  ) -> Subscribers.Demand {
    guard state.value.passesAll, !unlimitedRequest.isElsewhere else {
      return deliverLimited(batch, from: child)
    }
    if _fastPath(!delivery.isCancelled) {
      _ = downstream.receive(contentsOf: batch)
    } else {
      // The cancellation waits for this turn to be over, in which a child may send without end.
      child.subscription.value.take()?.cancel()
      return .refused()
    }
    return .none
  }

  /// Delivers as many values as there is demand for and keeps the rest. Returns demand for as many as were
  /// delivered.
  @inlinable
  final func deliverLimited(
    _ batch: UnsafeBufferPointer<Output>, from child: FlatMapBranch
  ) -> Subscribers.Demand {
    var delivered = Subscribers.Demand.none
    for index in 0..<batch.count {
      guard state.value.takesValues, !delivery.isCancelled else { return .refused() }
      guard state.value.takeDemand() else {
        child.waitingCount.value += 1
        waiting.value.append((child, batch[index]))
        continue
      }
      delivered += 1
      state.value.depth += 1
      let more = downstream.receive(batch[index])
      state.value.depth -= 1
      state.value.demand += more
      unlimitedRequest.note(more)
    }
    flush()
    return delivered
  }

  /// Delivers the only value of a publisher that sends it at the first request, if demand is unlimited. It has
  /// the effect of subscribing to the publisher, at a fraction of the cost.
  @inlinable @inline(__always)
  final func deliverWithoutChild(_ value: Output) -> Bool {
    withoutChild { _ = downstream.receive(value) }
  }

  /// Delivers the values of the publisher of an array, one by one, if demand is unlimited.
  @inlinable
  final func deliverWithoutChild(all values: [Output]) -> Bool {
    withoutChild {
      for value in values {
        _ = downstream.receive(value)
        if !state.value.passesAll || delivery.isCancelled { break }
      }
    }
  }

  @inlinable @inline(__always)
  final func withoutChild(_ deliver: () -> Void) -> Bool {
    let isDelivered = delivery.serializer.run(
      {
        guard state.value.passesAll, !delivery.isCancelled else { return false }
        state.value.childlessCount += 1
        deliver()
        state.value.childlessCount -= 1
        finishIfDone()
        return true
      }, busy: { false })
    if isDelivered, maxPublishers != .unlimited, !delivery.isEnded { requestPublishers(.max(1)) }
    return isDelivered
  }
}

/// A flatMap as its upstream and its downstream see it.
@usableFromInline
final class FlatMapInner<Input, Output, Failure: Error>: FlatMapOutput<Output, Failure>, Subscriber,
  Subscription,
  Inner
{
  @usableFromInline static var name: String { "FlatMap" }

  /// Makes a publisher from a value and subscribes a child to it.
  @usableFromInline let attach: (Input, FlatMapOutput<Output, Failure>) -> Void

  @inlinable
  init(
    downstream: Downstream<Output, Failure>, maxPublishers: Subscribers.Demand, cancelsUpstream: Bool,
    attach: @escaping (Input, FlatMapOutput<Output, Failure>) -> Void
  ) {
    self.attach = attach
    super.init(downstream: downstream, maxPublishers: maxPublishers, cancelsUpstream: cancelsUpstream)
  }

  @usableFromInline
  func receive(subscription: any Subscription) { accept(subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if delivery.isEnded { return .refused() }
    attach(input, self)
    return .none
  }
}

/// Subscribes to one of the publishers that a flatMap has made.
@usableFromInline
final class FlatMapChild<Input, Failure: Error>: FlatMapBranch, BatchSubscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @inlinable
  init(_ parent: FlatMapOutput<Input, Failure>) { super.init(parent) }

  /// The parent, which `core` keeps alive, so that a delivery need not retain it.
  @inlinable
  var parent: Unmanaged<FlatMapOutput<Input, Failure>> {
    .fromOpaque(Unmanaged.passUnretained(core).toOpaque())
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    return parent._withUnsafeGuaranteedRef { parent in
      if _slowPath(isStarting.load(ordering: .relaxed)), parent.delivery.serializer.isEntered {
        return parent.deliver(batch, from: self)
      }
      return parent.delivery.serializer.deliver(batch, self) { child, batch in
        child.parent._withUnsafeGuaranteedRef { $0.deliver(batch, from: child) }
      } from: {
        $0.subscription.value
      }
    }
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
