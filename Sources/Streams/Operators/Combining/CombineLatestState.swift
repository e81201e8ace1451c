/// What a combineLatest knows, without the values. Belongs to whoever runs a signal.
@usableFromInline
struct CombineLatestState {
  /// How far a tuple is.
  @usableFromInline
  enum Stage: UInt8 {
    case idle
    /// What makes it is looking at the row of the latest values.
    case making
    /// The same, at a row that is not the latest any more.
    case makingOfReplaced
    case delivering
  }

  /// How many upstreams have not sent a value.
  @usableFromInline var emptyCount: Int
  @usableFromInline var unfinishedCount: Int
  @usableFromInline var stage = Stage.idle
  /// Which of the two rows is the latest. Of no use where there are none.
  @usableFromInline var isFirstRow = true
  /// Whether each upstream has sent a value, and the row is the first: all that the quick way asks.
  @usableFromInline var isQuick = false
  /// What the downstream has requested while a tuple was on its way.
  ///
  /// It goes upstream afterwards: a value that answers it at once would find the delivery still under way, and be
  /// kept only.
  @usableFromInline var requested = Subscribers.Demand.none

  @inlinable
  init(count: Int) {
    emptyCount = count
    unfinishedCount = count
  }

  /// Whether each upstream has sent a value.
  @inlinable @inline(__always)
  var isFull: Bool { emptyCount == 0 }

  /// A value has been put in the place of another, or is an upstream's first. Returns whether it makes a tuple: not
  /// while another is being delivered, whose downstream has sent it then.
  @inlinable @inline(__always)
  mutating func keep(isFirst: Bool) -> Bool {
    if isFirst {
      emptyCount &-= 1
      isQuick = isFull && isFirstRow
    }
    return isFull && stage == .idle
  }

  /// A tuple is going to be made of the row of values.
  @inlinable @inline(__always)
  mutating func beginMaking() { stage = .making }

  /// The row is going to change. Returns whether it is looked at, and another has to take its place.
  @usableFromInline
  mutating func replaceRow() -> Bool {
    guard stage == .making else { return false }
    stage = .makingOfReplaced
    isFirstRow.toggle()
    isQuick = isFull && isFirstRow
    return true
  }

  /// A tuple is there, and is going to be delivered. Returns whether the row that it was made of is the latest.
  @inlinable @inline(__always)
  mutating func begin() -> Bool {
    let isLatest = stage != .makingOfReplaced
    stage = .delivering
    return isLatest
  }

  /// The tuple has been delivered. Returns whether nothing was requested meanwhile.
  @inlinable @inline(__always)
  mutating func end() -> Bool {
    stage = .idle
    return requested == .none
  }

  /// Takes what was requested meanwhile.
  @usableFromInline
  mutating func takeRequested() -> Subscribers.Demand { exchange(&requested, with: .none) }

  /// The downstream requests more. Returns whether that has to wait for the end of the delivery.
  @usableFromInline
  mutating func request(_ demand: Subscribers.Demand) -> Bool {
    guard stage != .idle else { return false }
    requested += demand
    return true
  }

  /// An upstream has finished. Returns whether it was the last.
  @usableFromInline
  mutating func finish() -> Bool {
    unfinishedCount -= 1
    return unfinishedCount == 0
  }
}
