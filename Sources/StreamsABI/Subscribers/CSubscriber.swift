import CStreams
import Streams
import Synchronization

/// The callbacks of a subscriber written in C, apart from the subscriber, so that whoever delivers keeps them alive
/// and `destroy` follows the last call.
final class SubscriberCallbacks {
  let callbacks: streams_subscriber
  /// False once the stream has ended or was cancelled.
  let isActive = Atomic(true)

  init(_ callbacks: streams_subscriber) { self.callbacks = callbacks }

  deinit { callbacks.destroy?(callbacks.context) }

  @inline(__always)
  func receive(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let base = batch.baseAddress, isActive.load(ordering: .relaxed) else { return .none }
    if let onValues = callbacks.on_values {
      return Subscribers.Demand(c: onValues(callbacks.context, base.asC, batch.count))
    }
    return receiveSingly(base.asC, batch.count)
  }

  @inline(__always)
  private func receiveSingly(
    _ values: UnsafePointer<streams_value>, _ count: Int
  ) -> Subscribers.Demand {
    guard let onValue = callbacks.on_value else { return .none }
    var demand = Subscribers.Demand.none
    var index = 0
    repeat {
      let more = onValue(callbacks.context, values + index)
      if more != 0 { demand += Subscribers.Demand(c: more) }
      index += 1
    } while index < count && isActive.load(ordering: .relaxed)
    return demand
  }
}

extension Subscribers.Demand {
  /// Demand as C counts it: everything from `INT64_MAX` on is unlimited.
  @inline(__always)
  init(c count: UInt64) {
    self = count >= UInt64(Int64.max) ? .unlimited : .max(Int(count))
  }

  var c: UInt64 { max.map { UInt64($0) } ?? UInt64.max }
}

/// A subscriber written in C.
final class CSubscriber: Subscriber {
  typealias Input = Value
  typealias Failure = StreamError

  private let callbacks: Lock<SubscriberCallbacks?>
  private let initialDemand: UInt64
  /// Shared with the subscription handle, which must not keep the stream alive after its end.
  let link = SubscriptionLink()

  init(_ callbacks: streams_subscriber) {
    self.callbacks = Lock(SubscriberCallbacks(callbacks))
    initialDemand = callbacks.demand
  }

  func receive(subscription: any Subscription) {
    guard link.slot.accept(subscription) else { return }
    if let current = callbacks.withLock({ $0 }), let onSubscription = current.callbacks.on_subscription {
      Call("streams_sink").lending(SubscriptionObject(link), Kind.subscription) {
        onSubscription(current.callbacks.context, $0)
      }
    }
    if initialDemand > 0 { link.slot.current?.request(Subscribers.Demand(c: initialDemand)) }
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    callbacks.withLock { $0 }?.receive(batch) ?? .none
  }

  func _delivery() -> (UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let callbacks = callbacks.withLock({ $0 }) else { return { _ in .none } }
    return { callbacks.receive($0) }
  }

  func receive(completion: Subscribers.Completion<StreamError>) {
    _ = link.slot.end()
    guard let ended = end(), let onCompletion = ended.callbacks.on_completion else { return }
    switch completion {
    case .finished:
      onCompletion(ended.callbacks.context, nil)
    case .failure(let error):
      Call("streams_sink").lending(error, Kind.error) { onCompletion(ended.callbacks.context, $0) }
    }
  }

  func cancel() {
    let subscription = link.slot.end()
    let ended = end()
    subscription?.cancel()
    withExtendedLifetime(ended) {}
  }

  /// Takes the callbacks out. Returns nil if they were taken before.
  private func end() -> SubscriberCallbacks? {
    let ended = callbacks.withLock { callbacks in
      defer { callbacks = nil }
      return callbacks
    }
    ended?.isActive.store(false, ordering: .relaxed)
    return ended
  }
}

/// The way from a subscription handle to its stream; it leads nowhere once the stream has ended.
final class SubscriptionLink {
  let slot = SubscriptionSlot()
}

/// The subscription behind a handle.
final class SubscriptionObject {
  private enum Target {
    case link(SubscriptionLink)
    case other(any Subscription)
  }

  private let target: Target
  /// What cancelling means beyond the subscription itself.
  private let onCancel: () -> Void

  init(_ link: SubscriptionLink, onCancel: @escaping () -> Void = {}) {
    target = .link(link)
    self.onCancel = onCancel
  }

  init(_ subscription: any Subscription) {
    target = .other(subscription)
    onCancel = {}
  }

  func request(_ demand: Subscribers.Demand) {
    switch target {
    case .link(let link): link.slot.current?.request(demand)
    case .other(let subscription): subscription.request(demand)
    }
  }

  func cancel() {
    switch target {
    case .link(let link): link.slot.end()?.cancel()
    case .other(let subscription): subscription.cancel()
    }
    onCancel()
  }
}

/// What keeps a stream running, behind a handle. Its end cancels.
final class CancellableObject {
  private let cancellable: AnyCancellable

  init(_ cancellable: AnyCancellable) { self.cancellable = cancellable }

  func cancel() { cancellable.cancel() }
}
