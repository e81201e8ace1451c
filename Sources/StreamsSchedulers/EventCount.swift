import StreamsShims
import Synchronization

/// Wakes sleeping threads.
///
/// A thread reads the number of rings under the lock under which it finds nothing to do, and sleeps only while the number has not
/// changed.
package struct EventCount: ~Copyable {
  private let rings = _Cell(Atomic<UInt32>(0))

  package init() {}

  package var count: UInt32 { rings._address.pointee.load(ordering: .acquiring) }

  /// Wakes one thread.
  package func ring() {
    rings._address.pointee.add(1, ordering: .releasing)
    streams_clock_wake(rings._address)
  }

  /// Sleeps until the next ring or until `time`; not at all if there has been a ring since `count`.
  package func sleep(since count: UInt32, until time: MonotonicTime) {
    streams_clock_sleep(rings._address, count, Int64(time.nanoseconds))
  }
}
