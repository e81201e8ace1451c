/// A lock that holds what it protects. Taking it again on the thread that holds it traps, as Combine's does.
///
/// Written here rather than taken from `Synchronization` because ThreadSanitizer does not see the orderings inside
/// the precompiled `Mutex`, because that aborts in the child of a fork, and because a process without threads can do
/// without atomic operations.
///
/// In a class that is generic, let `State` not depend on the generic parameters if the lock is used on subscribing
/// or cancelling: such code runs unspecialised, and would look up the type of the state at every use.
@frozen
@usableFromInline
package struct Lock<State>: ~Copyable {
  @usableFromInline let state: Cell<State>
  /// Behind the state: what comes after the lock in its owner then has its place in the same word.
  @usableFromInline let word = OwnerWord()

  @inlinable @inline(__always)
  package init(_ state: consuming State) { self.state = Cell(state) }

  /// Runs `body` with exclusive access to the state. `body` must neither call foreign code nor release anything
  /// foreign.
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

  @inlinable @inline(__always)
  package func lock() {
    let thread = OwnerWord.currentThread
    let owner = word.takeCompactly(thread)
    if owner == 0 { return }
    precondition(owner != thread, "a stream's lock was taken recursively")
    word.wait(thread)
  }

  @inlinable @inline(__always)
  package func unlock() { word.releaseCompactly() }
}
