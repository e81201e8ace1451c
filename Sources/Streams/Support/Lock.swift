import Glibc
import StreamsShims
import Synchronization

/// A lock that holds what it protects. Taking it again on the thread that holds it traps, as Combine's does.
///
/// Written here rather than taken from `Synchronization` because ThreadSanitizer does not see the orderings inside
/// the precompiled `Mutex`, and because a process without threads can do without atomic operations.
///
/// In a class that is generic, let `State` not depend on the generic parameters if the lock is used on subscribing
/// or cancelling: such code runs unspecialised, and would look up the type of the state at every use.
@frozen
@usableFromInline
package struct Lock<State>: ~Copyable {
  @usableFromInline let word = LockWord()
  @usableFromInline let state: Cell<State>

  @inlinable @inline(__always)
  package init(_ state: consuming State) { self.state = Cell(state) }

  /// Runs `body` with exclusive access to the state. `body` must not call foreign code.
  @inlinable @inline(__always)
  package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    word.lock()
    do {
      let result = try body(&state.value)
      word.unlock()
      return result
    } catch {
      word.unlock()
      throw error
    }
  }

  @inlinable @inline(__always)
  package func lock() { word.lock() }

  @inlinable @inline(__always)
  package func unlock() { word.unlock() }
}

/// The part of a lock that does not know what it protects.
@frozen
@usableFromInline
package struct LockWord: ~Copyable {
  /// The holder's thread identifier, 0 when free; the lowest bit says that threads are waiting.
  @usableFromInline let word = Atomic<UInt>(0)

  @inlinable @inline(__always)
  package init() {}

  @inlinable @inline(__always)
  package func lock() {
    let thread = Gate.currentThread
    if streams_process_is_single_threaded() {
      precondition(word.load(ordering: .relaxed) == 0, "a stream's lock was taken recursively")
      word.store(thread, ordering: .relaxed)
      return
    }
    if !word.compareExchange(expected: 0, desired: thread, ordering: .acquiring).exchanged {
      lockSlowly(thread)
    }
  }

  @inlinable @inline(__always)
  package func unlock() {
    if streams_process_is_single_threaded() {
      word.store(0, ordering: .relaxed)
      return
    }
    if word.exchange(0, ordering: .releasing) & 1 != 0 {
      wakeWaiters()
    }
  }

  @usableFromInline @inline(never)
  func lockSlowly(_ thread: UInt) {
    precondition(
      word.load(ordering: .relaxed) & ~1 != thread, "a stream's lock was taken recursively")
    for _ in 0..<64 where word.compareExchange(expected: 0, desired: thread, ordering: .acquiring).exchanged {
      return
    }
    LockParking.shared.wait { tryLockWaiting(thread) }
  }

  /// Takes the lock if it is free, else leaves the mark that makes the holder wake the waiters.
  func tryLockWaiting(_ thread: UInt) -> Bool {
    var current = word.load(ordering: .relaxed)
    while true {
      // Other threads may be waiting too: the new holder keeps the mark, at the price of one needless wake.
      let desired = current == 0 ? thread | 1 : current | 1
      let (exchanged, now) = word.compareExchange(
        expected: current, desired: desired, ordering: .acquiring)
      if exchanged { return current == 0 }
      current = now
    }
  }

  @usableFromInline @inline(never)
  func wakeWaiters() { LockParking.shared.wakeAll() }
}

/// Where threads sleep that wait for any lock. Contention on a stream's lock is rare and short.
final class LockParking: @unchecked Sendable {
  static let shared = LockParking()

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  private init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  /// Sleeps until `attempt`, which is repeated after each wake, succeeds.
  func wait(until attempt: () -> Bool) {
    pthread_mutex_lock(mutex)
    while !attempt() { pthread_cond_wait(condition, mutex) }
    pthread_mutex_unlock(mutex)
  }

  func wakeAll() {
    pthread_mutex_lock(mutex)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }
}
