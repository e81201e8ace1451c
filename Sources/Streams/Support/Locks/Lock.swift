/// A lock that holds what it protects. Taking it again on the thread that holds it traps, as Combine's does.
///
/// Written here rather than taken from `Synchronization` because ThreadSanitizer does not see the orderings inside
/// the precompiled `Mutex`, because `Mutex` aborts in the child of a fork, and because a single-threaded process
/// needs no atomic operations.
///
/// In a generic class, `State` should not depend on the generic parameters if the lock is used on subscribing or
/// cancelling: that code runs unspecialized, and would look up the type of the state at every use.
@frozen
@usableFromInline
package struct Lock<State>: ~Copyable {
  @usableFromInline let state: Cell<State>
  /// Behind the state, so that the owner's next field can share its machine word.
  @usableFromInline let word = OwnerWord()

  @inlinable @inline(__always)
  package init(_ state: consuming State) { self.state = Cell(state) }

  /// Runs `body` with exclusive access to the state. `body` must neither call the user's code nor release the
  /// user's objects.
  @inlinable @inline(__always)
  package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    lock()
    do {
      let result = try body(&state.value)
      unlock()
      return result
    } catch {
      unlock()
      throw error
    }
  }

  /// Runs `body` with exclusive access to the state, inlined: more code than `withLock`, but faster in a process
  /// with several threads. For work on each value.
  @inlinable @inline(__always)
  func withLockInPlace<Result>(_ body: (inout State) -> Result) -> Result {
    let thread = OwnerWord.currentThread
    wait(for: word.take(thread), thread)
    let result = body(&state.value)
    if !word.releaseUnmarked() { word.releaseCompactly() }
    return result
  }

  @inlinable @inline(__always)
  package func lock() {
    let thread = OwnerWord.currentThread
    wait(for: word.takeCompactly(thread), thread)
  }

  /// Waits if there is an owner.
  @inlinable @inline(__always)
  func wait(for owner: UInt32, _ thread: UInt32) {
    if owner == 0 { return }
    precondition(owner != thread, "a stream's lock was taken recursively")
    word.wait(thread)
  }

  @inlinable @inline(__always)
  package func unlock() { word.releaseCompactly() }
}
