/// The values that a subject replays and, during a delivery, those that it has just been sent.
@frozen
@usableFromInline
struct ReplayBuffer<Value> {
  /// How many values are replayed.
  @usableFromInline let size: Int
  @usableFromInline var values = Queue<Value>()
  /// The number of the first value that is stored. All values that were ever sent are numbered, from 0.
  @usableFromInline private(set) var first = 0

  @inlinable
  init(size: Int) { self.size = size }

  /// The number that the next value gets.
  @inlinable @inline(__always)
  var end: Int { first &+ values.count }

  @inlinable @inline(__always)
  mutating func append(_ batch: UnsafeBufferPointer<Value>) {
    if batch.isSingle { return values.append(batch[0]) }
    // Values that no subscriber will see are still numbered.
    for value in batch { values.append(value) }
  }

  /// How many stored values remain for a subscriber whose next value has this number.
  @inlinable @inline(__always)
  func count(from next: Int) -> Int { end &- max(next, first) }

  /// The value with this number, or the first stored one if it is no longer stored; and the number of the one after
  /// it. There must be one.
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

  /// Takes out the oldest values beyond the size.
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
