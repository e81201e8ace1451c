import Streams

/// The subscriber to a publisher that is divided into several streams, which are sent as values of another: the outer one.
///
/// Subclasses say which of the streams, the inner ones, a value goes to. The publisher is subscribed to until it ends, or
/// until nobody is left: neither the outer stream's subscriber nor any of an inner one.
class FanOut<Input, Element, Failure: Error>: OutletOwner, BatchSubscriber {
  let upstream = SubscriptionSlot()
  let serializer = Serializer()
  private let state: Lock<FanOutState>
  /// How many batches of the upstream's are under way, in each other. In turn.
  private let batchCount = Cell(0)
  /// In turn.
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

  // MARK: What the streams are

  /// In turn: sends values. Returns how many are not kept.
  func route(_ batch: UnsafeBufferPointer<Input>) -> Int { batch.count }

  /// In turn: the inner streams that are open, and perhaps others.
  var inner: [Outlet<Input, Failure>] { [] }

  /// In turn: the same, which are forgotten.
  func takeInner() -> [Outlet<Input, Failure>] { [] }

  /// The upstream has sent its subscription, and nothing has been asked of it.
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
    guard upstream.phase == .subscribed else { return .none }
    state.withLock { $0.receive(batch.count) }
    let gone = serializer.run(
      {
        batchCount.value += 1
        defer { batchCount.value -= 1 }
        return route(batch)
      },
      refused: {
        serializer.submit(copyOf: batch) { [self] in release(route($0), from: .inner) }
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
    serializer.perform { [self] in
      // What a timer has begun may come after this.
      state.withLock { $0.end() }
      for outlet in takeInner() { _ = outlet.end(completion) }
      _ = stream.value?.end(completion)
    }
  }

  // MARK: For subclasses, in turn

  /// The stream of streams, while somebody gets it.
  final var outer: Outlet<Element, Failure>? { stream.value }

  /// Makes an inner stream, unless nobody would get it.
  final func makeInner() -> Outlet<Input, Failure>? {
    state.withLock { $0.open() } ? Outlet(of: self, .inner) : nil
  }

  /// Ends an inner stream while the others go on.
  final func finish(_ outlet: Outlet<Input, Failure>) {
    guard outlet.end(.finished), state.withLock({ $0.close(.inner) }) else { return }
    serializer.afterLeaving { [self] in leave() }
  }

  /// Values go to so many streams besides the first.
  final func hold(_ count: Int) { state.withLock { $0.hold(count) } }

  // MARK: The outlets

  override final func release(_ count: Int, from role: OutletRole) {
    if role == .inner { update { $0.release(count) } }
  }

  override final func change(_ old: OutletDemand, to new: OutletDemand, of role: OutletRole) {
    update { $0.change(old, to: new, of: role) }
  }

  /// Asks the upstream for what a change makes room for.
  private func update(_ change: (inout FanOutState) -> Void) {
    // What a batch leads to it returns: an upstream that answers requests at once would nest.
    let isReturned = serializer.isEntered && batchCount.value > 0
    let more = state.withLock { state in
      change(&state)
      return isReturned ? .none : state.demand()
    }
    if serializer.isEntered { serializer.afterLeaving { [self] in pass(more) } } else { pass(more) }
  }

  private func pass(_ demand: Subscribers.Demand) {
    if demand != .none { upstream.current?.request(demand) }
  }

  override final func close(_ role: OutletRole) {
    if state.withLock({ $0.close(role) }) { leave() }
    guard role == .outer else { return }
    finished(role)
    // What has not been subscribed to by now would be kept for nobody.
    serializer.post { [self] in inner.forEach { $0.abandon() } }
  }

  override final func finished(_ role: OutletRole) {
    // It keeps this object alive.
    if role == .outer { serializer.post { [self] in stream.value = nil } }
  }

  /// Nobody is left.
  private func leave() {
    stop()
    upstream.end()?.cancel()
    serializer.post { [self] in serializer.retire(takeInner()) }
  }
}
