import Streams
import StreamsShims
import Synchronization

/// The sending end of one subscription, for sources that produce values on demand and may also send on their own.
///
/// It enforces the rules for the source: no more values than are demanded, none after the end, one signal at a time, no
/// recursion. One thread at a time asks the source for the open demand, in a loop.
///
/// A send waits its turn while another thread sends. Within a delivery, or where waiting would deadlock, its values are kept and
/// follow those that are being delivered.
@usableFromInline
package final class Emitter<Output, Failure: Error>: Subscription, Inner {
  @usableFromInline package static var name: String { "Emitter" }

  /// The functions of a source. `produce` returns the failure that ends the stream, if any; `close` comes last.
  @usableFromInline
  package struct Source {
    @usableFromInline let produce: (Emitter, Subscribers.Demand) -> Failure?
    @usableFromInline let close: () -> Void

    @inlinable
    package init(produce: @escaping (Emitter, Subscribers.Demand) -> Failure?, close: @escaping () -> Void) {
      self.produce = produce
      self.close = close
    }
  }

  @usableFromInline
  package enum Outcome: Equatable {
    /// How many values were taken.
    case sent(Int)
    /// How many values were taken before demand ran out.
    case demandExceeded(after: Int)
    /// How many values were taken before the stream ended.
    case terminated(after: Int)
  }

  @usableFromInline let state = Lock(EmitterState<Output, Failure>())
  @usableFromInline let serializer = Serializer()
  @usableFromInline let isCancelled = Atomic(false)
  /// Accessed only in the serializer.
  @usableFromInline let downstream: Cell<Downstream<Output, Failure>?>
  @usableFromInline let source: Cell<Source?> = Cell(nil)

  /// Whether its values are made of another stream's, whose source learns of refusals too.
  private let isWithinStream: Bool

  package init<S: Subscriber>(subscriber: S, isWithinStream: Bool = false)
  where S.Input == Output, S.Failure == Failure {
    downstream = Cell(Downstream(subscriber))
    self.isWithinStream = isWithinStream
  }

  /// Gives the subscriber its subscription. Values and an end from before are delivered now.
  @inlinable
  package func start(_ source: Source) {
    self.source.value = source
    serializer.run(self) { $0.open() }
    ask()
    closeIfEnded()
  }

  @inlinable
  func open() {
    downstream.value?.receive(subscription: self)
    state.withLock { $0.open() }
    deliverWaiting()
  }

  // MARK: For the source

  /// Whether values may be sent.
  @inlinable
  package var isOpen: Bool { state.withLock { !$0.hasEnded } }

  /// Whether the subscriber has cancelled; cheaper to check than `isOpen`.
  @inlinable
  package var isAbandoned: Bool { isCancelled.load(ordering: .acquiring) }

  /// The open demand.
  @inlinable
  package var demand: Subscribers.Demand { state.withLock { $0.hasEnded ? .none : $0.demand } }

  /// How often values have met a part of the stream that had ended, or were on their way when it was cancelled.
  package var refusals: UInt64 { state.withLock { $0.refusals } }

  /// Sends as many of the values as there is demand for.
  @inlinable
  package func send(_ values: UnsafeBufferPointer<Output>) -> Outcome {
    BatchProgress.deliverGatheredIfAny()
    guard serializer.enterUnlessNested() else { return keep(values) }
    var isDue = false
    let outcome = deliver(values, &isDue)
    serializer.leave()
    if isDue { ask() }
    return outcome
  }

  /// Ends the stream. Returns false if it has ended already.
  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) -> Bool {
    BatchProgress.deliverGatheredIfAny()
    let isEntered = serializer.enterUnlessNested()
    let isTaken = state.withLock { $0.complete(completion) }
    if isEntered {
      deliverWaiting()
      serializer.leave()
    } else if isTaken {
      serializer.betweenSignals { [self] in deliverWaiting() }
    }
    return isTaken
  }

  /// Asks the source again. Returns false if the stream has ended.
  @inlinable
  package func wake() -> Bool {
    guard state.withLock({ $0.wake() }) else { return false }
    ask()
    return true
  }

  // MARK: Delivery

  /// Sets `isDue` if demand was added.
  @inlinable
  func deliver(_ values: UnsafeBufferPointer<Output>, _ isDue: inout Bool) -> Outcome {
    var sent = 0
    while sent < values.count {
      switch state.withLock({ $0.take(values.count - sent) }) {
      case .granted(let count):
        if pass(UnsafeBufferPointer(rebasing: values[sent..<sent + count])) != .none { isDue = true }
        sent += count
      case .behind: deliverWaiting()
      case .noDemand: return .demandExceeded(after: sent)
      case .terminated: return .terminated(after: sent)
      }
    }
    return .sent(sent)
  }

  /// Leaves values to the thread that is delivering, which may be this one.
  @usableFromInline @inline(never)
  func keep(_ values: UnsafeBufferPointer<Output>) -> Outcome {
    switch state.withLock({ $0.keep(values) }) {
    case .granted(let count):
      serializer.betweenSignals { [self] in deliverWaiting() }
      return count == values.count ? .sent(count) : .demandExceeded(after: count)
    case .terminated: return .terminated(after: 0)
    case .noDemand, .behind: return .demandExceeded(after: 0)
    }
  }

  /// Delivers the values and the end that were kept. Runs in the serializer.
  @inlinable
  func deliverWaiting() {
    while true {
      switch state.withLock({ $0.next() }) {
      case .values(let values):
        // There may be no other thread to ask for it.
        if values.withUnsafeBufferPointer(pass) != .none { serializer.afterLeaving { [self] in ask() } }
      case .completion(let completion):
        if !isCancelled.load(ordering: .acquiring) { downstream.value?.receive(completion: completion) }
        closeIfEnded()
      case .nothing: return
      }
    }
  }

  @inlinable
  func pass(_ values: UnsafeBufferPointer<Output>) -> Subscribers.Demand {
    guard !isCancelled.load(ordering: .acquiring) else {
      noteRefusal(streams_refusals())
      return .none
    }
    let before = streams_refusals()
    let more = downstream.lend { $0?.deliver(values) ?? .none }
    if _slowPath(streams_refusals() != before || isCancelled.load(ordering: .acquiring)) {
      noteRefusal(before)
    }
    if more != .none { state.withLock { $0.add(more) } }
    return more
  }

  /// The stream has ended downstream, and this emitter is about to be cancelled, or has been just now.
  @usableFromInline @inline(never)
  func noteRefusal(_ before: UInt64) {
    streams_set_refusals(isWithinStream ? before &+ 1 : before)
    state.withLock { $0.refusals += 1 }
  }

  // MARK: The source

  /// Asks the source for the open demand, until it has nothing more to do.
  @inlinable
  func ask() {
    var demand = state.withLock { $0.beginProducing() }
    guard demand != nil else { return }
    while let asked = demand, let source = source.value {
      if let failure = source.produce(self, asked) { _ = send(completion: .failure(failure)) }
      demand = state.withLock { $0.continueProducing() }
    }
    closeIfEnded()
  }

  /// Releases source and subscriber after the end, when neither is being called.
  @inlinable
  func closeIfEnded() {
    guard state.withLock({ $0.beginClosing() }) else { return }
    serializer.betweenSignals { [self] in
      let (source, downstream) = (source.value.take(), downstream.value.take())
      serializer.afterLeaving {
        source?.close()
        withExtendedLifetime(downstream) {}
      }
    }
  }

  // MARK: Subscription

  @inlinable
  package func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    state.withLock { $0.add(demand) }
    ask()
  }

  @inlinable
  package func cancel() {
    BatchProgress.deliverGatheredIfAny()
    isCancelled.store(true, ordering: .releasing)
    let dropped = state.withLock { $0.cancel() }
    closeIfEnded()
    withExtendedLifetime(dropped) {}
  }
}
