import CStreams
import Streams
import StreamsShims
import Synchronization

/// The callbacks of a subscriber written in C. They are a separate object so that a delivery keeps them alive and `destroy`
/// follows the last call.
class SubscriberCallbacks {
  private final let activity = Atomic(true)
  private final let ownsContext: Bool
  /// A subject looks for the function that notifies many in the first word. A `streams_listener` begins with this.
  private final let storage: Cell<streams_subscriber>

  /// The stream's subscriber, valid during deliveries.
  final unowned(unsafe) var stream: SubscriptionObject?

  init(_ callbacks: streams_subscriber, ownsContext: Bool = true) {
    storage = Cell(callbacks)
    storage.value.size = 0
    self.ownsContext = ownsContext
  }

  @inline(__always)
  final var callbacks: streams_subscriber { storage.value }

  /// Where a thread waits for the last call, and then releases the context.
  var run: Run? { nil }

  /// Runs code that calls the callbacks more than once. A runtime's lock is then taken once, and not for each call, which costs a
  /// thread that the runtime does not know more than the call. Returns false, and runs nothing, if the runtime has ended.
  func callingOften(_ body: () -> Void) -> Bool {
    body()
    return true
  }

  /// Whether the functions are gone.
  var isGone: Bool { false }

  /// A faster function to deliver values, or nil.
  func delivery() -> ((UnsafeBufferPointer<Value>) -> Subscribers.Demand)? { nil }

  /// False once the stream has ended or was cancelled.
  final var isActive: Bool { activity.load(ordering: .relaxed) }

  func deactivate() {
    activity.store(false, ordering: .relaxed)
    streams_stop_notifying(storage.address)
  }

  deinit {
    guard ownsContext, let destroy = callbacks.destroy else { return }
    UserCallback.releasing { destroy(callbacks.context) }
  }

  /// There will be no further call: the stream has ended, or was cancelled.
  final func finish() { run?.finish() }

  /// Calls back, unless the waiting thread has given up.
  @inline(__always)
  final func calling<Result>(toEnd isEnd: Bool = false, _ body: () -> Result) -> Result? {
    guard let run else { return UserCallback.run(body) }
    guard run.enter(toEnd: isEnd) else { return nil }
    defer { run.leave() }
    return UserCallback.run(body)
  }

  @inline(__always)
  final func receive(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let base = batch.baseAddress, isActive else { return .refused() }
    if let onValues = callbacks.on_values {
      return calling { judged { onValues(callbacks.context, base.asC, batch.count) } } ?? .refused()
    }
    if batch.count > 1 { return receive(several: batch) }
    guard let onValue = callbacks.on_value else { return .none }
    return calling { judged { onValue(callbacks.context, base.asC) } } ?? .refused()
  }

  /// Whether values go to a function one by one, and no thread waits for the last call.
  final var goesToFunction: Bool {
    callbacks.on_value != nil && callbacks.on_values == nil && run == nil
  }

  /// Passes values to such a function. Takes the slow path within another callback that has named an error.
  @inline(__always)
  final func receiveByFunction(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard batch.isSingle, _fastPath(isActive), _fastPath(streams_pending_error() == 0)
    else { return receiveInFull(batch) }
    let more = callbacks.on_value.unsafelyUnwrapped(
      callbacks.context, batch.baseAddress.unsafelyUnwrapped.asC)
    return _fastPath(more | streams_pending_error() == 0) ? .none : afterCallback(more, since: 0)
  }

  @inline(never)
  final func receiveInFull(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand { receive(batch) }

  /// If the upstream is a subject, lets it notify many such functions together.
  func listen(for stream: SubscriptionObject, to subscription: any Subscription) {
    guard goesToFunction else { return }
    let listener = UnsafeMutableRawPointer(storage.address).assumingMemoryBound(to: streams_listener.self)
    listener.pointee.notify = FunctionSlice.notify
    SliceReceiver.install(listener, from: FunctionSlice.fewest, for: stream, in: subscription)
  }

  /// A function's demand. As for any callback, an error that it has named is used or forgotten.
  @inline(never)
  final func afterCallback(_ more: UInt64, since before: UInt64) -> Subscribers.Demand {
    let demand = more == STREAMS_FAIL ? fail(since: before) : Subscribers.Demand(c: more)
    if streams_pending_error() != before { UserCallback.forget(since: before) }
    return demand
  }

  /// Whether it takes many values in one call.
  final var takesPieces: Bool { callbacks.on_values != nil || callbacks.on_numbers != nil }

  final func receive(_ piece: any _Piece<Value>) -> Subscribers.Demand {
    guard isActive else { return .refused() }
    if let onNumbers = callbacks.on_numbers, let numbers = piece as? Numbers {
      return withUnsafePointer(to: numbers.array) { array in
        calling { judged { onNumbers(callbacks.context, array.asC) } } ?? .refused()
      }
    }
    var demand = Subscribers.Demand.none
    piece.forEachPage { page in
      demand += receive(page)
      return isActive
    }
    if !isActive { demand += .refused() }
    return demand
  }

  @inline(never)
  private final func receive(several batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard let onValue = callbacks.on_value else { return .none }
    return calling {
      var demand = Subscribers.Demand.none
      _ = callingOften {
        demand = batch.inStep(while: { isActive && !isGone }) { index in
          judged { onValue(callbacks.context, batch.single(index).baseAddress.unsafelyUnwrapped.asC) }
        }
      }
      return demand
    } ?? .refused()
  }

  /// The demand that a callback returns. A callback that fails ends the stream.
  @inline(__always)
  private final func judged(_ body: () -> UInt64) -> Subscribers.Demand {
    let before = streams_pending_error()
    let more = body()
    if more == 0 { return .none }
    return more == STREAMS_FAIL ? fail(since: before) : Subscribers.Demand(c: more)
  }

  @inline(never)
  final func fail(since before: UInt64) -> Subscribers.Demand {
    do throws(StreamError) {
      try UserCallback.check(STREAMS_CALLBACK_FAILED, since: before, "STREAMS_FAIL")
    } catch {
      stream?.fail(error)
    }
    return .none
  }
}

/// The callbacks of a subscriber whose last call a thread waits for.
final class AwaitedCallbacks: SubscriberCallbacks {
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
