import Glibc
import TestThreads
import Testing

@testable import Streams
@testable import StreamsSchedulers
@testable import StreamsTesting

@Suite struct QueuePoolTests {
  @Test func eachQueueKeepsItsOrderAndNoTwoOfItsActionsMeet() throws {
    let pool = try QueuePool(threads: 3)
    let queues = (0..<10).map { _ in pool.makeQueue() }
    let logs = queues.map { _ in Locked<[Int]>([]) }
    let overlaps = Locked(0)
    let running = queues.map { _ in Locked(false) }
    let senders = (0..<2).map { _ in
      startThread {
        for index in 0..<1000 {
          for (place, queue) in queues.enumerated() {
            queue.schedule {
              if running[place].withLock({ exchange(&$0, with: true) }) { overlaps.withLock { $0 += 1 } }
              logs[place].withLock { $0.append(index) }
              running[place].withLock { $0 = false }
            }
          }
        }
      }
    }
    #expect(reached { logs.allSatisfy { $0.withLock { $0.count } == 2000 } })
    for sender in senders { pthread_join(sender, nil) }
    #expect(overlaps.withLock { $0 } == 0)
    for log in logs {
      // Two senders: each of them in order.
      let log = log.withLock { $0 }
      #expect((0..<1000).allSatisfy { value in log.count(where: { $0 == value }) == 2 })
    }
  }

  @Test func queuesRunAtTheSameTime() throws {
    let pool = try QueuePool(threads: 2)
    let (first, second) = (pool.makeQueue(), pool.makeQueue())
    let meeting = Meeting()
    let count = Locked(0)
    for queue in [first, second] {
      queue.schedule {
        meeting.wait()
        count.withLock { $0 += 1 }
      }
    }
    #expect(reached { count.withLock { $0 } == 2 })
  }

  /// One thread keeps the time, also when the one that did has something to do.
  @Test func timersRunWhileAThreadIsBusy() throws {
    let pool = try QueuePool(threads: 2)
    let (busy, other) = (pool.makeQueue(), pool.makeQueue())
    let count = Locked(0)
    _ = busy.schedule(at: .zero) { _ = reached { count.withLock { $0 } == 20 } }
    for index in 0..<20 {
      _ = other.schedule(at: other.now.advanced(by: .microseconds(index * 200))) {
        count.withLock { $0 += 1 }
      }
    }
    #expect(reached { count.withLock { $0 } == 20 })
  }

  @Test func aPoolLivesAsLongAsItsQueues() throws {
    let lifetimes = LifetimeTracker()
    var queue: SerialQueue? = try QueuePool(threads: 4).makeQueue()
    let before = threadCount()
    let count = Locked(0)
    queue?.schedule { [token = lifetimes.token()] in
      token.keep()
      count.withLock { $0 += 1 }
    }
    #expect(reached { count.withLock { $0 } == 1 && lifetimes.liveCount == 0 })
    queue = nil
    #expect(reached { threadCount() <= before - 4 || threadCount() < 4 })
  }

  @Test func hasAThreadAtLeast() throws {
    let queue = try QueuePool(threads: -3).makeQueue()
    let count = Locked(0)
    queue.schedule { count.withLock { $0 += 1 } }
    #expect(reached { count.withLock { $0 } == 1 })
  }
}
