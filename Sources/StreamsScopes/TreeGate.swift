#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Exclusive access to a tree's scopes, to change or to read them. A thread may enter again.
///
/// It is not a `Lock`, because bodies run while it is held: other threads that read must sleep.
package final class TreeGate: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func enter() { pthread_mutex_lock(mutex) }
  func leave() { pthread_mutex_unlock(mutex) }

  /// Runs `body` while no other thread changes the scopes. Call it within a body of the tree, or where no body waits for this
  /// thread.
  package func look<Result>(_ body: () -> Result) -> Result {
    enter()
    defer { leave() }
    return body()
  }
}
