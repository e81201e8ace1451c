import StreamsShims

/// The inner subscriber of `receive(on:)` on a scheduler of this package: an action delivers all signals that have come
/// by then.
///
/// The number of values under way is bounded by the downstream's demand.
@usableFromInline
final class HandoverInner<Input, Failure: Error>: ObserveOnInner<
  Input, Failure, HandoverState<Input, Failure>
>, BatchSubscriber, Inner
{
  @usableFromInline static var name: String { "ReceiveOn" }

  @usableFromInline let inBatches: Bool
  @usableFromInline let schedule: Schedule

  @inlinable
  init(_ downstream: Downstream<Input, Failure>, inBatches: Bool, schedule: @escaping Schedule) {
    self.inBatches = inBatches
    self.schedule = schedule
    super.init(downstream: downstream, signals: HandoverState())
  }

  // MARK: Subscriber

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard let isFirst = state.withLock({ $0.receive(contentsOf: batch) }) else { return .refused() }
    if isFirst { scheduleDelivery(inBurst: false) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if state.withLock({ $0.receive(completion: completion) }) { scheduleDelivery(inBurst: false) }
  }

  // MARK: Scheduled actions

  @inlinable
  func scheduleDelivery(inBurst: Bool) {
    schedule {
      if inBurst { self.letMoreCome() }
      self.deliver()
    }
  }

  /// Waits for about a microsecond. Two threads that take turns at the lock for every few values do little else: a
  /// sender that has the lock to itself for a moment gains more than the moment costs.
  @usableFromInline @inline(never)
  func letMoreCome() {
    for _ in 0..<40 { streams_pause() }
  }

  @inlinable
  func deliver() {
    guard var load = state.withLock({ $0.begin() }) else { return }
    let demand: Subscribers.Demand? = delivery.serializer.run(
      { deliverInTurn(load) },
      busy: {
        enqueue(load)
        return nil
      })
    if let demand { end(&load.values, returned: demand) }
  }

  @usableFromInline
  func enqueue(_ load: HandoverState<Input, Failure>.Load) {
    delivery.serializer.enqueue { [self] in
      let demand = deliverInTurn(load)
      var values = load.values
      delivery.serializer.afterLeaving { self.end(&values, returned: demand) }
    }
  }

  @inlinable
  func deliverInTurn(_ load: HandoverState<Input, Failure>.Load) -> Subscribers.Demand {
    let ended = load.completion == nil ? nil : state.withLock { $0.complete() }
    let demand = load.values.withUnsafeBufferPointer { deliverInTurn($0) }
    if let completion = load.completion { delivery.send(completion, self) }
    withExtendedLifetime(ended) {}
    return demand
  }

  @inlinable
  func deliverInTurn(_ values: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    if inBatches {
      return values.isEmpty || delivery.core.isCancelled
        ? .none : delivery.downstream.receive(contentsOf: values)
    }
    var demand = Subscribers.Demand.none
    for index in 0..<values.count where !delivery.core.isCancelled {
      demand += values.lend(index) { delivery.downstream.receive($0) }
    }
    return demand
  }

  /// Releases the values, outside of the turn, and requests more. If others have arrived and these were few, values
  /// come in a burst.
  @inlinable
  func end(_ values: inout [Input], returned demand: Subscribers.Demand) {
    let count = values.count
    values.removeAll(keepingCapacity: count <= 1024)
    if state.withLock({ $0.end(leaving: &values) }) { scheduleDelivery(inBurst: count < 64) }
    if demand != .none { requestReturned(demand) }
  }

  // MARK: Subscription

  @usableFromInline
  override func performCancel() {
    guard let ended = state.withLock({ $0.cancel() }) else {
      let released = state.withLock { $0.upstream.release() }
      return withExtendedLifetime(released) {}
    }
    _ = delivery.cancel()
    ended.subscription?.cancel()
  }
}
