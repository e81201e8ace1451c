import Streams

/// Where an operator that is written elsewhere stands between its upstream and its downstream: what waits for demand, and
/// how much has been asked for.
///
/// The upstream is asked for what the downstream demands, and not before what waits has been taken.
@usableFromInline
struct OperatorState<Input, Output, Failure: Error> {
  /// How many values the upstream may still send.
  private var asked = Subscribers.Demand.none
  /// What was sent and not demanded.
  private var waiting = Queue<Output>()
  /// Whether what waits is being sent: what comes meanwhile follows it.
  private var isDraining = false
  /// The end, which follows what waits.
  private var end: Subscribers.Completion<Failure>?
  private var hasEnded = false
  /// Whether one of the operator's functions is running.
  private var isCalling = false
  /// What has come from within it.
  private var signals = Queue<Signal>()
  private var isClosing = false
  private var hasBegun = false

  /// Returns true once.
  mutating func begin() -> Bool {
    defer { hasBegun = true }
    return !hasBegun
  }

  // MARK: Calls

  enum Signal {
    case value(Input)
    case completion(Subscribers.Completion<Failure>)
  }

  /// Returns whether to call the operator now; else it is called after the call that is under way, or never more.
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

  /// Returns what is released, and whether it is time to close; if not, the end of the call that is under way is.
  mutating func close() -> (dropped: ([Signal], [Output], Subscribers.Completion<Failure>?), isDue: Bool) {
    isClosing = true
    return ((signals.removeAll(), waiting.removeAll(), end.take()), !isCalling)
  }

  // MARK: Sending

  enum Sending: Equatable {
    /// To be sent with what demand there is.
    case now
    /// Follows what waits.
    case later
    case refused
  }

  mutating func send(_ values: UnsafeBufferPointer<Output>) -> Sending {
    guard end == nil, !isClosing else { return .refused }
    guard isDraining || !waiting.isEmpty else { return .now }
    keep(values)
    return .later
  }

  /// Keeps what there was no demand for.
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

  /// What is to be done about the demand that is open.
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

  /// What the upstream is to be asked for in addition.
  mutating func claim(_ demand: Subscribers.Demand) -> Subscribers.Demand {
    guard waiting.isEmpty, end == nil, !isClosing, demand > asked else { return .none }
    let missing = demand - asked
    asked = demand
    return missing
  }
}
