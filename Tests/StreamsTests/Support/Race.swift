import Glibc
import Synchronization

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

/// Makes threads wait until all have arrived.
private final class StartLine: Sendable {
  private let missing: Atomic<Int>

  init(count: Int) { missing = Atomic(count) }

  func wait() {
    missing.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { sched_yield() }
  }
}

private final class ThreadBody {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

func startThread(_ body: @escaping () -> Void) -> pthread_t {
  var thread = pthread_t()
  let status = pthread_create(
    &thread, nil,
    { context in
      Unmanaged<ThreadBody>.fromOpaque(context!).takeRetainedValue().run()
      return nil
    }, Unmanaged.passRetained(ThreadBody(body)).toOpaque())
  precondition(status == 0, "no thread could be started")
  return thread
}
