import Streams

/// The subscriber to a publisher that is divided into inner streams, which an outer stream sends as its values.
///
/// Subclasses choose the inner streams that a value goes to. The publisher is subscribed to until it ends, or until neither the
/// outer stream nor any inner one has a subscriber.
class FanOut<Input, Element, Failure: Error>: OutletOwner, BatchSubscriber {
  let upstream = SubscriptionSlot()
  let serializer = Serializer()
  private let state: Lock<FanOutState>
  /// How many of the upstream's batches are being received, nested in each other. Accessed only in the serializer.
  private let batchCount = Cell(0)
  /// The outer stream. Accessed only in the serializer.
  private let stream = Cell<Outlet<Element, Failure>?>(nil)

  init(_ name: String, prefetch: Subscribers.Demand?) {
    precondition(prefetch != Subscribers.Demand.none, "at least one value is kept")
    state = Lock(FanOutState(prefetch: prefetch))
    super.init(name)
  }

  /// Gives the subscriber its subscription.
  final func begin(_ downstream: Downstream<Element, Failure>) {
    let outlet = Outlet<Element, Failure>(of: self, .outer)
    stream.value = outlet
    outlet.attach(downstream)
  }

  // MARK: For subclasses to override

  /// Runs in the serializer: sends values. Returns how many are not kept.
  func route(_ batch: UnsafeBufferPointer<Input>) -> Int { batch.count }

  /// Runs in the serializer: the open inner streams, and perhaps closed ones.
  var inner: [Outlet<Input, Failure>] { [] }

  /// Runs in the serializer: removes and returns the inner streams.
  func takeInner() -> [Outlet<Input, Failure>] { [] }

  /// The upstream has sent its subscription; nothing has been requested yet.
  func start() {}

  /// There will be no more streams.
  func stop() {}

  // MARK: The upstream

  final func receive(subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    start()
    pass(state.withLock { $0.begin() })
    pass(state.withLock { $0.continueAfterRequest() })
  }

  final func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(inStep: batch) }
    guard upstream.phase == .subscribed else { return .refused() }
    state.withLock { $0.receive(batch.count) }
    let gone = serializer.run(
      {
        batchCount.value += 1
        defer { batchCount.value -= 1 }
        return route(batch)
      },
      busy: {
        serializer.enqueue(copyOf: batch) { [self] in release(route($0), from: .inner) }
        return 0
      })
    return state.withLock { state in
      state.release(gone)
      return state.demand()
    }
  }

  final func receive(completion: Subscribers.Completion<Failure>) {
    guard let ended = upstream.end() else { return }
    end(completion)
    withExtendedLifetime(ended) {}
  }

  /// Ends the inner streams and then the outer one.
  final func end(_ completion: Subscribers.Completion<Failure>) {
    stop()
    serializer.run { [self] in
      // A call that a timer has begun may come after this.
      state.withLock { $0.end() }
      for outlet in takeInner() { _ = outlet.end(completion) }
      _ = stream.value?.end(completion)
    }
  }

  // MARK: For subclasses, in the serializer

  /// Ends the streams with the error of a function that decides where a value belongs.
  final func fail(with error: Failure) {
    guard let ended = upstream.end() else { return }
    serializer.afterLeaving { [self] in
      ended.cancel()
      end(.failure(error))
    }
  }

  /// The outer stream, while it has a subscriber.
  final var outer: Outlet<Element, Failure>? { stream.value }

  /// Makes an inner stream for a value, which is refused if the outer stream has ended.
  final func makeInner() -> Outlet<Input, Failure>? {
    if state.withLock({ $0.open() }) { return Outlet(of: self, .inner) }
    _ = Subscribers.Demand.refused()
    return nil
  }

  /// Ends an inner stream while the others go on.
  final func finish(_ outlet: Outlet<Input, Failure>) {
    guard outlet.end(.finished), state.withLock({ $0.close(.inner) }) else { return }
    serializer.afterLeaving { [self] in leave() }
  }

  /// Counts values once more for each further stream that keeps them.
  final func hold(_ count: Int) { state.withLock { $0.hold(count) } }

  // MARK: The outlets

  override final func release(_ count: Int, from role: OutletRole) {
    if role == .inner { update { $0.release(count) } }
  }

  override final func change(_ old: OutletDemand, to new: OutletDemand, of role: OutletRole) {
    update { $0.change(old, to: new, of: role) }
  }

  /// Requests from the upstream the values that a change makes room for.
  private func update(_ change: (inout FanOutState) -> Void) {
    // During a batch the demand is returned: an upstream that answers requests immediately would nest.
    let isReturned = serializer.isEntered && batchCount.value > 0
    let more = state.withLock { state in
      change(&state)
      return isReturned ? .none : state.demand()
    }
    if serializer.isEntered { serializer.afterLeaving { [self] in pass(more) } } else { pass(more) }
  }

  private func pass(_ demand: Subscribers.Demand) {
    if demand != .none { Cancellation.afterwards { [self] in upstream.current?.request(demand) } }
  }

  override final func close(_ role: OutletRole) {
    if state.withLock({ $0.close(role) }) { leave() }
    guard role == .outer else { return }
    finished(role)
    // An inner stream that has no subscriber by now cannot get one.
    serializer.runNow { [self] in inner.forEach { $0.abandon() } }
  }

  override final func finished(_ role: OutletRole) {
    // The outer stream keeps this object alive.
    if role == .outer { serializer.runNow { [self] in stream.value = nil } }
  }

  /// No subscriber is left.
  private func leave() {
    stop()
    upstream.end()?.cancel()
    serializer.runNow { [self] in serializer.retire(takeInner()) }
  }
}
