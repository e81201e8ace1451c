/// The uses and references of the object in a slot, in one word, so that they change atomically.
///
/// From the highest bit: 1 bit that is set unless the generation's token is live, 24 bits of generation, 1 that is never set, 16
/// that count the library's uses of the object, 1 that is set while the object is lent, 21 that count the callers' references. A
/// token is live while its object is lent or has references; the object lives until it has no uses either.
struct SlotState {
  let bits: UInt64

  private static let useBits: UInt64 = 16
  private static let holdBits: UInt64 = 22
  private static let reference: UInt64 = 1
  private static let lent: UInt64 = 1 << (holdBits - 1)
  private static let references: UInt64 = lent - reference
  private static let use: UInt64 = 1 << holdBits
  /// The bit that one use too many would set.
  private static let overflow: UInt64 = 1 << (holdBits + useBits)
  private static let generationShift = holdBits + useBits + 1
  private static let generations: UInt64 = 1 << 24
  private static let closed: UInt64 = 1 << 63

  /// The state before the first life.
  static let unborn = SlotState(bits: closed)

  /// Counted from 1; 0 before the first life.
  @inline(__always)
  var generation: UInt32 {
    UInt32(truncatingIfNeeded: bits >> Self.generationShift & (Self.generations - 1))
  }

  /// Whether all generations are used up.
  var isRetired: Bool { generation == Self.generations - 1 }

  /// Lent, or with references.
  @inline(__always)
  var isHeld: Bool { bits & (Self.lent | Self.references) != 0 }

  /// One comparison checks the generation and the bits before and after it, which must not be set.
  @inline(__always)
  func isLive(_ generation: UInt32) -> Bool {
    bits >> (Self.generationShift - 1) == UInt64(generation) << 1
  }

  /// Without references and uses, and not lent.
  @inline(__always)
  var isFree: Bool { bits & (Self.overflow - 1) == 0 }

  /// The state to store: a token that is no longer held is no longer live.
  @inline(__always)
  var settled: SlotState { isHeld ? self : SlotState(bits: bits | Self.closed) }

  /// The state with one more use, if it is live and the count has room.
  @inline(__always)
  func used(in generation: UInt32) -> SlotState? {
    let used = SlotState(bits: bits &+ Self.use)
    return used.isLive(generation) ? used : nil
  }

  @inline(__always)
  var unused: SlotState { SlotState(bits: bits &- Self.use) }

  var isRetained: Bool { bits & Self.references != 0 }

  var canBeRetained: Bool { bits & Self.references != Self.references }

  var retained: SlotState { SlotState(bits: bits &+ Self.reference) }

  var released: SlotState { SlotState(bits: bits &- Self.reference) }

  var takenBack: SlotState { SlotState(bits: bits & ~Self.lent) }

  /// The state at the beginning of the next life.
  func begun(isLent: Bool) -> SlotState {
    SlotState(bits: UInt64(generation + 1) << Self.generationShift | (isLent ? Self.lent : Self.reference))
  }
}
