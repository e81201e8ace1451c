import Glibc
import TestThreads
import Testing

@testable import Streams
@testable import StreamsSchedulers
@testable import StreamsTesting

@Suite struct EventLoopTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop() }

  var isReadable: Bool {
    var watched = pollfd(fd: loop.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) == 1
  }

  // MARK: What runs when

  @Test func runsWhatIsReadyAndThenWhatIsDue() {
    var log: [String] = []
    _ = loop.schedule(at: loop.now.advanced(by: .nanoseconds(1))) { log.append("second") }
    _ = loop.schedule(at: .zero) { log.append("first") }
    _ = loop.schedule(at: loop.now.advanced(by: .seconds(1000))) { log.append("later") }
    loop.schedule { log.append("a") }
    loop.schedule { [loop] in
      log.append("b")
      loop.schedule { log.append("next time") }
    }
    #expect(log.isEmpty)
    #expect(loop.runOnce())
    #expect(log == ["a", "b", "first", "second"])
    #expect(loop.runOnce())
    #expect(log.last == "next time")
    #expect(!loop.runOnce())
    #expect(loop.pendingCount == 1)
  }

  @Test func waitsForWhatIsDueSoon() {
    var count = 0
    let time = loop.now.advanced(by: .milliseconds(5))
    _ = loop.schedule(at: time) { count += 1 }
    #expect(loop.runOnce(timeout: .seconds(60)))
    #expect(count == 1 && loop.now >= time)
    let limit = loop.now.advanced(by: .milliseconds(2))
    #expect(!loop.runOnce(timeout: .milliseconds(2)))
    #expect(loop.now >= limit)
  }

  /// The thread that waits is not told that something is cancelled, and wakes at its time.
  @Test func waitsOnForTheNextIfWhatItWaitedForIsCancelled() throws {
    let queue = try SerialQueue()
    let start = loop.now
    let cancelled = loop.schedule(at: start.advanced(by: .milliseconds(20))) {}
    var count = 0
    _ = loop.schedule(at: start.advanced(by: .milliseconds(30))) { count += 1 }
    _ = queue.schedule(at: start.advanced(by: .milliseconds(5))) { [loop] in loop.cancel(cancelled) }
    #expect(loop.runOnce(timeout: .seconds(60)))
    #expect(count == 1)
  }

  @Test func runsUntilATime() {
    var count = 0
    let end = loop.now.advanced(by: .milliseconds(10))
    _ = loop.schedule(at: end) { count += 1 }
    _ = loop.schedule(at: end.advanced(by: .seconds(1000))) { count += 1 }
    #expect(!loop.run(until: end))
    #expect(count == 1 && loop.now >= end)
  }

  @Test func repeatsAndLeavesOutWhatHasPassed() {
    var count = 0
    var token: (any Cancellable)?
    token = loop.schedule(after: loop.now, interval: .microseconds(10)) { [loop] in
      count += 1
      if count == 1 { _ = EventLoopTests.spin(until: loop.now.advanced(by: .milliseconds(2)), loop) }
      if count == 3 {
        token?.cancel()
        loop.stop()
      }
    }
    loop.run()
    #expect(count == 3 && loop.pendingCount == 0)
  }

  private static func spin(until time: MonotonicTime, _ loop: EventLoop) -> Bool {
    while loop.now < time {}
    return true
  }

  @Test func doesNotRunWhatIsCancelledJustBefore() {
    var log: [Int] = []
    let second = Locked<ScheduledAction?>(nil)
    _ = loop.schedule(at: .zero) { [loop] in
      log.append(1)
      if let second = second.withLock({ $0 }) { loop.cancel(second) }
    }
    second.withLock { $0 = loop.schedule(at: .zero) { log.append(2) } }
    loop.runOnce()
    #expect(log == [1] && loop.pendingCount == 0)
  }

  @Test(arguments: [0, 1]) func whatIsScheduledMeanwhileRunsTheNextTime(_ delay: Int) {
    var log: [Int] = []
    func again() {
      log.append(log.count)
      _ = loop.schedule(at: .zero.advanced(by: .nanoseconds(delay)), again)
    }
    _ = loop.schedule(at: .zero) { log.append(-1) }
    _ = loop.schedule(at: .zero, again)
    loop.runOnce()
    #expect(log == [-1, 1])
    _ = loop.schedule(at: .zero) { log.append(-2) }
    loop.runOnce()
    #expect(log == [-1, 1, 2, -2])
    loop.stop()
    loop.run()
    #expect(log.count == 5)
    loop.close()
  }

  @Test func closingEndsARun() {
    _ = loop.schedule(at: loop.now.advanced(by: .milliseconds(1))) { [loop] in loop.close() }
    loop.run()
    loop.run()
    #expect(!loop.runOnce(timeout: .seconds(60)))
    let other = startThread { [loop] in loop.close() }
    loop.run()
    pthread_join(other, nil)
  }

  @Test func runOnceTakesAStop() {
    loop.stop()
    #expect(!loop.runOnce())
    let end = loop.now.advanced(by: .milliseconds(1))
    #expect(!loop.run(until: end))
    loop.schedule { [loop] in loop.stop() }
    #expect(loop.runOnce())
    #expect(!loop.run(until: end))
  }

  // MARK: Stop

  @Test func stopsTheRunThatIsUnderWayOrTheNext() {
    loop.stop()
    loop.run()
    var log: [String] = []
    loop.schedule { [loop] in
      loop.schedule { log.append("not before it is run again") }
      loop.stop()
    }
    loop.schedule { log.append("what is due just now") }
    loop.run()
    #expect(log == ["what is due just now"])
    loop.runOnce()
    #expect(log.count == 2)
  }

  @Test func aNestedRunEndsByItself() {
    var log: [Int] = []
    loop.schedule { [loop] in
      loop.schedule {
        log.append(2)
        loop.stop()
      }
      log.append(1)
      loop.run()
      log.append(3)
    }
    loop.schedule { log.append(0) }
    #expect(!loop.run(until: loop.now))
    // The inner run goes on with what was ready for the outer.
    #expect(log == [1, 0, 2, 3])
  }

  @Test func anotherThreadStopsARunThatWaits() {
    let thread = startThread { [loop] in
      loop.schedule { [loop] in pthread_detach(startThread { loop.stop() }) }
    }
    loop.run()
    pthread_join(thread, nil)
  }

  // MARK: The descriptor

  @Test func theDescriptorCanBeReadFromWhileSomethingIsDue() {
    #expect(!isReadable)
    loop.schedule {}
    #expect(isReadable)
    loop.runOnce()
    #expect(!isReadable)
    let scheduled = loop.schedule(at: loop.now.advanced(by: .seconds(1000))) {}
    #expect(!isReadable)
    let soon = loop.schedule(at: loop.now) {}
    #expect(isReadable)
    loop.cancel(soon)
    loop.runOnce()
    #expect(!isReadable)
    loop.cancel(scheduled)
    loop.schedule { [loop] in loop.schedule {} }
    loop.runOnce()
    #expect(isReadable)
    loop.runOnce()
    #expect(!isReadable)
  }

  @Test func theDescriptorWakesAtTheTime() {
    _ = loop.schedule(at: loop.now.advanced(by: .milliseconds(3))) {}
    var watched = pollfd(fd: loop.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&watched, 1, 60_000) == 1)
    #expect(loop.runOnce())
  }

  // MARK: Threads

  @Test func takesActionsFromManyThreads() {
    let count = Locked(0)
    let senders = (0..<4).map { _ in
      startThread { [loop] in
        for _ in 0..<5000 { loop.schedule { count.withLock { $0 += 1 } } }
        for _ in 0..<1000 {
          let scheduled = loop.schedule(at: loop.now) { count.withLock { $0 += 1 } }
          _ = scheduled
          loop.cancel(loop.schedule(at: .zero.advanced(by: .seconds(.max))) { count.withLock { $0 += 1000 } })
        }
      }
    }
    while count.withLock({ $0 }) < 24_000 { loop.runOnce(timeout: .seconds(60)) }
    for sender in senders { pthread_join(sender, nil) }
    #expect(!loop.runOnce())
    #expect(count.withLock { $0 } == 24_000 && loop.pendingCount == 0)
  }

  @Test func isRunByOneThreadAtATime() {
    #expect(loop.enter() && loop.enter())
    var others: [Bool] = []
    pthread_join(startThread { [loop] in others.append(loop.enter()) }, nil)
    loop.leave()
    pthread_join(startThread { [loop] in others.append(loop.enter()) }, nil)
    loop.leave()
    pthread_join(
      startThread { [loop] in
        others.append(loop.enter())
        loop.leave()
      }, nil)
    #expect(others == [false, false, true])
  }

  // MARK: Lifetimes

  @Test func forgetsWhatIsScheduledWhenItGoes() throws {
    let lifetimes = LifetimeTracker()
    var loop: EventLoop? = try EventLoop()
    let descriptor = loop.map(\.descriptor) ?? -1
    loop?.schedule { [token = lifetimes.token()] in token.keep() }
    _ = loop?.schedule(at: .zero) { [token = lifetimes.token()] in token.keep() }
    #expect(lifetimes.liveCount == 2)
    loop = nil
    #expect(lifetimes.liveCount == 0)
    #expect(fcntl(descriptor, F_GETFD) == -1)
  }

  @Test func takesNothingOnceItIsClosed() {
    let lifetimes = LifetimeTracker()
    loop.schedule { [token = lifetimes.token { loop.schedule {} }] in token.keep() }
    loop.close()
    #expect(lifetimes.liveCount == 0)
    loop.schedule { [token = lifetimes.token()] in token.keep() }
    loop.cancel(loop.schedule(at: .zero) { [token = lifetimes.token()] in token.keep() })
    #expect(lifetimes.liveCount == 0 && loop.pendingCount == 0 && !isReadable)
  }

  @Test func aThousandLoopsLeaveNoDescriptor() throws {
    let before = try EventLoop().descriptor
    for _ in 0..<1000 {
      let loop = try EventLoop()
      loop.schedule {}
    }
    #expect(try EventLoop().descriptor <= before + 8)
  }
}
