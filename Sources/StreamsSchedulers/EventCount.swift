import StreamsShims
import Synchronization

/// Wakes sleeping threads.
///
/// A thread reads the number of signals under the lock under which it finds nothing to do, and sleeps only while the number has not
/// changed.
package struct EventCount: ~Copyable {
  private let signals = _Cell(Atomic<UInt32>(0))

  package init() {}

  package var count: UInt32 { signals._address.pointee.load(ordering: .acquiring) }

  /// Wakes one thread.
  package func signal() {
    signals._address.pointee.add(1, ordering: .releasing)
    streams_clock_wake(signals._address)
  }

  /// Sleeps until the next signal or until `time`; not at all if there has been one since `count`.
  package func sleep(since count: UInt32, until time: MonotonicTime) {
    streams_clock_sleep(signals._address, count, Int64(time.nanoseconds))
  }
}
