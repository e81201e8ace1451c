/// The values that a subject replays, and while they are delivered those that it has just been sent.
@frozen
@usableFromInline
struct ReplayBuffer<Value> {
  /// How many values are replayed.
  @usableFromInline let size: Int
  @usableFromInline var values = Queue<Value>()
  /// The number of the first value that is kept. All values that were ever sent are numbered, from 0.
  @usableFromInline private(set) var first = 0

  @inlinable
  init(size: Int) { self.size = size }

  /// The number that the next value gets.
  @inlinable @inline(__always)
  var end: Int { first &+ values.count }

  @inlinable @inline(__always)
  mutating func append(_ batch: UnsafeBufferPointer<Value>) {
    if batch.isSingle { return values.append(batch[0]) }
    // Those that nobody would ever see are still numbered.
    for value in batch { values.append(value) }
  }

  /// How many values a subscriber has not got that is to get this one next.
  @inlinable @inline(__always)
  func count(from next: Int) -> Int { end &- max(next, first) }

  /// The value for a subscriber that is to get this one next, or if it is not kept the first that is; and the number
  /// of the one after it. There must be one.
  @inlinable @inline(__always)
  func value(for next: Int) -> (Value, next: Int) {
    let number = max(next, first)
    return (values[number &- first], number &+ 1)
  }

  /// Values that have been taken out, to be released.
  @frozen
  @usableFromInline
  struct Excess {
    @usableFromInline var one: Value?
    @usableFromInline var more: [Value] = []

    @inlinable
    init() {}
  }

  /// Takes out what is more than the size.
  @inlinable @inline(__always)
  mutating func takeExcess() -> Excess {
    var excess = Excess()
    guard values.count > size else { return excess }
    excess.one = takeFirst()
    while values.count > size, let value = takeFirst() { excess.more.append(value) }
    return excess
  }

  @inlinable @inline(__always)
  mutating func takeFirst() -> Value? {
    first &+= 1
    return values.popFirst()
  }
}
