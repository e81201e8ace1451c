import CStreams
import Streams
import Synchronization

/// A subscriber written in C, and its stream: the upstream's subscription and the callbacks, both until the end.
///
/// A handle to it keeps nothing alive but itself once the stream has ended.
final class SubscriptionObject: CancellableObject, DropCounter {
  private let callbacks: Lock<SubscriberCallbacks?>
  private let slot = SubscriptionSlot()
  private let drops = Atomic(0)

  /// Whether the subscription is somebody else's and only shown to C. Demand is then that one's to make: values that it
  /// has not asked for would reach it, and the operators before it.
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

  /// Whether the subscriber hears nothing more.
  var hasEnded: Bool { current == nil }

  func accept(_ subscription: any Subscription) -> Bool { slot.accept(subscription) }

  /// Ends it without cancelling. Returns what is to be released.
  func releaseSubscription() -> AnyObject? { slot.end() }

  func request(_ demand: Subscribers.Demand) { slot.current?.request(demand) }

  /// The callbacks are called no more when this returns, also where another thread is cancelling already.
  override func cancel() {
    BatchProgress.noteAction()
    let subscription = slot.end()
    let ended = end()
    Trampoline.run((subscription, ended)) { subscription, ended in
      subscription?.cancel()
      ended?.finish()
    }
  }

  /// Cancels the stream, whose subscriber has failed, and tells it so, unless it has cancelled meanwhile.
  func fail(_ error: StreamError) {
    guard let current else { return }
    current.deactivate()
    slot.end()?.cancel()
    if let ended = end() { tell(ended, .failure(error)) }
  }

  private func tell(_ ended: SubscriberCallbacks, _ completion: Subscribers.Completion<StreamError>) {
    if let onCompletion = ended.callbacks.on_completion {
      Call("streams_sink").lending(completion) { error in
        ended.calling(toEnd: true) { onCompletion(ended.callbacks.context, error) }
      }
    }
    ended.finish()
  }

  /// Takes the callbacks out for the completion. Returns nil if the stream has ended before.
  private func complete() -> SubscriberCallbacks? {
    // Released before that: what the release runs may cancel.
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
    current?.receive(batch) ?? .none
  }

  func _delivery() -> (UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let callbacks = current else { return { _ in .none } }
    if let delivery = callbacks.delivery() { return delivery }
    if callbacks.goesToFunction { return { callbacks.receiveByFunction($0) } }
    return { callbacks.receive($0) }
  }

  func _pieceDelivery() -> ((any _Piece<Value>) -> Subscribers.Demand)? {
    guard let callbacks = current, callbacks.takesPieces else { return nil }
    return { callbacks.receive($0) }
  }

  func receive(completion: Subscribers.Completion<StreamError>) {
    // A callback before this one may have ended the upstream before the subscription has come down.
    let hasSubscription = slot.phase != .awaiting
    // Not while it is being cancelled.
    guard current?.isActive == true, let ended = complete() else { return }
    if !hasSubscription { deliverSubscription(ended) }
    tell(ended, completion)
  }
}

extension Kind {
  static let subscription = HandleKind<SubscriptionObject>(STREAMS_KIND_SUBSCRIPTION)
}
