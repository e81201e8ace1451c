import Synchronization

/// Which thread is making a request that a stream makes once.
///
/// Until that is over, other threads do not rely on it: one that needs what is requested requests it, too, and one that
/// delivers a value asks for another in its place.
@usableFromInline
package struct RequestUnderWay: ~Copyable {
  @usableFromInline let thread = Atomic<UInt32>(0)
  /// Only in the turn.
  private let isDueAgain = Cell(false)

  @usableFromInline
  package init() {}

  /// Where the request is decided on, in a turn or within a lock.
  package func begin() { thread.store(Gate.currentThread, ordering: .relaxed) }

  package func end() { thread.store(0, ordering: .releasing) }

  /// In the turn: notes demand. If it is for everything, and another thread is requesting that, the request is due again.
  @usableFromInline
  func note(_ demand: Subscribers.Demand) {
    if demand == .unlimited, isElsewhere { isDueAgain.value = true }
  }

  /// In the turn: whether the request is due again.
  func takeDue() -> Bool { exchange(&isDueAgain.value, with: false) }

  /// Whether another thread is making it.
  @inlinable @inline(__always)
  package var isElsewhere: Bool {
    let thread = thread.load(ordering: .acquiring)
    return _slowPath(thread != 0) && thread != Gate.currentThread
  }
}
