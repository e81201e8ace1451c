import Synchronization

/// Which thread is making a request that a stream makes once. Until that is over, another thread that needs what is
/// requested does not rely on it, but requests it, too.
@usableFromInline
package struct RequestUnderWay: ~Copyable {
  private let thread = Atomic<UInt32>(0)

  @usableFromInline
  package init() {}

  /// Where the request is decided on, in a turn or within a lock.
  package func begin() { thread.store(Gate.currentThread, ordering: .relaxed) }

  package func end() { thread.store(0, ordering: .releasing) }

  /// Whether another thread is making it.
  package var isElsewhere: Bool {
    let thread = thread.load(ordering: .acquiring)
    return thread != 0 && thread != Gate.currentThread
  }
}
