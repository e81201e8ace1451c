import Streams
import Synchronization

/// The subscriber to a publisher that is divided into inner streams, which an outer stream sends as its values.
///
/// Subclasses choose the inner streams that a value goes to. The publisher is subscribed to until it ends, or until neither the
/// outer stream nor any inner one has a subscriber.
@usableFromInline
class FanOut<Input, Element, Failure: Error>: OutletOwner {
  @usableFromInline let upstream = SubscriptionSlot()
  @usableFromInline let serializer = Serializer()
  @usableFromInline let state: Lock<FanOutState>
  /// How many of the upstream's batches are being received, nested in each other. Accessed only in the serializer.
  @usableFromInline let batchCount = Cell(0)
  /// Whether one of the streams has been cancelled together with others, which may not have been yet.
  private let isLeaving = Atomic(false)
  /// The request of everything from the upstream.
  @usableFromInline let unlimitedRequest = RequestUnderWay()
  /// The outer stream. Accessed only in the serializer.
  @usableFromInline let stream = Cell<Outlet<Element, Failure>?>(nil)

  @usableFromInline
  init(_ name: String, prefetch: Subscribers.Demand?) {
    precondition(prefetch != Subscribers.Demand.none, "at least one value is kept")
    state = Lock(FanOutState(prefetch: prefetch))
    super.init(name)
  }

  /// Gives the subscriber its subscription.
  @inlinable
  final func begin(_ downstream: Downstream<Element, Failure>) {
    let outlet = Outlet<Element, Failure>(of: self, .outer)
    stream.value = outlet
    outlet.attach(downstream)
  }

  // MARK: For subclasses to override

  /// Runs in the serializer: sends values. Returns how many are not kept.
  @usableFromInline
  func route(_ batch: UnsafeBufferPointer<Input>) -> Int { batch.count }

  /// Runs in the serializer: the open inner streams, and perhaps closed ones.
  @usableFromInline
  var inner: [Outlet<Input, Failure>] { [] }

  /// Runs in the serializer: removes and returns the inner streams.
  @usableFromInline
  func takeInner() -> [Outlet<Input, Failure>] { [] }

  /// The upstream has sent its subscription; nothing has been requested yet.
  @usableFromInline
  func start() {}

  /// There will be no more streams.
  @usableFromInline
  func stop() {}

  // MARK: The upstream

  @usableFromInline
  final func receive(subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    start()
    pass(decide { $0.begin() })
    pass(decide { $0.continueAfterRequest() })
  }

  /// Receives values for a subclass, which passes its `route`: called by its type, that is specialized.
  @inlinable @inline(__always)
  final func accept(
    _ batch: UnsafeBufferPointer<Input>, _ route: (UnsafeBufferPointer<Input>) -> Int
  ) -> Subscribers.Demand {
    guard upstream.phase == .subscribed else { return .refused() }
    state.withLock { $0.receive(batch.count) }
    let gone = serializer.run(
      {
        batchCount.value += 1
        defer { batchCount.value -= 1 }
        return route(batch)
      }, busy: { leave(batch) })
    return state.withLock { state in
      state.release(gone)
      let more = state.demand()
      return more == .none && unlimitedRequest.isElsewhere ? .max(batch.count) : more
    }
  }

  @usableFromInline @inline(never)
  final func leave(_ batch: UnsafeBufferPointer<Input>) -> Int {
    serializer.enqueue(copyOf: batch) { [self] in release(route($0), from: .inner) }
    return 0
  }

  @usableFromInline
  final func receive(completion: Subscribers.Completion<Failure>) {
    guard let ended = upstream.end() else { return }
    end(completion)
    withExtendedLifetime(ended) {}
  }

  /// Ends the inner streams and then the outer one.
  @usableFromInline
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
  @usableFromInline
  final func fail(with error: Failure) {
    guard let ended = upstream.end() else { return }
    serializer.afterLeaving { [self] in
      ended.cancel()
      end(.failure(error))
    }
  }

  /// The outer stream, while it has a subscriber.
  @inlinable
  final var outer: Outlet<Element, Failure>? { stream.value }

  /// Makes an inner stream for a value, which is refused if the outer stream has ended.
  @inlinable
  final func makeInner() -> Outlet<Input, Failure>? {
    if state.withLock({ $0.open() }) { return Outlet(of: self, .inner) }
    _ = Subscribers.Demand.refused()
    return nil
  }

  /// Ends an inner stream while the others go on.
  @inlinable
  final func finish(_ outlet: Outlet<Input, Failure>) {
    if outlet.end(.finished), state.withLock({ $0.close(.inner) }) { leaveLater() }
  }

  @usableFromInline
  final func leaveLater() { serializer.afterLeaving { [self] in leave() } }

  /// Counts values once more for each further stream that keeps them.
  @usableFromInline
  final func hold(_ count: Int) { state.withLock { $0.hold(count) } }

  // MARK: The outlets

  @usableFromInline
  override final func release(_ count: Int, from role: OutletRole) {
    if role == .inner { update { $0.release(count) } }
  }

  @usableFromInline
  override final func change(_ old: OutletDemand, to new: OutletDemand, of role: OutletRole) {
    update { $0.change(old, to: new, of: role) }
  }

  /// Requests from the upstream the values that a change makes room for.
  private func update(_ change: (inout FanOutState) -> Void) {
    // During a batch the demand is returned: an upstream that answers requests immediately would nest.
    let isReturned = serializer.isEntered && batchCount.value > 0
    let more = decide { state in
      change(&state)
      if isReturned { return .none }
      return unlimitedRequest.isElsewhere ? .unlimited : state.demand()
    }
    guard more != .none else { return }
    if serializer.isEntered { serializer.afterLeaving { [self] in pass(more) } } else { pass(more) }
  }

  /// Decides what to request, which is to be passed on.
  private func decide(_ decide: (inout FanOutState) -> Subscribers.Demand) -> Subscribers.Demand {
    state.withLock { state in
      let demand = decide(&state)
      if demand == .unlimited { unlimitedRequest.begin() }
      return demand
    }
  }

  private func pass(_ demand: Subscribers.Demand) {
    guard demand != .none else { return }
    if isLeaving.load(ordering: .relaxed) {
      Cancellation.afterwards { [self] in request(demand) }
    } else {
      request(demand)
    }
  }

  private func request(_ demand: Subscribers.Demand) {
    upstream.current?.request(demand)
    if demand == .unlimited { unlimitedRequest.end() }
  }

  /// While this thread cancels several upstreams of a stream, of which a stream of this object is one, the others may follow.
  private func noteLeaving() {
    guard Cancellation.isUnderWay, !isLeaving.exchange(true, ordering: .relaxed) else { return }
    Cancellation.afterwards { [self] in isLeaving.store(false, ordering: .relaxed) }
  }

  @usableFromInline
  override final func close(_ role: OutletRole) {
    noteLeaving()
    if state.withLock({ $0.close(role) }) { leave() }
    guard role == .outer else { return }
    finished(role)
    // An inner stream that has no subscriber by now cannot get one.
    serializer.runNow { [self] in inner.forEach { $0.abandon() } }
  }

  @usableFromInline
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
