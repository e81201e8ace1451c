import StreamsShims
import Synchronization

/// A word that says which thread owns something: the basis of locks and gates.
///
/// Threads that must wait for it sleep in the kernel. Any thread that asks while it is free gets it, until a sleeper
/// has been woken in vain several times: then it is the sleeper's turn.
@frozen
@usableFromInline
package struct OwnerWord: ~Copyable {
  /// A number, not an `Atomic`, which unspecialized code would destroy when a generic class is released.
  @usableFromInline let storage = _Cell<UInt32>(0)

  @inlinable @inline(__always)
  package init() {}

  /// The number, for atomic use. An `Atomic` has the layout of its value.
  @inlinable @inline(__always)
  var atomic: UnsafeMutablePointer<Atomic<UInt32>> {
    UnsafeMutableRawPointer(storage._address).assumingMemoryBound(to: Atomic<UInt32>.self)
  }

  @inlinable @inline(__always)
  package static var currentThread: UInt32 { streams_current_thread() }

  @inlinable @inline(__always)
  var value: UInt32 { atomic.pointee.load(ordering: .relaxed) }

  /// The owner; 0 if there is none.
  @inlinable @inline(__always)
  var owner: UInt32 { Self.owner(of: value) }

  @inlinable @inline(__always)
  static func owner(of value: UInt32) -> UInt32 {
    value & ~UInt32(STREAMS_WORD_MARKS)
  }

  /// Makes the thread the owner if there is none. Returns 0 if it has become the owner, else the present owner.
  @inlinable @inline(__always)
  package func take(_ thread: UInt32) -> UInt32 {
    guard _fastPath(streams_bias_acquire_at_once()) else { return takeAmongThreads(thread) }
    let owner = takeBiased(thread)
    streams_bias_release()
    return owner
  }

  /// `take` for a thread that has acquired the bias.
  @inlinable @inline(__always)
  func takeBiased(_ thread: UInt32) -> UInt32 {
    let owner = owner
    if owner == 0 { atomic.pointee.store(thread, ordering: .relaxed) }
    return owner
  }

  /// `take` in less code, but slower in a process with several threads.
  @inlinable @inline(__always)
  func takeCompactly(_ thread: UInt32) -> UInt32 {
    guard _fastPath(streams_process_is_single_threaded()) else { return takeAmongThreads(thread) }
    return takeBiased(thread)
  }

  @usableFromInline @inline(never)
  func takeAmongThreads(_ thread: UInt32) -> UInt32 {
    var now: UInt32 = 0
    return exchange(&now, for: thread) ? 0 : Self.owner(of: now)
  }

  /// Waits until there is no owner, and makes the thread the owner.
  @usableFromInline @inline(never)
  func wait(_ thread: UInt32) { _ = streams_word_wait(storage._address, thread, false) }

  /// Waits as `wait` does, unless the owner waits, directly or through others, for this thread.
  @usableFromInline @inline(never)
  func waitUnlessInCircle(_ thread: UInt32) -> Bool { streams_word_wait(storage._address, thread, true) }

  /// Runs `body`, which waits until the word has no owner, or is about to. During that, a thread that owns the word
  /// does not wait for this one.
  package func whileAwaited<Result>(_ body: () -> Result) -> Result {
    var waiter = streams_waiter()
    return withUnsafeMutablePointer(to: &waiter) { waiter in
      streams_wait_is_due(waiter, storage._address)
      defer { streams_wait_is_over(waiter) }
      return body()
    }
  }

  /// Leaves the word without an owner, and wakes a thread that waits for it. Returns false if there is work to do
  /// first: the word still has its owner then.
  @inlinable @inline(__always)
  package func release() -> Bool { releaseUnmarked() || releaseSlowly() }

  /// Exchanges `old` for `new`, if the word has the value `old`. Otherwise `old` becomes the word's value.
  @inline(__always)
  func exchange(_ old: inout UInt32, for new: UInt32) -> Bool {
    if streams_bias_acquire() {
      let expected = old
      old = value
      if old == expected { atomic.pointee.store(new, ordering: .relaxed) }
      streams_bias_release()
      return old == expected
    }
    let (exchanged, now) = atomic.pointee.compareExchange(
      expected: old, desired: new, ordering: .acquiringAndReleasing)
    old = now
    return exchanged
  }

  /// Leaves the word without an owner if it has no marks. If it has, use `releaseSlowly`.
  @inlinable @inline(__always)
  func releaseUnmarked() -> Bool {
    let value = value
    guard value & UInt32(STREAMS_WORD_MARKS) == 0 else { return false }
    guard _fastPath(streams_bias_acquire_at_once()) else { return releaseAmongThreads(value) }
    atomic.pointee.store(0, ordering: .relaxed)
    streams_bias_release()
    return true
  }

  /// `releaseUnmarked` for a thread that has acquired the bias.
  @inlinable @inline(__always)
  func releaseBiased() -> Bool {
    guard value & UInt32(STREAMS_WORD_MARKS) == 0 else { return false }
    atomic.pointee.store(0, ordering: .relaxed)
    return true
  }

  /// `release` in less code, but slower in a process with several threads. For words with which no thread leaves
  /// work.
  @inlinable @inline(__always)
  func releaseCompactly() {
    if _fastPath(streams_process_is_single_threaded() && value & UInt32(STREAMS_WORD_MARKS) == 0) {
      atomic.pointee.store(0, ordering: .relaxed)
    } else {
      releaseAmongThreads()
    }
  }

  @usableFromInline @inline(never)
  func releaseAmongThreads() { _ = release() }

  @usableFromInline @inline(never)
  func releaseAmongThreads(_ value: UInt32) -> Bool {
    var now = value
    return exchange(&now, for: 0)
  }

  @usableFromInline @inline(never)
  func releaseSlowly() -> Bool { streams_word_release(storage._address) }

  /// Leaves the word without an owner but with its work, which the next owner does first. Returns whether there is no
  /// work.
  func releaseToNext() -> Bool { streams_word_release_to_next(storage._address) }
}
