/// Who holds the object in a slot, in one word, so that it changes at once.
///
/// From the highest bit: 24 bits of generation, 16 that count what the library is doing with the object, 1 that is set
/// while the object is lent, 23 bits that count the references of callers. A token is live while its object is lent or
/// referred to; the object stays until nothing is done with it either.
struct SlotState {
  let bits: UInt64

  private static let useBits: UInt64 = 16
  private static let holdBits: UInt64 = 24
  private static let reference: UInt64 = 1
  private static let lent: UInt64 = 1 << (holdBits - 1)
  private static let references: UInt64 = lent - reference
  private static let use: UInt64 = 1 << holdBits
  private static let generationShift = useBits + holdBits
  private static let life: UInt64 = 1 << generationShift

  /// Counted from 1; 0 before the first life. The last one is never lived: a slot that has come to it is not used again.
  @inline(__always)
  var generation: UInt32 { UInt32(truncatingIfNeeded: bits >> Self.generationShift) }

  var isRetired: Bool { generation == 1 << (64 - Self.generationShift) - 1 }

  /// Lent or referred to.
  @inline(__always)
  var isHeld: Bool { bits & (Self.lent | Self.references) != 0 }

  @inline(__always)
  func isLive(_ generation: UInt32) -> Bool { self.generation == generation && isHeld }

  /// Neither held nor used.
  @inline(__always)
  var isFree: Bool { bits & (Self.life - 1) == 0 }

  /// The state to store: a life that has ended makes way for the next.
  @inline(__always)
  var settled: SlotState { isFree ? SlotState(bits: bits &+ Self.life) : self }

  /// The state with one use more, if it is live. One too many would make it one of the next generation.
  @inline(__always)
  func used(in generation: UInt32) -> SlotState? {
    let used = SlotState(bits: bits &+ Self.use)
    return isLive(generation) && used.generation == generation ? used : nil
  }

  @inline(__always)
  var unused: SlotState { SlotState(bits: bits &- Self.use) }

  var isRetained: Bool { bits & Self.references != 0 }

  var canBeRetained: Bool { bits & Self.references != Self.references }

  var retained: SlotState { SlotState(bits: bits &+ Self.reference) }

  var released: SlotState { SlotState(bits: bits &- Self.reference) }

  var takenBack: SlotState { SlotState(bits: bits & ~Self.lent) }

  /// The state at the beginning of a life.
  func begun(isLent: Bool) -> SlotState {
    SlotState(bits: max(bits, Self.life) | (isLent ? Self.lent : Self.reference))
  }
}
