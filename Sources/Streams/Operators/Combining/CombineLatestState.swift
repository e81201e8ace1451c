/// The state of a combineLatest, without the values. Only for the thread that runs a signal.
@usableFromInline
struct CombineLatestState {
  /// The stage of a tuple.
  @usableFromInline
  enum Stage: UInt8 {
    case idle
    /// The transform is reading the row of the latest values.
    case making
    /// The transform is reading a row that is no longer the latest.
    case makingOfReplaced
    case delivering
  }

  /// How many upstreams have not sent a value.
  @usableFromInline var emptyCount: Int
  @usableFromInline var unfinishedCount: Int
  @usableFromInline var stage = Stage.idle
  /// Which of the two rows is the latest. Unused without rows.
  @usableFromInline var isFirstRow = true
  /// Whether each upstream has sent a value, and the row is the first: the fast path's condition.
  @usableFromInline var isQuick = false
  /// Whether a value of another thread was stored while a tuple was on its way, and has to make one of its own afterwards.
  @usableFromInline var owesTuple = false
  /// What the downstream has requested while a tuple was on its way.
  ///
  /// It goes upstream afterwards: a value sent immediately in answer would find the delivery still under way, and
  /// would only be stored.
  @usableFromInline var requested = Subscribers.Demand.none

  @inlinable
  init(count: Int) {
    emptyCount = count
    unfinishedCount = count
  }

  /// Whether each upstream has sent a value.
  @inlinable @inline(__always)
  var isFull: Bool { emptyCount == 0 }

  /// Notes a value that has replaced another, or is an upstream's first. Returns whether it makes a tuple: not
  /// while another tuple is being delivered: its downstream has then sent the value, or another thread left it (``owe()``).
  @inlinable @inline(__always)
  mutating func keep(isFirst: Bool) -> Bool {
    if isFirst {
      emptyCount &-= 1
      isQuick = isFull && isFirstRow
    }
    return isFull && stage == .idle
  }

  /// Notes that a tuple is about to be made of the row.
  @inlinable @inline(__always)
  mutating func beginMaking() { stage = .making }

  /// Notes that the row is about to change. Returns whether it is being read, and the other row must take its
  /// place.
  @usableFromInline
  mutating func replaceRow() -> Bool {
    guard stage == .making else { return false }
    stage = .makingOfReplaced
    isFirstRow.toggle()
    isQuick = isFull && isFirstRow
    return true
  }

  /// Notes that a tuple is about to be delivered. Returns whether the row that it was made of is the latest.
  @inlinable @inline(__always)
  mutating func begin() -> Bool {
    let isLatest = stage != .makingOfReplaced
    stage = .delivering
    return isLatest
  }

  /// Notes that the tuple has been delivered. Returns whether nothing was requested during the delivery.
  @inlinable @inline(__always)
  mutating func end() -> Bool {
    stage = .idle
    return requested == .none
  }

  /// Takes what was requested during the delivery.
  @usableFromInline
  mutating func takeRequested() -> Subscribers.Demand { exchange(&requested, with: .none) }

  /// Notes that the downstream requests more. Returns whether that must wait for the end of the delivery.
  @usableFromInline
  mutating func request(_ demand: Subscribers.Demand) -> Bool {
    guard stage != .idle else { return false }
    requested += demand
    return true
  }

  /// Notes that a value that another thread has left has been stored. Returns whether a tuple has just
  /// become due: the first of such values during a delivery makes one tuple for all of them.
  @usableFromInline
  mutating func owe() -> Bool {
    guard isFull, stage != .idle, !owesTuple else { return false }
    owesTuple = true
    return true
  }

  /// Notes that the tuple that is due is made now. Returns whether there is one.
  @usableFromInline
  mutating func pay() -> Bool { exchange(&owesTuple, with: false) }

  /// Notes that an upstream has finished. Returns whether it was the last.
  @usableFromInline
  mutating func finish() -> Bool {
    unfinishedCount -= 1
    return unfinishedCount == 0
  }
}
