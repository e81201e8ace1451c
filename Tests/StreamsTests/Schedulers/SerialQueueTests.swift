import Glibc
import Testing

@testable import Streams
@testable import StreamsSchedulers
@testable import StreamsTesting

@Suite struct SerialQueueTests {
  @Test func runsActionsInOrderOnAnotherThread() throws {
    let queue = try SerialQueue()
    let log = Locked<[Int]>([])
    let threads = Locked<Set<UInt32>>([])
    for index in 0..<1000 {
      queue.schedule {
        log.withLock { $0.append(index) }
        threads.withLock { _ = $0.insert(OwnerWord.currentThread) }
      }
    }
    #expect(reached { log.withLock { $0.count } == 1000 })
    #expect(log.withLock { $0 } == Array(0..<1000))
    #expect(threads.withLock { $0.count } == 1 && !threads.withLock { $0.contains(OwnerWord.currentThread) })
  }

  @Test func runsWhatIsDueInOrder() throws {
    let queue = try SerialQueue()
    let log = Locked<[Int]>([])
    let start = queue.now.advanced(by: .milliseconds(20))
    for index in [3, 1, 2, 0] {
      _ = queue.schedule(at: start.advanced(by: .microseconds(index * 100))) {
        log.withLock { $0.append(index) }
      }
    }
    // One that comes first when the thread is asleep already.
    _ = queue.schedule(at: queue.now) { log.withLock { $0.append(-1) } }
    #expect(reached { log.withLock { $0.count } == 5 })
    #expect(log.withLock { $0 } == [-1, 0, 1, 2, 3])
    #expect(queue.now >= start)
  }

  @Test func aCancelledActionDoesNotRun() throws {
    let queue = try SerialQueue()
    let log = Locked<[Int]>([])
    let due = Locked<ScheduledAction?>(nil)
    let mayGoOn = Locked(false)
    queue.schedule { _ = reached { mayGoOn.withLock { $0 } } }
    _ = queue.schedule(at: .zero) {
      log.withLock { $0.append(1) }
      if let due = due.withLock({ $0 }) { queue.cancel(due) }
    }
    due.withLock {
      $0 = queue.schedule(at: .zero.advanced(by: .nanoseconds(1))) { log.withLock { $0.append(2) } }
    }
    _ = queue.schedule(at: .zero.advanced(by: .nanoseconds(2))) { log.withLock { $0.append(3) } }
    mayGoOn.withLock { $0 = true }
    #expect(reached { log.withLock { $0.last } == 3 })
    #expect(log.withLock { $0 } == [1, 3])
  }

  @Test func repeatsUntilCancelled() throws {
    let queue = try SerialQueue()
    let count = Locked(0)
    let token = queue.schedule(after: queue.now, interval: .microseconds(100)) { count.withLock { $0 += 1 } }
    #expect(reached { count.withLock { $0 } >= 5 })
    token.cancel()
    let isIdle = Locked(false)
    queue.schedule { isIdle.withLock { $0 = true } }
    #expect(reached { isIdle.withLock { $0 } })
    let last = count.withLock { $0 }
    isIdle.withLock { $0 = false }
    _ = queue.schedule(at: queue.now.advanced(by: .milliseconds(2))) { isIdle.withLock { $0 = true } }
    #expect(reached { isIdle.withLock { $0 } })
    #expect(count.withLock { $0 } == last)
  }

  // MARK: Lifetimes

  /// As with a dispatch queue.
  @Test func whatHasNoTimeRunsThoughTheQueueGoes() throws {
    let lifetimes = LifetimeTracker()
    let count = Locked(0)
    var queue: SerialQueue? = try SerialQueue()
    for _ in 0..<100 {
      queue?.schedule { [token = lifetimes.token()] in
        token.keep()
        count.withLock { $0 += 1 }
      }
      _ = queue?.schedule(at: .never) { [token = lifetimes.token()] in token.keep() }
    }
    queue = nil
    #expect(reached { lifetimes.liveCount == 0 })
    #expect(count.withLock { $0 } == 100)
  }

  @Test func goesFromWithinItsLastAction() throws {
    let lifetimes = LifetimeTracker()
    for _ in 0..<200 {
      let queue = try SerialQueue()
      queue.schedule { [token = lifetimes.token(), queue] in
        token.keep()
        _ = queue.now
      }
    }
    #expect(reached { lifetimes.liveCount == 0 })
  }

  @Test func forgetsEverythingWhenItIsClosed() throws {
    let lifetimes = LifetimeTracker()
    let queue = try SerialQueue()
    let mayGoOn = Locked(false)
    queue.schedule { _ = reached { mayGoOn.withLock { $0 } } }
    queue.schedule { [token = lifetimes.token { queue.schedule {} }] in token.keep() }
    _ = queue.schedule(at: .zero) { [token = lifetimes.token()] in token.keep() }
    _ = queue.schedule(at: .never) { [token = lifetimes.token()] in token.keep() }
    queue.close()
    #expect(lifetimes.liveCount == 0)
    queue.schedule { [token = lifetimes.token()] in token.keep() }
    queue.cancel(queue.schedule(at: .zero) { [token = lifetimes.token()] in token.keep() })
    #expect(lifetimes.liveCount == 0)
    mayGoOn.withLock { $0 = true }
  }

  @Test func aThousandQueuesLeaveNoThread() throws {
    let before = threadCount()
    let count = Locked(0)
    for _ in 0..<1000 {
      let queue = try SerialQueue()
      queue.schedule { count.withLock { $0 += 1 } }
      _ = queue.schedule(at: .never) {}
    }
    #expect(reached { count.withLock { $0 } == 1000 })
    #expect(reached { threadCount() <= before + 4 })
  }
}

/// How many threads the process has.
func threadCount() -> Int {
  guard let folder = opendir("/proc/self/task") else { return 0 }
  defer { closedir(folder) }
  var count = -2
  while readdir(folder) != nil { count += 1 }
  return count
}
