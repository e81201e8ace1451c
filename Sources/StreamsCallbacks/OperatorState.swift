import Streams

/// The state of an operator that is written in callbacks: the values that wait for demand, and how much was requested upstream.
///
/// The upstream is asked for what the downstream demands, but only after the waiting values have been taken.
@usableFromInline
struct OperatorState<Input, Output, Failure: Error> {
  /// How many values the upstream may still send.
  private var asked = Subscribers.Demand.none
  /// The values that were sent without demand.
  private var waiting = Queue<Output>()
  /// Whether waiting values are being sent: further ones follow them.
  private var isDraining = false
  /// The end, which follows the waiting values.
  private var end: Subscribers.Completion<Failure>?
  private var hasEnded = false
  /// Whether one of the operator's functions is running.
  private var isCalling = false
  /// The signals that have arrived during it.
  private var signals = Queue<Signal>()
  private var isClosing = false
  private var hasBegun = false

  /// Returns true the first time.
  mutating func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  // MARK: Calls

  enum Signal {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  /// Returns whether to call the operator now; otherwise it is called after the current call, or never again.
  mutating func receive(_ signal: Signal) -> Bool {
    guard !isClosing else { return false }
    if case .value = signal, asked > .none { asked -= .max(1) }
    if isCalling { signals.append(signal) }
    defer { isCalling = true }
    return !isCalling
  }

  enum Next {
    case call(Signal)
    case close
    case rest
  }

  /// A call has returned.
  mutating func next() -> Next {
    if let signal = signals.popFirst() { return .call(signal) }
    isCalling = false
    return isClosing ? .close : .rest
  }

  /// Returns what to release, and whether to close now; if not, the end of the current call closes.
  mutating func close() -> (dropped: ([Signal], [Output], Subscribers.Completion<Failure>?), isDue: Bool) {
    isClosing = true
    return ((signals.removeAll(), waiting.removeAll(), end.take()), !isCalling)
  }

  // MARK: Sending

  enum Sending: Equatable {
    /// Send what there is demand for.
    case now
    /// Keep it after the waiting values.
    case later
    case refused
  }

  mutating func send(_ values: UnsafeBufferPointer<Output>) -> Sending {
    guard end == nil, !isClosing else { return .refused }
    guard isDraining || !waiting.isEmpty else { return .now }
    keep(values)
    return .later
  }

  /// Keeps values without demand.
  mutating func keep(_ values: UnsafeBufferPointer<Output>) {
    guard !hasEnded, !isClosing else { return }
    for value in values { waiting.append(value) }
  }

  mutating func complete(_ completion: Subscribers.Completion<Failure>) -> Sending {
    guard end == nil, !isClosing else { return .refused }
    end = completion
    hasEnded = waiting.isEmpty && !isDraining
    return hasEnded ? .now : .later
  }

  // MARK: Demand

  enum Step {
    case send([Output])
    case complete(Subscribers.Completion<Failure>)
    case request(Subscribers.Demand)
    case rest
  }

  /// The next step for the open demand.
  mutating func next(_ demand: Subscribers.Demand) -> Step {
    isDraining = false
    if !waiting.isEmpty {
      let count = min(demand.max ?? waiting.count, waiting.count)
      guard count > 0 else { return .rest }
      isDraining = true
      return .send((0..<count).compactMap { _ in waiting.popFirst() })
    }
    if let end {
      if hasEnded { return .rest }
      hasEnded = true
      return .complete(end)
    }
    let missing = claim(demand)
    return missing == .none ? .rest : .request(missing)
  }

  /// The additional demand to request from the upstream.
  mutating func claim(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    guard waiting.isEmpty, end == nil, !isClosing, demand > asked else { return .none }
    let missing = demand - asked
    asked = demand
    return missing
  }
}
