/// The value that is kept, and the time at which to send it.
@usableFromInline
struct ThrottleState<Input, Failure: Error, Time: Strideable> {
  /// What a value leads to.
  enum Plan: Equatable {
    case nothing
    /// There is no demand.
    case drop
    case emitNow
    case emitLater(Time)
  }

  /// What was left at the end, to be released.
  struct Ended {
    var subscription: (any Subscription)?
    var downstream: Downstream<Input, Failure>?
    var kept: Input?
    var completion: Subscribers.Completion<Failure>?
  }

  private let interval: Time.Stride
  private let latest: Bool
  private var upstream = UpstreamState.awaiting
  private var downstream: Downstream<Input, Failure>?
  private var demand = Subscribers.Demand.none
  private var kept: Input?
  private var completion: Subscribers.Completion<Failure>?
  /// When the last value was sent.
  private var lastTime: Time?

  @usableFromInline
  init(downstream: Downstream<Input, Failure>, interval: Time.Stride, latest: Bool) {
    self.downstream = downstream
    self.interval = interval
    self.latest = latest
  }

  var isSubscribed: Bool { upstream.isSubscribed }

  // MARK: The upstream

  /// Keeps the first subscription, and returns the downstream to deliver it to.
  mutating func subscribe(_ subscription: any Subscription) -> Downstream<Input, Failure>? {
    upstream.subscribe(subscription) ? downstream : nil
  }

  /// Takes a value in, unless there is no demand. Returns the value that is dropped as well.
  mutating func receive(_ input: Input, at now: Time) -> (Plan, dropped: Input?) {
    guard upstream.isSubscribed else { return (.nothing, nil) }
    guard demand > 0 else { return (.drop, nil) }
    if let earlier = kept {
      if latest { kept = input }
      return (.nothing, earlier)
    }
    kept = input
    guard let next = lastTime?.advanced(by: interval), now < next else { return (.emitNow, nil) }
    return (.emitLater(next), nil)
  }

  /// Takes the completion in. Returns whether to emit it; with a value that is kept it will be emitted anyway.
  mutating func receive(_ completion: Subscribers.Completion<Failure>) -> Bool {
    guard upstream.complete() else { return false }
    self.completion = completion
    return kept == nil
  }

  // MARK: Emissions

  /// Whether an emission carries the completion; nil if there is nothing to emit any more.
  var isLastEmission: Bool? { upstream.isOpen ? completion != nil : nil }

  /// Takes out the value that is kept, and the demand for it. It is the last if the completion has come, which must
  /// then be emitted with it.
  mutating func takeValue(
    at now: Time?
  ) -> (value: Input, downstream: Downstream<Input, Failure>, isLast: Bool)? {
    guard upstream.isOpen, let downstream else { return nil }
    if let now { lastTime = now }
    guard let value = kept.take() else { return nil }
    if demand > 0 { demand -= 1 }
    return (value, downstream, completion != nil)
  }

  /// Ends with the completion, unless the downstream has cancelled.
  mutating func takeCompletion() -> (
    completion: Subscribers.Completion<Failure>, downstream: Downstream<Input, Failure>, ended: Ended
  )? {
    guard let completion, let downstream else { return nil }
    return (completion, downstream, end())
  }

  // MARK: The downstream

  mutating func request(_ more: Subscribers.Demand) {
    if upstream.isSubscribed { demand += more }
  }

  /// Ends; a subscription that comes later is not kept. Returns what was left.
  mutating func end() -> Ended {
    defer { upstream = .ended }
    return Ended(
      subscription: upstream.end(), downstream: downstream.take(), kept: kept.take(),
      completion: completion.take())
  }
}
