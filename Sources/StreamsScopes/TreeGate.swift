#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whose turn it is with a tree's scopes: who changes them, or who looks at them. A thread may enter again.
///
/// No `Lock`: bodies run while it is held, and another thread that looks sleeps meanwhile.
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

  /// Runs `body` while no other thread changes the scopes. To be called within a body of the tree or where none waits for this
  /// thread.
  package func look<Result>(_ body: () -> Result) -> Result {
    enter()
    defer { leave() }
    return body()
  }
}
