import Streams
import StreamsShims
import Synchronization

/// One place in the table. Slots are never freed, so that a stale token can always be looked up safely.
struct Slot: ~Copyable {
  /// Generation in the upper half, references in the lower; no references: the slot is free.
  let state = Atomic<UInt64>(0)
  /// Written before the slot is given out, taken after its last reference is gone.
  var object: UnsafeRawPointer?
  var kind: UInt8 = 0
  var nextFree: Int = -1
}

/// The objects that C holds, by token.
enum HandleTable {
  private static var chunkSize: Int { 1024 }

  private struct FreeList {
    var first = -1
    var allocated = 0
  }

  private static let free = Mutex(FreeList())
  private static let live = Atomic<Int>(0)

  /// Where the chunks are; 0 for those that are not needed yet.
  @inline(__always)
  private static var chunks: UnsafeMutablePointer<Atomic<UInt>> {
    UnsafeMutableRawPointer(streams_handle_chunks()).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  static var liveCount: Int { live.load(ordering: .relaxed) }

  @inline(__always)
  private static func slot(_ index: Int) -> UnsafeMutablePointer<Slot>? {
    let chunk = chunks[index / chunkSize].load(ordering: .acquiring)
    return UnsafeMutablePointer<Slot>(bitPattern: chunk).map { $0 + index % chunkSize }
  }

  // MARK: References

  /// Adds a reference if the token is live. Returns its slot.
  @inline(__always)
  static func acquire(_ token: Token) -> UnsafeMutablePointer<Slot>? {
    guard token.isWellFormed, let slot = slot(token.slot) else { return nil }
    var old = slot.pointee.state.load(ordering: .relaxed)
    while true {
      let references = UInt32(truncatingIfNeeded: old)
      guard UInt32(truncatingIfNeeded: old >> 32) == token.generation, references != 0, references != .max
      else { return nil }
      if exchange(slot, &old, old + 1) { break }
    }
    guard slot.pointee.kind == token.kind else {
      release(slot, token.slot)
      return nil
    }
    return slot
  }

  /// Gives up a reference; with the last one the token becomes stale and the object is released.
  @inline(__always)
  static func release(_ slot: UnsafeMutablePointer<Slot>, _ index: Int) {
    var old = slot.pointee.state.load(ordering: .relaxed)
    while true {
      let isLast = UInt32(truncatingIfNeeded: old) == 1
      let new = isLast ? nextGeneration(old) : old - 1
      if exchange(slot, &old, new) {
        if isLast { recycle(slot, index) }
        return
      }
    }
  }

  /// Gives up a reference of a caller's, of whom nothing is known but the token: it is checked and taken at once, so
  /// that of two callers who give up the same one the second gets nothing. Returns whether there was one.
  static func giveUp(_ token: Token) -> Bool {
    guard token.isWellFormed, let slot = slot(token.slot) else { return false }
    var old = slot.pointee.state.load(ordering: .acquiring)
    while true {
      let references = UInt32(truncatingIfNeeded: old)
      guard UInt32(truncatingIfNeeded: old >> 32) == token.generation, references != 0,
        slot.pointee.kind == token.kind
      else { return false }
      if exchange(slot, &old, references == 1 ? nextGeneration(old) : old - 1) {
        if references == 1 { recycle(slot, token.slot) }
        return true
      }
    }
  }

  /// The state of a free slot after a life: the next generation, which is never 0, and no references.
  @inline(__always)
  private static func nextGeneration(_ state: UInt64) -> UInt64 {
    let next = (state >> 32 + 1) & (1 << Token.generationBits - 1)
    return max(next, 1) << 32
  }

  @inline(__always)
  private static func exchange(_ slot: UnsafeMutablePointer<Slot>, _ old: inout UInt64, _ new: UInt64) -> Bool
  {
    if streams_process_is_single_threaded() {
      slot.pointee.state.store(new, ordering: .relaxed)
      return true
    }
    let (exchanged, now) = slot.pointee.state.compareExchange(
      expected: old, desired: new, ordering: .acquiringAndReleasing)
    old = now
    return exchanged
  }

  // MARK: Slots

  /// Puts an object into the table with one reference. Returns nil when the table is full.
  static func insert(_ object: AnyObject, kind: UInt8) -> Token? {
    guard let (slot, index) = allocate() else { return nil }
    slot.pointee.object = UnsafeRawPointer(Unmanaged.passRetained(object).toOpaque())
    slot.pointee.kind = kind
    live.wrappingAdd(1, ordering: .relaxed)
    let generation = max(slot.pointee.state.load(ordering: .relaxed) >> 32, 1)
    slot.pointee.state.store(generation << 32 | 1, ordering: .releasing)
    return Token(slot: index, generation: UInt32(generation), kind: kind)
  }

  @inline(never)
  private static func recycle(_ slot: UnsafeMutablePointer<Slot>, _ index: Int) {
    let object = Unmanaged<AnyObject>.fromOpaque(slot.pointee.object!)
    slot.pointee.object = nil
    live.wrappingSubtract(1, ordering: .relaxed)
    free.withLock { free in
      slot.pointee.nextFree = free.first
      free.first = index
    }
    object.release()
  }

  private static func allocate() -> (UnsafeMutablePointer<Slot>, Int)? {
    free.withLock { free in
      if free.first >= 0, let slot = slot(free.first) {
        let index = free.first
        free.first = slot.pointee.nextFree
        return (slot, index)
      }
      if free.allocated % chunkSize == 0 {
        guard free.allocated / chunkSize < STREAMS_HANDLE_CHUNKS else { return nil }
        addChunk(free.allocated / chunkSize)
      }
      free.allocated += 1
      return slot(free.allocated - 1).map { ($0, free.allocated - 1) }
    }
  }

  private static func addChunk(_ number: Int) {
    let chunk = UnsafeMutablePointer<Slot>.allocate(capacity: chunkSize)
    for index in 0..<chunkSize { (chunk + index).initialize(to: Slot()) }
    chunks[number].store(UInt(bitPattern: chunk), ordering: .releasing)
  }
}
