import Streams

/// The inner subscriber of an operator that is written in callbacks. The operator may send as many values as it likes; they go to
/// the downstream through an emitter, on demand.
package final class OperatorInner<Input, Output, Failure: Error>: Subscriber, Inner {
  package static var name: String { "Operator" }

  /// The operator's functions. The first two return the failure that ends the stream, if any; `close` comes last.
  package struct Functions {
    let onValue: (Input) -> Failure?
    let onCompletion: (Subscribers.Completion<Failure>) -> Failure?
    let close: () -> Void

    package init(
      onValue: @escaping (Input) -> Failure?,
      onCompletion: @escaping (Subscribers.Completion<Failure>) -> Failure?, close: @escaping () -> Void
    ) {
      (self.onValue, self.onCompletion, self.close) = (onValue, onCompletion, close)
    }
  }

  package let emitter: Emitter<Output, Failure>
  /// Set from before the subscription to the upstream until the stream is closed.
  private let functions = Cell<Functions?>(nil)
  private let slot = SubscriptionSlot()
  private let state = Lock(OperatorState<Input, Output, Failure>())

  package init<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    emitter = Emitter(subscriber: subscriber, isWithinStream: true)
  }

  // MARK: The beginning

  package func attach<P: Publisher>(to upstream: P, _ functions: Functions)
  where P.Output == Input, P.Failure == Failure {
    self.functions.value = functions
    upstream.subscribe(self)
  }

  /// Ends a stream whose operator could not be made.
  package func refuse(_ failure: Failure) {
    _ = emitter.send(completion: .failure(failure))
    emitter.start(Emitter.Source(produce: { _, _ in nil }, close: {}))
  }

  // MARK: For the operator

  /// Sends values; those without demand wait for it.
  package func send(_ values: UnsafeBufferPointer<Output>) -> Emitter<Output, Failure>.Outcome {
    switch state.withLock({ $0.send(values) }) {
    case .refused: return .terminated(after: 0)
    case .later: return .sent(values.count)
    case .now: break
    }
    let outcome = emitter.send(values)
    guard case .demandExceeded(let count) = outcome else { return outcome }
    state.withLock { $0.keep(UnsafeBufferPointer(rebasing: values[count...])) }
    // Demand may have arrived before the values.
    _ = emitter.wake()
    return .sent(values.count)
  }

  /// Ends the stream after the waiting values. Returns false if it has ended already.
  package func send(completion: Subscribers.Completion<Failure>) -> Bool {
    let sending = state.withLock { $0.complete(completion) }
    if sending == .refused { return false }
    slot.end()?.cancel()
    return sending == .later || emitter.send(completion: completion)
  }

  // MARK: Subscriber

  package func receive(subscription: any Subscription) {
    // If the operator has ended the stream before, this cancels the subscription.
    _ = slot.accept(subscription)
    guard state.withLock({ $0.begin() }) else { return }
    emitter.start(
      Emitter.Source(
        produce: { [self] _, _ in
          produce()
          return nil
        },
        close: { [self] in close() }))
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    let wasAbandoned = emitter.isAbandoned
    receive(.value(input))
    // A source that is being asked is closed only after its answer, which may be endless: so the upstream is cancelled here.
    if emitter.isAbandoned {
      slot.end()?.cancel()
      return wasAbandoned ? .refused() : .refusedLate()
    }
    // Not returned: a subject that keeps the latest value sends it only when it is requested.
    let demand = emitter.demand
    let missing = state.withLock { $0.claim(demand) }
    if missing > .none { slot.current?.request(missing) }
    return .none
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    withExtendedLifetime(slot.end()) {}
    receive(.completion(completion))
  }

  /// Calls the operator, and then again with the signals that have arrived during the call.
  private func receive(_ signal: OperatorState<Input, Output, Failure>.Signal) {
    guard state.withLock({ $0.receive(signal) }) else { return }
    call(signal)
    while true {
      switch state.withLock({ $0.next() }) {
      case .call(let next): call(next)
      case .close: return functions.value.take()?.close() ?? ()
      case .rest: return
      }
    }
  }

  private func call(_ signal: OperatorState<Input, Output, Failure>.Signal) {
    guard let functions = functions.value else { return }
    switch signal {
    case .value(let value):
      if let failure = functions.onValue(value) { _ = send(completion: .failure(failure)) }
    case .completion(let completion):
      let failure = functions.onCompletion(completion)
      _ = send(completion: failure.map { .failure($0) } ?? completion)
    }
  }

  // MARK: For the emitter

  private func produce() {
    while true {
      let demand = emitter.demand
      switch state.withLock({ $0.next(demand) }) {
      case .send(let values): _ = values.withUnsafeBufferPointer(emitter.send)
      case .complete(let completion):
        _ = emitter.send(completion: completion)
        return
      case .request(let demand): return slot.current?.request(demand) ?? ()
      case .rest: return
      }
    }
  }

  private func close() {
    slot.end()?.cancel()
    let (dropped, isDue) = state.withLock { $0.close() }
    if isDue { functions.value.take()?.close() }
    withExtendedLifetime(dropped) {}
  }
}
