import CStreams
import Glibc
import Streams
import StreamsShims

/// When a host last polled for signals in a long run of calls. Guarded by the host's lock.
struct SignalPoll: ~Copyable {
  fileprivate let pause = Cell<UInt64>(0)
}

/// Several times as long as a thread waits for an interpreter's lock before it requests it (5 ms in CPython). A lock that is
/// retaken immediately is certain only for a thread that has requested it, and each release restarts that wait.
private let interval: UInt64 = 20_000_000

extension Host {
  /// Polls now and then for signals and for other threads that want the lock, because a run of functions that are native code
  /// does not. Returns false, with an error pending, if a signal's handler has raised one.
  @inline(__always)
  func attend() -> Bool {
    line.pointee.calls &+= 1
    return !streams_is_time_to_look_up(line.pointee.calls) || lookUp()
  }

  /// The error that a signal's handler raises, if a host has one to call.
  static func interruption() -> StreamError? {
    for id in 1...UInt32(STREAMS_HOSTS) {
      guard let host = find(id)?.takeUnretainedValue() else { return nil }
      if let error = host.entered({ host.lookUp() ? nil : host.takeError() }) ?? nil { return error }
    }
    return nil
  }

  @inline(never)
  private func lookUp() -> Bool {
    calling {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let time = UInt64(now.tv_sec) &* 1_000_000_000 &+ UInt64(now.tv_nsec)
      if time &- signalPoll.pause.value > interval, let suspend = table.suspend {
        signalPoll.pause.value = time
        table.resume(suspend())
      }
      return (table.check_signals?() ?? 0) >= 0
    }
  }
}

extension streams_host_line {
  /// Like hosts, their lines are never released.
  static func make(of table: streams_host, id: UInt32) -> UnsafeMutablePointer<streams_host_line> {
    let size = 64
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: size)
    let line = memory.bindMemory(to: streams_host_line.self, capacity: 1)
    let isComplete =
      table.holds != nil && table.current != nil && table.counts && !streams_is_uncounted()
      && table.target_offset != 0
    line.initialize(
      to: streams_host_line(
        current: table.current, release: table.release, null_object: table.null_object,
        target_offset: table.target_offset, owner_offset: 0, id: isComplete ? id : UInt32.max, calls: 0,
        losses: 1, runtime: nil))
    return line
  }
}
