/// Signals with an effect outside of the turn: a request or a cancellation, which may be answered without end or wait
/// for a thread that sends, or a release, which may run the user's code.
///
/// A signal gets its object and its input as arguments, and captures nothing. So nothing is allocated when it runs
/// immediately; both are stored only when it is left to the thread at work.
extension Serializer {
  /// Runs `signal` when it is its turn.
  @inlinable @inline(__always)
  package func run<Object>(_ object: Object, _ signal: @escaping (Object) -> Void) {
    run({ signal(object) }, busy: { enqueue { signal(object) } })
  }

  /// Runs `signal` when it is its turn, and releases its result when no signal is running.
  @inlinable @inline(__always)
  package func run<Object, Input, Result>(
    _ object: Object, _ input: Input, releasing signal: @escaping (Object, Input) -> Result
  ) {
    let entry = enterInTurn()
    if _slowPath(entry == .busy) { return enqueue(.releasing { signal(object, input) }) }
    let result = signal(object, input)
    if entry == .entered { leave() }
    withExtendedLifetime(result) {}
  }

  /// Runs `signal` when it is its turn, and `effect` with its result when the turn is over, or immediately where another
  /// signal is running on this thread.
  ///
  /// In unspecialized code the closures are allocated all the same: where each allocation counts, as in a subscription,
  /// callers use `run(_:busy:)`.
  @inlinable @inline(__always)
  package func run<Object, Input, Effect>(
    _ object: Object, _ input: Input, _ signal: @escaping (Object, Input) -> Effect,
    then effect: @escaping (Object, Input, Effect) -> Void
  ) {
    run(entering: enterInTurn(), isSignal: true, object, input, signal, then: effect)
  }

  /// Runs `signal` and `effect` without waiting for a turn: for requests and cancellations of the downstream.
  @inlinable @inline(__always)
  package func runNow<Object, Input, Effect>(
    _ object: Object, _ input: Input, _ signal: @escaping (Object, Input) -> Effect,
    then effect: @escaping (Object, Input, Effect) -> Void
  ) {
    run(entering: gate.enter(), isSignal: false, object, input, signal, then: effect)
  }

  @inlinable @inline(__always)
  func run<Object, Input, Effect>(
    entering entry: Gate.Entry, isSignal: Bool, _ object: Object, _ input: Input,
    _ signal: @escaping (Object, Input) -> Effect, then effect: @escaping (Object, Input, Effect) -> Void
  ) {
    if _slowPath(entry == .busy) { return enqueue(isSignal: isSignal, object, input, signal, then: effect) }
    let result = signal(object, input)
    if entry == .entered { leave() }
    effect(object, input, result)
  }

  @usableFromInline @inline(never)
  func enqueue<Object, Input, Effect>(
    isSignal: Bool, _ object: Object, _ input: Input, _ signal: @escaping (Object, Input) -> Effect,
    then effect: @escaping (Object, Input, Effect) -> Void
  ) {
    enqueue(
      .signal {
        let result = signal(object, input)
        return { effect(object, input, result) }
      }, isSignal: isSignal)
  }

  /// Delivers a batch when it is its turn, and returns the demand in answer. If a copy is left to the thread at work, that
  /// looks up `upstream` in the turn, and requests the demand from it when the turn is over.
  @inlinable @inline(__always)
  package func deliver<Object, Value>(
    _ batch: UnsafeBufferPointer<Value>, _ object: Object,
    _ signal: @escaping (Object, UnsafeBufferPointer<Value>) -> Subscribers.Demand,
    from upstream: @escaping (Object) -> (any Subscription)?
  ) -> Subscribers.Demand {
    run({ signal(object, batch) }, busy: { enqueue(copyOf: batch, object, signal, from: upstream) })
  }

  @usableFromInline @inline(never)
  func enqueue<Object, Value>(
    copyOf batch: UnsafeBufferPointer<Value>, _ object: Object,
    _ signal: @escaping (Object, UnsafeBufferPointer<Value>) -> Subscribers.Demand,
    from upstream: @escaping (Object) -> (any Subscription)?
  ) -> Subscribers.Demand {
    let copy = Array(batch)
    enqueue(
      .each(
        LeftValues(copy.count) { number in
          let demand = copy.withUnsafeBufferPointer { signal(object, $0.single(number)) }
          guard demand != .none, let upstream = upstream(object) else { return nil }
          return { upstream.request(demand) }
        }))
    return .none
  }
}
