import CStreams
import Streams
import Synchronization

/// A subscriber written in C, and its stream: the upstream's subscription and the callbacks, both until the end.
///
/// After the end of the stream, a handle to it keeps nothing else alive.
final class SubscriptionObject: CancellableObject, DropCounter {
  private let callbacks: Lock<SubscriberCallbacks?>
  private let slot = SubscriptionSlot()
  private let drops = Atomic(0)

  /// Whether the subscription belongs to another subscriber and is only shown to C. Then C cannot request: the values would reach
  /// that subscriber, and the operators before it, without their demand.
  let isWatched: Bool

  init(_ callbacks: SubscriberCallbacks) {
    self.callbacks = Lock(callbacks)
    isWatched = false
    super.init()
    callbacks.stream = self
  }

  private init(watched: Void) {
    callbacks = Lock(nil)
    isWatched = true
  }

  static func watched() -> SubscriptionObject { SubscriptionObject(watched: ()) }

  /// The callbacks, until the stream ends.
  private var current: SubscriberCallbacks? { callbacks.withLock { $0 } }

  override var dropped: Int { drops.load(ordering: .relaxed) }

  func drop(_ count: Int) { drops.wrappingAdd(count, ordering: .relaxed) }

  /// Whether the subscriber receives nothing more.
  var hasEnded: Bool { current == nil }

  func accept(_ subscription: any Subscription) -> Bool { slot.accept(subscription) }

  /// Ends the subscription without cancelling it. Returns what the caller must release.
  func releaseSubscription() -> AnyObject? { slot.end() }

  func request(_ demand: Subscribers.Demand) { slot.current?.request(demand) }

  /// When this returns, the callbacks are not called any more, even if another thread is already cancelling.
  override func cancel() {
    BatchProgress.noteAction()
    let subscription = slot.end()
    let ended = end()
    Trampoline.run((subscription, ended)) { subscription, ended in
      subscription?.cancel()
      ended?.finish()
    }
  }

  /// Cancels the stream after its subscriber has failed, and delivers the failure, unless the subscriber has cancelled.
  func fail(_ error: StreamError) {
    guard let current else { return }
    current.deactivate()
    slot.end()?.cancel()
    if let ended = end() { notify(ended, .failure(error)) }
  }

  private func notify(_ ended: SubscriberCallbacks, _ completion: Subscribers.Completion<StreamError>) {
    if let onCompletion = ended.callbacks.on_completion {
      Call("streams_sink").lending(completion) { error in
        ended.calling(toEnd: true) { onCompletion(ended.callbacks.context, error) }
      }
    }
    ended.finish()
  }

  /// Takes the callbacks for the completion. Returns nil if the stream has ended before.
  private func complete() -> SubscriberCallbacks? {
    // The subscription is released first, because that may run code that cancels.
    withExtendedLifetime(slot.end()) {}
    return end()
  }

  private func end() -> SubscriberCallbacks? {
    callbacks.withLock { callbacks in
      callbacks?.deactivate()
      return callbacks.take()
    }
  }
}

extension SubscriptionObject: Subscriber {
  func receive(subscription: any Subscription) {
    guard accept(subscription), let current else { return }
    current.listen(for: self, to: subscription)
    deliverSubscription(current)
    let demand = current.callbacks.demand
    if demand > 0 { request(Subscribers.Demand(c: demand)) }
  }

  private func deliverSubscription(_ callbacks: SubscriberCallbacks) {
    guard let onSubscription = callbacks.callbacks.on_subscription else { return }
    Call("streams_sink").lending(self, Kind.subscription) { handle in
      callbacks.calling { onSubscription(callbacks.callbacks.context, handle) }
    }
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    current?.receive(batch) ?? .refused()
  }

  func _delivery() -> (UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let callbacks = current else { return { _ in .refused() } }
    if let delivery = callbacks.delivery() { return delivery }
    if callbacks.goesToFunction { return { callbacks.receiveByFunction($0) } }
    return { callbacks.receive($0) }
  }

  func _pieceDelivery() -> ((any _Piece<Value>) -> Subscribers.Demand)? {
    guard let callbacks = current, callbacks.takesPieces else { return nil }
    return { callbacks.receive($0) }
  }

  func receive(completion: Subscribers.Completion<StreamError>) {
    // An earlier callback may have ended the upstream before its subscription has arrived here.
    let hasSubscription = slot.phase != .awaiting
    // Not during a cancel.
    guard current?.isActive == true, let ended = complete() else { return }
    if !hasSubscription { deliverSubscription(ended) }
    notify(ended, completion)
  }
}

extension Kind {
  static let subscription = HandleKind<SubscriptionObject>(STREAMS_KIND_SUBSCRIPTION)
}
