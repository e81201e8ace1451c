import StreamsShims
import Synchronization

/// Lets one thread at a time send the signals of a publisher, without holding a lock while the user's code runs.
///
/// The thread that enters owns the gate until it leaves. Entering again on that thread is *nested*, and recursion is
/// legal. Another thread waits for its turn, or leaves its work where the owner will find it and calls ``markWork()``:
/// the owner then does that work on its way out.
@frozen
@usableFromInline
struct Gate: ~Copyable {
  @frozen
  @usableFromInline
  enum Entry {
    /// The caller owns the gate now and must leave it.
    case entered
    /// The calling thread owns the gate already, further up the stack. It must not leave it again.
    case nested
    /// Another thread owns the gate.
    case busy
  }

  @usableFromInline let word = OwnerWord()

  @inlinable @inline(__always)
  init() {}

  @inlinable @inline(__always)
  static var currentThread: UInt32 { OwnerWord.currentThread }

  /// Whether the calling thread owns the gate.
  @inlinable @inline(__always)
  var isOwned: Bool { word.owner == Self.currentThread }

  /// Enters if no thread owns the gate, not even this one, and if this one has a number already and has gathered no
  /// results that its value would overtake.
  @inlinable @inline(__always)
  func enterIfFree() -> Bool {
    let thread = streams_number_of_sender()
    return thread != 0 && word.take(thread) == 0
  }

  /// `enterIfFree` for a thread that has acquired the bias.
  @inlinable @inline(__always)
  func enterBiased() -> Bool {
    let thread = streams_number_of_thread()
    return thread != 0 && word.takeBiased(thread) == 0
  }

  /// Enters without waiting.
  @inlinable @inline(__always)
  func enter() -> Entry { enter(Self.currentThread) }

  /// Enters without waiting, for a thread whose number is known.
  @inlinable @inline(__always)
  func enter(_ thread: UInt32) -> Entry {
    let owner = word.take(thread)
    return owner == 0 ? .entered : owner == thread ? .nested : .busy
  }

  /// Enters after waiting. The result is `busy` only if the owner waits for this thread, and so would never leave.
  func waitForTurn() -> Entry { word.waitUnlessInCircle(Self.currentThread) ? .entered : .busy }

  /// For the owner: whether other threads have left work.
  var hasWork: Bool { word.value & UInt32(STREAMS_WORD_HAS_WORK) != 0 }

  /// Leaves the gate, unless there is work to do first: then the caller still owns it, must do all the work, and try
  /// again.
  @inlinable @inline(__always)
  func leave() -> Bool { word.release() }

  /// Leaves the gate, and its work to the thread that enters next. Returns whether there is no work: otherwise the
  /// caller must call ``markWork()``, since no thread may be about to enter.
  func releaseToNext() -> Bool { word.releaseToNext() }

  /// Announces work to the owner. Returns true when there is none: the caller has entered and must do the work.
  @usableFromInline
  func markWork() -> Bool {
    let thread = Self.currentThread
    let work = UInt32(STREAMS_WORD_HAS_WORK)
    func isFree(_ value: UInt32) -> Bool { value == 0 || value == UInt32(STREAMS_WORD_PROMISED) | work }
    var current = word.value
    while !word.exchange(&current, for: isFree(current) ? thread : current | work) {}
    return isFree(current)
  }
}
