import StreamsShims
import Synchronization

/// Serialises the signals of one publisher without holding a lock while foreign code runs.
///
/// The thread that enters owns the gate until it leaves. A thread that finds the gate taken does not wait: it
/// leaves its work somewhere the owner will find it and calls ``poke()``, and whoever owns the gate then does that
/// work on its way out. Entering again on the owner's own thread is *nested*, and recursion is legal.
@frozen
@usableFromInline
struct Gate: ~Copyable {
  @frozen
  @usableFromInline
  enum Entry {
    /// The gate was free; the caller owns it and must leave it.
    case entered
    /// The calling thread owns the gate already, further up the stack. It must not leave it again.
    case nested
    /// Another thread owns the gate.
    case busy
  }

  /// The owner's thread identifier, 0 when free; the lowest bit says that there is work for the owner.
  @usableFromInline let word = Atomic<UInt>(0)

  @inlinable @inline(__always)
  init() {}

  @inlinable @inline(__always)
  static var currentThread: UInt { streams_current_thread() }

  /// Whether the calling thread owns the gate.
  @inlinable @inline(__always)
  var isOwned: Bool { word.load(ordering: .relaxed) & ~1 == Self.currentThread }

  @inlinable @inline(__always)
  func enter() -> Entry {
    let thread = Self.currentThread
    if streams_process_is_single_threaded() {
      guard word.load(ordering: .relaxed) == 0 else { return .nested }
      word.store(thread, ordering: .relaxed)
      return .entered
    }
    let (exchanged, owner) = word.compareExchange(expected: 0, desired: thread, ordering: .acquiring)
    if exchanged { return .entered }
    return owner & ~1 == thread ? .nested : .busy
  }

  /// Leaves the gate, unless there is work to do first: then the caller still owns it, must do all the work there
  /// is, and try again.
  @inlinable @inline(__always)
  func leave() -> Bool {
    let thread = Self.currentThread
    if streams_process_is_single_threaded(), word.load(ordering: .relaxed) == thread {
      word.store(0, ordering: .relaxed)
      return true
    }
    if word.compareExchange(expected: thread, desired: 0, ordering: .releasing).exchanged { return true }
    // Only the owner clears the bit, before it looks for the work: what is announced later is not missed.
    word.store(thread, ordering: .sequentiallyConsistent)
    return false
  }

  /// Announces work to the owner. Returns true when there is none: the caller has entered and must do the work.
  @usableFromInline
  func poke() -> Bool {
    let thread = Self.currentThread
    var current = word.load(ordering: .relaxed)
    while true {
      let desired = current == 0 ? thread : current | 1
      let (exchanged, now) = word.compareExchange(
        expected: current, desired: desired, ordering: .acquiringAndReleasing)
      if exchanged { return current == 0 }
      current = now
    }
  }
}
