import Glibc
import Synchronization
import TestThreads

@testable import Streams

/// Runs each closure `rounds` times on a thread of its own, all started at the same moment; returns when all are
/// done.
///
/// The closures need not be sendable: that they share state is what the test is about.
func race(rounds: Int = 1, _ bodies: () -> Void...) {
  let start = StartLine(count: bodies.count)
  let threads = bodies.map { body in
    startThread {
      start.wait()
      for _ in 0..<rounds { body() }
    }
  }
  for thread in threads { pthread_join(thread, nil) }
}

/// Has two threads need each other's turn, so that what `left` sends is left to the first.
///
/// `first` delivers something and calls its argument from within, which sends to a subject. On another thread, that
/// subject is delivering: this is where `left` runs.
func cross(_ first: @escaping (_ meet: @escaping () -> Void) -> Void, _ left: @escaping () -> Void) {
  let subject = PassthroughSubject<Int, Never>()
  let meeting = Meeting()
  let cancellable = subject.sink { value in
    guard value == 1 else { return }
    meeting.wait()
    while subject.broadcast.serializer.gate.word.value & 1 == 0 { sched_yield() }
    left()
  }
  race(
    {
      first {
        meeting.wait()
        subject.send(0)
      }
    },
    { subject.send(1) })
  cancellable.cancel()
}

/// Runs `first` on another thread, to which this one has left it, and then `second` on this one, which had to wait for
/// that: so what both send is in order, and what `first` sends may be left to this thread.
///
/// That other thread delivers at `way`. While this one owns `own`, it waits for that, and so is left what this one sends
/// to `way`. When it comes to it, this thread waits for `way`.
func byWayOfAnother(_ first: @escaping () -> Void, then second: @escaping () -> Void) {
  let (way, own) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let meeting = Meeting()
  let other = Lock<pthread_t?>(nil)
  func waitUntilAwaited(_ subject: PassthroughSubject<Int, Never>) {
    while !subject.broadcast.serializer.gate.isAwaited { sched_yield() }
  }
  let onWay = way.sink { value in
    switch value {
    case 0:
      meeting.wait()
      own.send(0)
    case 1:
      waitUntilAwaited(way)
      first()
    default: second()
    }
  }
  let inOwn = own.sink { value in
    guard value == 1 else { return }
    let thread = startThread { way.send(0) }
    other.withLock { $0 = thread }
    meeting.wait()
    waitUntilAwaited(own)
    way.send(1)
  }
  own.send(1)
  way.send(2)
  if let thread = other.withLock({ $0 }) { pthread_join(thread, nil) }
  onWay.cancel()
  inOwn.cancel()
}

/// Where two threads wait for each other.
final class Meeting: Sendable {
  private let count = Atomic(0)

  func wait() {
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
    while count.load(ordering: .acquiring) < 2 { sched_yield() }
  }
}

/// Makes threads wait until all have arrived.
private final class StartLine: Sendable {
  private let missing: Atomic<Int>

  init(count: Int) { missing = Atomic(count) }

  func wait() {
    missing.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { sched_yield() }
  }
}
