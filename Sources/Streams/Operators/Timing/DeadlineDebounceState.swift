/// The value that waits for its time, on a scheduler of this package.
@usableFromInline
struct DeadlineDebounceState<Input> {
  @usableFromInline var upstream = UpstreamState.awaiting
  @usableFromInline var waiting: Input?
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var deadline = MovingDeadline()

  @inlinable
  init() {}

  // MARK: The upstream

  /// Takes a value in. Returns the one that it replaces, and the number of the timer to set; nil after the end.
  @inlinable @inline(__always)
  mutating func receive(_ input: Input, until time: Int) -> (replaced: Input?, timer: Int?)? {
    guard upstream.isSubscribed else { return nil }
    return (exchange(&waiting, with: input), deadline.move(to: time))
  }

  // MARK: Time

  /// Takes the value whose time has come, and the demand for it; the value is lost if there is none.
  mutating func takeValue(at now: Int) -> (value: Input, isDemanded: Bool)? {
    guard deadline.hasPassed(at: now), let value = waiting.take() else { return nil }
    guard demand > 0 else { return (value, false) }
    demand -= 1
    return (value, true)
  }

  // MARK: The downstream

  mutating func request(_ more: Subscribers.Demand) {
    if upstream.isSubscribed { demand += more }
  }

  /// Ends. Returns what was left; nil if there was nothing.
  mutating func end() -> (subscription: any Subscription, waiting: Input?, timer: UInt64?)? {
    guard let subscription = upstream.end() else { return nil }
    return (subscription, waiting.take(), deadline.stop())
  }
}
