import StreamsShims
import Synchronization

/// Wakes threads that sleep at it.
///
/// A thread reads the number of rings while it holds the lock under which it has found nothing to do, and sleeps only as
/// long as there has been no other.
package struct EventCount: ~Copyable {
  private let rings = _Cell(Atomic<UInt32>(0))

  package init() {}

  package var count: UInt32 { rings._address.pointee.load(ordering: .acquiring) }

  /// Wakes one thread.
  package func ring() {
    rings._address.pointee.add(1, ordering: .releasing)
    streams_clock_wake(rings._address)
  }

  /// Sleeps until the bell rings or the time has come; not at all if it has rung since `count`.
  package func sleep(since count: UInt32, until time: MonotonicTime) {
    streams_clock_sleep(rings._address, count, Int64(time.nanoseconds))
  }
}
