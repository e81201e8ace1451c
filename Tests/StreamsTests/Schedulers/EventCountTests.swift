import Glibc
import StreamsShims
import TestThreads
import Testing

@testable import Streams
@testable import StreamsSchedulers

@Suite struct EventCountTests {
  private final class Post: @unchecked Sendable {
    let bell = EventCount()
    private let state = Lock(0)
    func put() {
      state.withLock { $0 += 1 }
      bell.signal()
    }
    func take() -> Int {
      state.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  private static let forever = MonotonicTime(nanoseconds: .max)

  @Test func aRingSinceTheCountIsNotSleptThrough() {
    let bell = EventCount()
    let count = bell.count
    bell.signal()
    bell.sleep(since: count, until: Self.forever)
    #expect(bell.count == count + 1)
  }

  @Test func aTimeThatHasComeEndsTheSleep() {
    let bell = EventCount()
    bell.sleep(since: bell.count, until: .zero)
    bell.sleep(since: bell.count, until: MonotonicTime(nanoseconds: Int(streams_clock_now()) + 1_000_000))
    #expect(bell.count == 0)
  }

  @Test func everyRingIsHeard() {
    let post = Post()
    let sender = startThread { for _ in 0..<10_000 { post.put() } }
    var heard = 0
    while heard < 10_000 {
      let count = post.bell.count
      let found = post.take()
      heard += found
      if found == 0 { post.bell.sleep(since: count, until: Self.forever) }
    }
    pthread_join(sender, nil)
    #expect(heard == 10_000)
  }
}
