import CStreams
import Glibc
import Streams
import StreamsShims
import Synchronization

/// One place in the table. Slots are never freed, so that a stale token can always be looked up safely.
struct Slot: ~Copyable {
  /// A ``SlotState``.
  let state = Atomic(SlotState.unborn.bits)
  /// Written before the token is handed out, and taken after its last reference is gone.
  var object: UnsafeRawPointer?
  let kind = Atomic<UInt8>(0)
  let index: UInt32
  /// In a free slot, the number of the next free one. Otherwise 0, or the address of the part of the
  /// object that most calls need, which saves them one step.
  var link: Int = -1

  init(_ index: Int) { self.index = UInt32(index) }
}

/// The objects that C holds, by token.
enum HandleTable {
  private static var chunkSize: Int { 1024 }

  private struct FreeList {
    var first = -1
    var allocated = 0
  }

  nonisolated(unsafe) private static let free = Lock(FreeList())
  private static let live = Atomic<Int>(0)

  /// The addresses of the chunks; 0 for those that are not needed yet.
  @inline(__always)
  private static var chunks: UnsafeMutablePointer<Atomic<UInt>> {
    UnsafeMutableRawPointer(streams_handle_chunks()).assumingMemoryBound(to: Atomic<UInt>.self)
  }

  static var liveCount: Int { live.load(ordering: .relaxed) }

  /// The slot of a token's object, present or past.
  @inline(__always)
  static func slot(of token: Token) -> UnsafeMutablePointer<Slot>? {
    token.isWellFormed ? slot(token.slot) : nil
  }

  @inline(__always)
  private static func slot(_ index: Int) -> UnsafeMutablePointer<Slot>? {
    let chunk = chunks[index / chunkSize].load(ordering: .acquiring)
    return UnsafeMutablePointer<Slot>(bitPattern: chunk).map { $0 + index % chunkSize }
  }

  // MARK: Uses by the library

  /// Keeps the object alive, if the token is live. Returns its slot, which must be released.
  @inline(__always)
  static func acquire(_ token: Token) -> UnsafeMutablePointer<Slot>? {
    guard let slot = slot(of: token) else { return nil }
    guard update(slot, { $0.used(in: token.generation) }) != nil else { return nil }
    guard slot.pointee.kind.load(ordering: .relaxed) == token.kind else {
      release(slot)
      return nil
    }
    return slot
  }

  /// Ends a use. The last use of a token without references releases the object.
  @inline(__always)
  static func release(_ slot: UnsafeMutablePointer<Slot>) {
    guard _fastPath(update(slot) { $0.unused.isHeld ? $0.unused : nil } != nil) else {
      return releaseUnheld(slot)
    }
  }

  /// `acquire` and `release` for a thread that has acquired the bias. They return false where they do not apply.
  @inline(__always)
  static func acquireBiased(_ slot: UnsafeMutablePointer<Slot>, _ token: Token) -> Bool {
    let state = SlotState(bits: slot.pointee.state.load(ordering: .relaxed))
    guard let used = state.used(in: token.generation),
      slot.pointee.kind.load(ordering: .relaxed) == token.kind
    else { return false }
    slot.pointee.state.store(used.bits, ordering: .relaxed)
    return true
  }

  @inline(__always)
  static func releaseBiased(_ slot: UnsafeMutablePointer<Slot>) -> Bool {
    let unused = SlotState(bits: slot.pointee.state.load(ordering: .relaxed)).unused
    guard unused.isHeld else { return false }
    slot.pointee.state.store(unused.bits, ordering: .relaxed)
    return true
  }

  @inline(never)
  private static func releaseUnheld(_ slot: UnsafeMutablePointer<Slot>) {
    var isFree = false
    _ = update(slot) {
      isFree = $0.unused.isFree
      return $0.unused
    }
    if isFree { recycle(slot) }
  }

  // MARK: References of callers

  /// The result of a change to a caller's references.
  enum Change {
    case made
    /// The token is stale or was never handed out; or, for a release, is only lent.
    case refused
    case tooMany
  }

  static func retain(_ token: Token) -> Change {
    change(token) { $0.canBeRetained ? $0.retained : nil }
  }

  /// Releases a caller's reference; with the last one the token becomes stale. Checks and takes in one step, so that when two
  /// callers release the same reference, the second is refused.
  static func giveUp(_ token: Token) -> Change {
    change(token) { $0.isRetained ? $0.released : nil }
  }

  /// Exchanges a caller's reference for a reference to the object: the one that the slot has, so that
  /// nothing is counted. Returns nil, and does nothing, unless the caller's is the only one and the
  /// library does not use the object.
  static func takeOver(_ token: Token) -> Unmanaged<AnyObject>? {
    guard let slot = slot(of: token) else { return nil }
    let isOver = update(slot) { state in
      guard state.isLive(token.generation), slot.pointee.kind.load(ordering: .relaxed) == token.kind,
        state.isRetained, state.released.isFree
      else { return nil }
      return state.released.settled
    }
    return isOver == nil ? nil : vacate(slot)
  }

  /// Ends the lending of a token.
  static func takeBack(_ token: Token) {
    _ = change(token) { $0.takenBack }
  }

  static func isLive(_ token: Token) -> Bool {
    guard let slot = slot(of: token) else { return false }
    return SlotState(bits: slot.pointee.state.load(ordering: .acquiring)).isLive(token.generation)
      && slot.pointee.kind.load(ordering: .relaxed) == token.kind
  }

  private static func change(_ token: Token, _ step: (SlotState) -> SlotState?) -> Change {
    guard let slot = slot(of: token) else { return .refused }
    var refusal = Change.refused
    let changed = update(slot) { state in
      guard state.isLive(token.generation), slot.pointee.kind.load(ordering: .relaxed) == token.kind else {
        return nil
      }
      guard let new = step(state) else {
        refusal = state.isRetained ? .tooMany : .refused
        return nil
      }
      return new.settled
    }
    guard let changed else { return refusal }
    if changed.isFree { recycle(slot) }
    return .made
  }

  /// Changes a slot's state atomically. Returns nil if `step` does.
  @inline(__always)
  private static func update(
    _ slot: UnsafeMutablePointer<Slot>, _ step: (SlotState) -> SlotState?
  ) -> SlotState? {
    var old = slot.pointee.state.load(ordering: .acquiring)
    while true {
      guard let new = step(SlotState(bits: old)) else { return nil }
      guard let now = exchange(slot, old, new.bits) else { return new }
      old = now
    }
  }

  /// Returns the present state instead of the old one if another thread was faster.
  @inline(__always)
  private static func exchange(_ slot: UnsafeMutablePointer<Slot>, _ old: UInt64, _ new: UInt64) -> UInt64? {
    guard _fastPath(streams_bias_acquire_at_once()) else { return exchangeAmongThreads(slot, old, new) }
    slot.pointee.state.store(new, ordering: .relaxed)
    streams_bias_release()
    return nil
  }

  @inline(never)
  private static func exchangeAmongThreads(
    _ slot: UnsafeMutablePointer<Slot>, _ old: UInt64, _ new: UInt64
  ) -> UInt64? {
    if streams_bias_acquire() {
      slot.pointee.state.store(new, ordering: .relaxed)
      streams_bias_release()
      return nil
    }
    let (exchanged, now) = slot.pointee.state.compareExchange(
      expected: old, desired: new, ordering: .acquiringAndReleasing)
    return exchanged ? nil : now
  }

  // MARK: Slots

  /// Adds an object to the table: with one reference of the caller's, or as lent. Returns nil when the table is full.
  static func insert(
    _ object: consuming AnyObject, kind: UInt8, isLent: Bool, usedBy shortcut: UnsafeRawPointer? = nil
  ) -> Token? {
    guard let slot = allocate() else { return nil }
    slot.pointee.link = Int(bitPattern: shortcut)
    slot.pointee.object = UnsafeRawPointer(Unmanaged.passRetained(consume object).toOpaque())
    slot.pointee.kind.store(kind, ordering: .relaxed)
    countLive(1)
    let state = SlotState(bits: slot.pointee.state.load(ordering: .relaxed)).begun(isLent: isLent)
    slot.pointee.state.store(state.bits, ordering: .releasing)
    return Token(slot: Int(slot.pointee.index), generation: state.generation, kind: kind)
  }

  @inline(never)
  private static func recycle(_ slot: UnsafeMutablePointer<Slot>) {
    let kind = slot.pointee.kind.load(ordering: .relaxed)
    let object = vacate(slot)
    if kind == Kind.cancellable.code {
      // After the release no value may arrive, however little stack there is: so it cancels now, and `cancel` leaves what can
      // wait.
      Trampoline.through {
        UserCallback.releasing {
          object._withUnsafeGuaranteedRef { unsafeDowncast($0, to: CancellableObject.self).cancel() }
          object.release()
        }
      }
    } else {
      Trampoline.run(object) { object in UserCallback.releasing { object.release() } }
    }
  }

  /// Takes the object, with the slot's reference, out of a slot without references and uses.
  @inline(__always)
  private static func vacate(_ slot: UnsafeMutablePointer<Slot>) -> Unmanaged<AnyObject> {
    let object = Unmanaged<AnyObject>.fromOpaque(slot.pointee.object.unsafelyUnwrapped)
    slot.pointee.object = nil
    countLive(-1)
    if !SlotState(bits: slot.pointee.state.load(ordering: .relaxed)).isRetired {
      changingFree { free in
        slot.pointee.link = free.first
        free.first = Int(slot.pointee.index)
      }
    }
    return object
  }

  @inline(__always)
  private static func countLive(_ difference: Int) {
    if _fastPath(streams_bias_acquire()) {
      live.store(live.load(ordering: .relaxed) &+ difference, ordering: .relaxed)
      streams_bias_release()
    } else {
      live.wrappingAdd(difference, ordering: .relaxed)
    }
  }

  /// No fork may happen during the change: the child would have a half-changed list. A single thread cannot fork during it.
  @inline(__always)
  private static func changingFree<Result>(_ body: (inout FreeList) -> Result) -> Result {
    if _fastPath(streams_process_is_single_threaded()) { return free.withLock(body) }
    let place = streams_hold_forks()
    defer { streams_let_forks(place) }
    return free.withLock(body)
  }

  private static func allocate() -> UnsafeMutablePointer<Slot>? {
    changingFree { free in
      if free.first >= 0, let slot = slot(free.first) {
        free.first = slot.pointee.link
        return slot
      }
      if free.allocated % chunkSize == 0 {
        let number = free.allocated / chunkSize
        guard number < STREAMS_HANDLE_CHUNKS, let chunk = addChunk(number) else { return nil }
        if number == 0 {
          fillReserve(chunk)
          free.allocated += 1
        }
      }
      free.allocated += 1
      return slot(free.allocated - 1)
    }
  }

  private static func addChunk(_ number: Int) -> UnsafeMutablePointer<Slot>? {
    guard let memory = malloc(chunkSize * MemoryLayout<Slot>.stride) else { return nil }
    let chunk = memory.bindMemory(to: Slot.self, capacity: chunkSize)
    for index in 0..<chunkSize { (chunk + index).initialize(to: Slot(number * chunkSize + index)) }
    chunks[number].store(UInt(bitPattern: chunk), ordering: .releasing)
    return chunk
  }

  /// Stands for any error when the table is full: the token of the first slot, lent forever and not counted.
  static let errorInReserve = Token(slot: 0, generation: 1, kind: Kind.error.code)

  private static func fillReserve(_ slot: UnsafeMutablePointer<Slot>) {
    let error = StreamError(
      status: STREAMS_LIMIT, "the stream has failed; there is no handle left for its error")
    slot.pointee.object = UnsafeRawPointer(Unmanaged.passRetained(error).toOpaque())
    slot.pointee.kind.store(Kind.error.code, ordering: .relaxed)
    slot.pointee.state.store(SlotState.unborn.begun(isLent: true).bits, ordering: .releasing)
  }
}
