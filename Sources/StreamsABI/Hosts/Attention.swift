import CStreams
import Glibc
import Streams

/// When a host last looked up from a long run of calls. Belongs to whoever holds the host's lock.
struct Attention: ~Copyable {
  fileprivate let calls = Cell<UInt32>(0)
  fileprivate let pause = Cell<UInt64>(0)
}

/// A runtime that interprets code lets other threads have its lock about as often.
private let interval: UInt64 = 5_000_000

extension Host {
  /// Sees now and then to what waits besides: signals, and other threads that want the lock. Nothing else would in a run
  /// of functions that are native code. Returns false with an error pending if a signal's handler has raised it.
  @inline(__always)
  func attend() -> Bool {
    attention.calls.value &+= 1
    return attention.calls.value & 1023 != 0 || lookUp()
  }

  @inline(never)
  private func lookUp() -> Bool {
    calling {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let time = UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
      if time &- attention.pause.value > interval, let suspend = table.suspend {
        attention.pause.value = time
        table.resume(suspend())
      }
      return (table.check_signals?() ?? 0) >= 0
    }
  }
}
