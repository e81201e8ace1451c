import Synchronization

/// The sending end of one subscription, for sources that are asked for values and may also send on their own.
///
/// It keeps the source within the rules: not more than is demanded, nothing after the end, one signal at a time, and
/// no recursion. The source is asked for the demand that is open, in a loop, by one thread at a time.
@usableFromInline
package final class Emitter<Output, Failure: Error>: Subscription, Inner {
  @usableFromInline package static var name: String { "Emitter" }

  /// What a source does. `produce` returns the failure that ends the stream, if any; `close` comes last.
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

  @usableFromInline let state = Lock(EmitterState<Failure>())
  @usableFromInline let serializer = Serializer()
  @usableFromInline let isCancelled = Atomic(false)
  /// Belong to whoever has entered the serialiser.
  @usableFromInline let downstream: Cell<Downstream<Output, Failure>?>
  @usableFromInline let source: Cell<Source?> = Cell(nil)

  package init<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    downstream = Cell(Downstream(subscriber))
  }

  /// Gives the subscriber its subscription. What the source did before takes effect now.
  @inlinable
  package func start(_ source: Source) {
    self.source.value = source
    // No value may reach the subscriber while it is being given its subscription.
    let isEntered = serializer.enterUnlessNested()
    downstream.value?.receive(subscription: self)
    if isEntered { serializer.leave() }
    let pending = state.withLock { $0.open() }
    if let pending { deliver(pending) } else { ask() }
    closeIfEnded()
  }

  // MARK: For the source

  /// Whether values may be sent.
  @inlinable
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// The demand that is open.
  @inlinable
  package var demand: Subscribers.Demand { state.withLock { $0.isOpen ? $0.demand : .none } }

  /// Sends as many of the values as there is demand for.
  @inlinable
  package func send(_ values: UnsafeBufferPointer<Output>) -> Outcome {
    var sent = 0
    while sent < values.count {
      let rest = UnsafeBufferPointer(rebasing: values[sent...])
      switch state.withLock({ $0.take(rest.count) }) {
      case .granted(let count):
        deliver(UnsafeBufferPointer(rebasing: rest.prefix(count)))
        sent += count
        if let held = state.withLock({ $0.endSend() }) { finish(held) }
      case .noDemand: return .demandExceeded(after: sent)
      case .terminated: return .terminated(after: sent)
      }
    }
    return .sent(sent)
  }

  /// Ends the stream. Returns false if it has ended already.
  @inlinable
  package func send(completion: Subscribers.Completion<Failure>) -> Bool {
    switch state.withLock({ $0.complete(completion) }) {
    case .send:
      finish(completion)
      return true
    case .wait: return true
    case .terminated: return false
    }
  }

  /// Asks the source again. Returns false if the stream has ended.
  @inlinable
  package func wake() -> Bool {
    guard state.withLock({ $0.wake() }) else { return false }
    ask()
    return true
  }

  // MARK: Delivery

  /// Delivers, or leaves a copy to whoever is delivering: also on the same thread, so that the subscriber gets one
  /// value after the other.
  @inlinable
  func deliver(_ values: UnsafeBufferPointer<Output>) {
    if serializer.enterUnlessNested() {
      pass(values)
      serializer.leave()
      ask()
    } else {
      let copy = Array(values)
      serializer.submit { [self] in copy.withUnsafeBufferPointer { pass($0) } }
    }
  }

  @inlinable
  func pass(_ values: UnsafeBufferPointer<Output>) {
    guard !isCancelled.load(ordering: .acquiring), let downstream = downstream.value else { return }
    let more = downstream.receive(contentsOf: values)
    state.withLock { $0.add(more) }
  }

  @inlinable
  func deliver(_ completion: Subscribers.Completion<Failure>) {
    serializer.submit { [self] in
      guard !isCancelled.load(ordering: .acquiring), let downstream = downstream.value else { return }
      downstream.receive(completion: completion)
    }
  }

  @inlinable
  func finish(_ completion: Subscribers.Completion<Failure>) {
    deliver(completion)
    closeIfEnded()
  }

  // MARK: The source

  /// Asks the source for what is demanded, until it has nothing more to do.
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

  /// Lets go of source and subscriber after the end, when neither is being called.
  @inlinable
  func closeIfEnded() {
    guard state.withLock({ $0.beginClosing() }) else { return }
    serializer.submit { [self] in
      let source = source.value
      self.source.value = nil
      downstream.value = nil
      source?.close()
    }
  }

  // MARK: Subscription

  @inlinable
  package func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.add(demand) }
    ask()
  }

  @inlinable
  package func cancel() {
    isCancelled.store(true, ordering: .releasing)
    state.withLock { $0.cancel() }
    closeIfEnded()
  }
}
