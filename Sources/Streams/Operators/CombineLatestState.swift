/// What a combineLatest knows, without the values. Belongs to whoever runs a signal.
@usableFromInline
struct CombineLatestState {
  /// How many upstreams have not sent a value.
  @usableFromInline var emptyCount: Int
  @usableFromInline var unfinishedCount: Int
  /// What the downstream has requested during the delivery that is under way; nil if there is none.
  ///
  /// It goes upstream afterwards: a value that answers it at once would find the delivery still under way, and be
  /// kept only.
  @usableFromInline var requested: Subscribers.Demand?

  @inlinable
  init(count: Int) {
    emptyCount = count
    unfinishedCount = count
  }

  /// A value has been put in the place of another, or is an upstream's first. Returns whether it makes a tuple: not
  /// while another is being delivered, whose downstream has sent it then.
  @inlinable @inline(__always)
  mutating func keep(isFirst: Bool) -> Bool {
    if isFirst { emptyCount &-= 1 }
    return emptyCount == 0 && requested == nil
  }

  /// A tuple is going to be delivered.
  @inlinable @inline(__always)
  mutating func begin() { requested = Subscribers.Demand.none }

  /// The tuple has been delivered. Returns what was requested meanwhile.
  @inlinable @inline(__always)
  mutating func end() -> Subscribers.Demand { requested.take() ?? .none }

  /// The downstream requests more. Returns whether that has to wait for the end of the delivery.
  @usableFromInline
  mutating func request(_ demand: Subscribers.Demand) -> Bool {
    requested? += demand
    return requested != nil
  }

  /// An upstream has finished. Returns whether it was the last.
  @usableFromInline
  mutating func finish() -> Bool {
    unfinishedCount -= 1
    return unfinishedCount == 0
  }
}
