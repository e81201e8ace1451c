import CStreams
import Streams
import StreamsShims
import Synchronization

/// The callbacks of a subscriber written in C, apart from the subscriber, so that whoever delivers keeps them alive
/// and `destroy` follows the last call.
class SubscriberCallbacks {
  private final let activity = Atomic(true)
  private final let ownsContext: Bool
  /// The first word is where a subject looks for what tells many: of a `streams_listener`, this is the beginning.
  private final let storage: Cell<streams_subscriber>

  /// The stream's subscriber, for as long as somebody delivers to it.
  fileprivate final unowned(unsafe) var stream: SubscriptionObject?

  static func made(_ callbacks: streams_subscriber, _ run: Run?) -> SubscriberCallbacks {
    if let run { return AwaitedCallbacks(callbacks, run) }
    if let receiver = HostReceiver.receiver(of: callbacks) { return HostCallbacks(callbacks, receiver) }
    return SubscriberCallbacks(callbacks)
  }

  init(_ callbacks: streams_subscriber, ownsContext: Bool = true) {
    storage = Cell(callbacks)
    storage.value.size = 0
    self.ownsContext = ownsContext
  }

  @inline(__always)
  final var callbacks: streams_subscriber { storage.value }

  /// Where somebody waits for the last call, who then lets go of the context.
  var run: Run? { nil }

  /// Where values go one by one, if that is a host's function.
  var host: Host? { nil }

  /// False once the stream has ended or was cancelled.
  final var isActive: Bool { activity.load(ordering: .relaxed) }

  func deactivate() {
    activity.store(false, ordering: .relaxed)
    streams_stop_telling(storage.address)
  }

  deinit {
    guard ownsContext, let destroy = callbacks.destroy else { return }
    ForeignCode.letGo { destroy(callbacks.context) }
  }

  /// There is no call to come: the stream has ended, or was cancelled.
  final func finish() { run?.finish() }

  /// Subscribes. Where values go to a host its lock is taken here: once, and not anew for each value that comes at once.
  final func subscribing(_ body: () -> Void) {
    guard let host, host.entered(body) != nil else { return body() }
  }

  /// Calls back, unless whoever waits has given up.
  @inline(__always)
  final func calling<Result>(toEnd isEnd: Bool = false, _ body: () -> Result) -> Result? {
    guard let run else { return ForeignCode.run(body) }
    guard run.enter(toEnd: isEnd) else { return nil }
    defer { run.leave() }
    return ForeignCode.run(body)
  }

  @inline(__always)
  final func receive(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let base = batch.baseAddress, isActive else { return .none }
    if let onValues = callbacks.on_values {
      return calling { judged { onValues(callbacks.context, base.asC, batch.count) } } ?? .none
    }
    if batch.count > 1 { return receive(several: base.asC, batch.count) }
    guard let onValue = callbacks.on_value else { return .none }
    return calling { judged { onValue(callbacks.context, base.asC) } } ?? .none
  }

  /// Whether values go to a function one by one, and nobody waits for the last.
  fileprivate final var goesToFunction: Bool {
    callbacks.on_value != nil && callbacks.on_values == nil && run == nil
  }

  /// Gives values to such a function. One that is called within another's call goes the long way if that has named an
  /// error.
  @inline(__always)
  fileprivate final func receiveByFunction(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard batch.isSingle, _fastPath(isActive), _fastPath(streams_named_error() == 0)
    else { return receiveInFull(batch) }
    let more = callbacks.on_value.unsafelyUnwrapped(
      callbacks.context, batch.baseAddress.unsafelyUnwrapped.asC)
    return _fastPath(more | streams_named_error() == 0) ? .none : settle(more, since: 0)
  }

  @inline(never)
  final func receiveInFull(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand { receive(batch) }

  /// Has the subject that a stream is subscribed to, if it is one, tell many such at once.
  func listen(for stream: SubscriptionObject, to subscription: any Subscription) {
    guard goesToFunction else { return }
    let listener = UnsafeMutableRawPointer(storage.address).assumingMemoryBound(to: streams_listener.self)
    listener.pointee.tell = FunctionRow.tell
    Streams.listen(listener, from: FunctionRow.fewest, for: stream, to: subscription)
  }

  /// What a function demands. As with any other, an error that it has named is used or forgotten.
  @inline(never)
  final func settle(_ more: UInt64, since before: UInt64) -> Subscribers.Demand {
    let demand = more == STREAMS_FAIL ? fail(since: before) : Subscribers.Demand(c: more)
    if streams_named_error() != before { ForeignCode.forget() }
    return demand
  }

  /// Whether values are taken many at a time.
  final var takesPieces: Bool { callbacks.on_values != nil || callbacks.on_numbers != nil }

  final func receive(_ piece: any _Piece<Value>) -> Subscribers.Demand {
    guard isActive else { return .none }
    if let onNumbers = callbacks.on_numbers, let numbers = piece as? Numbers {
      return withUnsafePointer(to: numbers.array) { array in
        calling { judged { onNumbers(callbacks.context, array.asC) } } ?? .none
      }
    }
    var demand = Subscribers.Demand.none
    piece.forEachPage { page in
      demand += receive(page)
      return isActive
    }
    return demand
  }

  @inline(never)
  private final func receive(
    several values: UnsafePointer<streams_value>, _ count: Int
  ) -> Subscribers.Demand {
    guard let onValue = callbacks.on_value else { return .none }
    let host = self.host
    let deliver = {
      var demand = Subscribers.Demand.none
      var index = 0
      repeat {
        let more = self.judged { onValue(self.callbacks.context, values + index) }
        if more != .none { demand += more }
        index += 1
      } while index < count && self.isActive && host?.retired != true
      return demand
    }
    // A host's lock is taken once: a thread that the host does not know pays for each time with more than the call.
    return calling { host.map { $0.entered(deliver) ?? .none } ?? deliver() } ?? .none
  }

  /// What a callback demands. One that has failed ends the stream.
  @inline(__always)
  private final func judged(_ body: () -> UInt64) -> Subscribers.Demand {
    let before = streams_named_error()
    let more = body()
    if more == 0 { return .none }
    return more == STREAMS_FAIL ? fail(since: before) : Subscribers.Demand(c: more)
  }

  @inline(never)
  final func fail(since before: UInt64) -> Subscribers.Demand {
    do throws(StreamError) {
      try ForeignCode.settle(STREAMS_CALLBACK_FAILED, since: before)
    } catch {
      stream?.fail(error)
    }
    return .none
  }
}

/// The callbacks of a subscriber whose last call somebody waits for.
private final class AwaitedCallbacks: SubscriberCallbacks {
  private let awaited: Run

  init(_ callbacks: streams_subscriber, _ run: Run) {
    awaited = run
    super.init(callbacks, ownsContext: false)
  }

  override var run: Run? { awaited }

  deinit { awaited.abandon() }
}

extension Subscribers.Demand {
  /// Demand as C counts it: everything from `INT64_MAX` on is unlimited.
  @inline(__always)
  init(c count: UInt64) {
    self = count >= UInt64(Int64.max) ? .unlimited : .max(Int(count))
  }

  var c: UInt64 { max.map { UInt64($0) } ?? UInt64.max }
}

/// What keeps a stream running, behind a handle. Whoever takes the handle back cancels it.
class CancellableObject {
  func cancel() {}
}

/// Something else's cancellable, behind a handle.
final class WrappedCancellable: CancellableObject {
  private let cancellable: any Cancellable

  init(_ cancellable: any Cancellable) { self.cancellable = cancellable }

  override func cancel() { cancellable.cancel() }
}

/// A subscriber written in C, and its stream: the upstream's subscription and the callbacks, both until the end.
///
/// A handle to it keeps nothing alive but itself once the stream has ended.
final class SubscriptionObject: CancellableObject {
  private let callbacks: Lock<SubscriberCallbacks?>
  private let slot = SubscriptionSlot()

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

  /// Whether the subscriber hears nothing more.
  var hasEnded: Bool { current == nil }

  func accept(_ subscription: any Subscription) -> Bool { slot.accept(subscription) }

  /// Ends it without cancelling. Returns what is to be released.
  func letGo() -> AnyObject? { slot.end() }

  func request(_ demand: Subscribers.Demand) { slot.current?.request(demand) }

  /// The callbacks are called no more when this returns, also where another thread is cancelling already.
  override func cancel() {
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
    greet(current)
    let demand = current.callbacks.demand
    if demand > 0 { request(Subscribers.Demand(c: demand)) }
  }

  private func greet(_ callbacks: SubscriberCallbacks) {
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
    if let callbacks = callbacks as? HostCallbacks, callbacks.goesToHost {
      return { callbacks.receiveByHost($0) }
    }
    if callbacks.goesToFunction { return { callbacks.receiveByFunction($0) } }
    return { callbacks.receive($0) }
  }

  func _pieceDelivery() -> ((any _Piece<Value>) -> Subscribers.Demand)? {
    guard let callbacks = current, callbacks.takesPieces else { return nil }
    return { callbacks.receive($0) }
  }

  func receive(completion: Subscribers.Completion<StreamError>) {
    // A callback before this one may have ended the upstream before the subscription has come down.
    let isGreeted = slot.phase != .awaiting
    // Not while it is being cancelled.
    guard current?.isActive == true, let ended = complete() else { return }
    if !isGreeted { greet(ended) }
    tell(ended, completion)
  }
}
