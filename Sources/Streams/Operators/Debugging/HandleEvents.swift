import Synchronization

extension Publishers {
  /// A publisher that calls closures when something passes through it.
  ///
  /// Made by `handleEvents`, which describes it.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// Called with the upstream's subscription.
    public var receiveSubscription: ((any Subscription) -> Void)?
    /// Called with each value, before it is passed on.
    public var receiveOutput: ((Upstream.Output) -> Void)?
    /// Called with the completion, before it is passed on.
    public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?
    /// Called when the downstream cancels.
    public var receiveCancel: (() -> Void)?
    /// Called with each demand, whether requested or returned for a value.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// Makes the publisher that `handleEvents` returns.
    @inlinable
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
      receiveCancel: (() -> Void)? = nil,
      receiveRequest: ((Subscribers.Demand) -> Void)?
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let handlers = EventHandlers(
        receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
        receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
      upstream.subscribe(HandleEventsInner(downstream: Downstream(subscriber), handlers: handlers))
    }
  }
}

/// The closures of one subscription, in an object of their own, so that a delivery can retain them while they are
/// dropped.
@usableFromInline
final class EventHandlers<Output, Failure: Error> {
  @usableFromInline let receiveSubscription: ((any Subscription) -> Void)?
  @usableFromInline let receiveOutput: ((Output) -> Void)?
  @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let receiveCancel: (() -> Void)?
  @usableFromInline let receiveRequest: ((Subscribers.Demand) -> Void)?
  /// False once the subscription has ended.
  @usableFromInline let isActive = Atomic(true)

  @inlinable
  init(
    receiveSubscription: ((any Subscription) -> Void)?,
    receiveOutput: ((Output) -> Void)?,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?,
    receiveCancel: (() -> Void)?,
    receiveRequest: ((Subscribers.Demand) -> Void)?
  ) {
    self.receiveSubscription = receiveSubscription
    self.receiveOutput = receiveOutput
    self.receiveCompletion = receiveCompletion
    self.receiveCancel = receiveCancel
    self.receiveRequest = receiveRequest
  }

  @inlinable @inline(__always)
  func willDeliver(_ value: Output) {
    if let receiveOutput, isActive.load(ordering: .relaxed) { receiveOutput(value) }
  }

  @inlinable @inline(__always)
  func didDeliver(_ demand: Subscribers.Demand) {
    if demand != .none, let receiveRequest, isActive.load(ordering: .relaxed) { receiveRequest(demand) }
  }
}

@usableFromInline
final class HandleEventsInner<Input, Failure: Error>: BatchSubscriber, Subscription, Inner {
  @usableFromInline static var name: String { "HandleEvents" }

  @usableFromInline let downstream: Downstream<Input, Failure>
  @usableFromInline let handlers: Lock<EventHandlers<Input, Failure>?>
  /// Whether a closure observes values or the demand returned for them.
  @usableFromInline let handlesValues: Bool
  @usableFromInline let upstream = SubscriptionSlot()
  @usableFromInline let handshake = Handshake()

  @inlinable
  init(downstream: Downstream<Input, Failure>, handlers: EventHandlers<Input, Failure>) {
    self.downstream = downstream
    self.handlers = Lock(handlers)
    handlesValues = handlers.receiveOutput != nil || handlers.receiveRequest != nil
  }

  @inlinable
  var current: EventHandlers<Input, Failure>? { handlers.withLock { $0 } }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if upstream.phase == .awaiting { handshake.begin(self) }
    current?.receiveSubscription?(subscription)
    guard upstream.accept(subscription), let due = handshake.take() else { return }
    downstream.receive(subscription: due)
  }

  /// Values that a closure observes are passed on one by one: the closure and the downstream handle a value
  /// together. Once the downstream cancels, the rest of the batch is not delivered, as single values would not be.
  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard handlesValues, let current else { return downstream.receive(contentsOf: batch) }
    if batch.isSingle { return deliver(batch, current) }
    return batch.inStep(while: { upstream.phase != .ended }) { deliver(batch.single($0), current) }
  }

  @inlinable @inline(__always)
  func deliver(
    _ value: UnsafeBufferPointer<Input>, _ handlers: EventHandlers<Input, Failure>
  ) -> Subscribers.Demand {
    handlers.willDeliver(value[0])
    let demand = downstream.receive(contentsOf: value)
    handlers.didDeliver(demand)
    return demand
  }

  /// If no closure observes values, they bypass this subscriber.
  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    handlesValues ? { self.receive(contentsOf: $0) } : downstream.deliver
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    current?.receiveCompletion?(completion)
    let released = (upstream.end(), dropHandlers())
    if let due = handshake.take() { downstream.receive(subscription: due) }
    downstream.receive(completion: completion)
    withExtendedLifetime(released) {}
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    current?.receiveRequest?(demand)
    upstream.current?.request(demand)
  }

  @usableFromInline
  func cancel() {
    guard let subscription = upstream.endIfSubscribed() else {
      if upstream.phase == .awaiting { current?.receiveCancel?() }
      return
    }
    let released = dropHandlers()
    released?.receiveCancel?()
    subscription.cancel()
    withExtendedLifetime(released) {}
  }

  /// Takes the closures out; the caller releases them, outside of the lock.
  private func dropHandlers() -> EventHandlers<Input, Failure>? {
    let dropped = handlers.withLock { handlers in
      defer { handlers = nil }
      return handlers
    }
    dropped?.isActive.store(false, ordering: .relaxed)
    return dropped
  }
}

extension Publisher {
  /// Calls closures when a subscription, a value, a completion, a cancellation or a request passes through.
  ///
  /// Everything passes through unchanged. After the completion or the cancellation no closure is called, and all
  /// are released. Each closure is called on the thread on which its event happens.
  ///
  ///     let cancellable = [1, 2].publisher
  ///       .handleEvents(receiveOutput: { print("about to send \($0)") })
  ///       .sink { print($0) }
  @inlinable
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
}
