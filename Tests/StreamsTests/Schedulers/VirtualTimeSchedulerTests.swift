import Streams
import StreamsTesting
import Testing

@Suite struct VirtualTimeSchedulerTests {
  let scheduler = VirtualTimeScheduler()

  @Test func runsActionsInTheOrderInWhichTheyAreDue() {
    var log: [String] = []
    func note(_ name: String) -> () -> Void { { [scheduler] in log.append("\(name) \(scheduler.now)") } }
    scheduler.schedule(after: scheduler.now.advanced(by: 2), note("c"))
    scheduler.schedule(after: scheduler.now.advanced(by: 1), note("a"))
    scheduler.schedule(after: scheduler.now.advanced(by: 1), note("b"))
    scheduler.schedule(note("now"))
    #expect(log.isEmpty)
    scheduler.advance()
    #expect(log == ["now 0.0s"])
    scheduler.advance(by: .milliseconds(1500))
    #expect(log == ["now 0.0s", "a 1.0s", "b 1.0s"])
    #expect(scheduler.now == VirtualTime(nanoseconds: 1_500_000_000))
    scheduler.run()
    #expect(log.last == "c 2.0s")
    #expect(scheduler.pendingCount == 0)
  }

  @Test func runsWhatActionsScheduleOnTheWay() {
    var log: [VirtualTime] = []
    scheduler.schedule { [scheduler] in
      scheduler.schedule(after: scheduler.now.advanced(by: 1)) {
        log.append(scheduler.now)
        // The past is now.
        scheduler.schedule(after: .zero) { log.append(scheduler.now) }
      }
    }
    scheduler.advance(by: 3)
    #expect(log == [VirtualTime(nanoseconds: 1_000_000_000), VirtualTime(nanoseconds: 1_000_000_000)])
  }

  @Test func repeatsUntilCancelled() {
    var times: [VirtualTime] = []
    var token: (any Cancellable)?
    token = scheduler.schedule(after: scheduler.now.advanced(by: 1), interval: 2) { [scheduler] in
      times.append(scheduler.now)
      if times.count == 3 { token?.cancel() }
    }
    scheduler.advance(by: 100)
    #expect(times.map(\.nanoseconds) == [1_000_000_000, 3_000_000_000, 5_000_000_000])
    #expect(scheduler.pendingCount == 0)
    #expect(!scheduler.runNext())
  }

  @Test func releasesWhatIsCancelled() {
    let lifetimes = LifetimeTracker()
    let token = scheduler.schedule(after: scheduler.now, interval: 1) { [token = lifetimes.token()] in
      token.keep()
    }
    scheduler.advance(by: 1)
    #expect(lifetimes.liveCount == 1)
    token.cancel()
    #expect(lifetimes.liveCount == 0)
    #expect(scheduler.pendingCount == 0)
  }

  @Test func takesActionsFromManyThreads() {
    var count = 0
    race(
      rounds: 500, { [scheduler] in scheduler.schedule { count += 1 } },
      { [scheduler] in scheduler.schedule(after: scheduler.now) { count += 1 } })
    scheduler.run()
    #expect(count == 1000)
  }

  @Test func aTimeInThePastIsNow() {
    scheduler.advance(by: 5)
    scheduler.advance(to: .zero)
    #expect(scheduler.now == .zero.advanced(by: 5))
    #expect(VirtualTimeScheduler(now: scheduler.now).now == scheduler.now)
    #expect(scheduler.minimumTolerance == 0)
  }

  @Test func advancesToATime() {
    var count = 0
    for second in 1...3 { scheduler.schedule(after: .zero.advanced(by: .seconds(second))) { count += 1 } }
    scheduler.advance(to: .zero.advanced(by: 2))
    #expect(count == 2)
    #expect(scheduler.pendingCount == 1)
    #expect(scheduler.runNext())
    #expect(scheduler.now == .zero.advanced(by: 3))
    #expect(!scheduler.runNext())
  }

  /// Letting time pass from within an action runs what is due by then, and does not turn the clock back.
  @Test func advancesFromWithinAnAction() {
    var log: [VirtualTime] = []
    scheduler.schedule(after: .zero.advanced(by: 1)) { [scheduler] in
      scheduler.advance(by: 4)
      log.append(scheduler.now)
    }
    scheduler.schedule(after: .zero.advanced(by: 3)) { [scheduler] in log.append(scheduler.now) }
    scheduler.advance(by: 2)
    #expect(log.map(\.nanoseconds) == [3_000_000_000, 5_000_000_000])
    #expect(scheduler.now == .zero.advanced(by: 5))
  }

  @Test func aRepeatedActionThatAdvancesByMoreThanItsIntervalDoesNotKeepTheClock() {
    var count = 0
    var token: (any Cancellable)?
    token = scheduler.schedule(after: .zero.advanced(by: 1), interval: 1) { [scheduler] in
      scheduler.advance(by: 2)
      count += 1
      if count == 100 { token?.cancel() }
    }
    scheduler.advance(to: .zero.advanced(by: 10))
    #expect(count == 5)
    #expect(scheduler.now == .zero.advanced(by: 11))
    scheduler.advance(by: 0)
    #expect(count == 6)
    token?.cancel()
  }

  @Test func repeatsUntilTheEndOfTime() {
    let end = VirtualTime(nanoseconds: .max)
    let lifetimes = LifetimeTracker()
    var times: [VirtualTime] = []
    let token = scheduler.schedule(after: end.advanced(by: .nanoseconds(-1)), interval: .nanoseconds(7)) {
      [scheduler, token = lifetimes.token()] in
      times.append(scheduler.now)
      token.keep()
    }
    scheduler.advance(by: .seconds(.max))
    #expect(times == [VirtualTime(nanoseconds: .max - 1), end])
    #expect(scheduler.pendingCount == 0 && lifetimes.liveCount == 0)
    withExtendedLifetime(token) {}
  }

  /// The moment counts first, then who was to be first.
  @Test func whatIsInsertedFirstRunsFirst() {
    var log: [Int] = []
    scheduler.schedule(after: .zero.advanced(by: 1)) { log.append(2) }
    scheduler.schedule(after: .zero) { log.append(0) }
    scheduler.scheduleFirst(at: .zero.advanced(by: 1)) { log.append(1) }
    scheduler.scheduleFirst(at: .zero.advanced(by: 2)) { log.append(3) }
    scheduler.run()
    #expect(log == [0, 1, 2, 3])
  }

  @Test(arguments: [0, -1])
  func repeatsAtOnceWithoutAnInterval(_ interval: VirtualTime.Stride) {
    let scheduler = VirtualTimeScheduler()
    var times: [Int] = []
    let token = scheduler.schedule(after: .zero, interval: interval) { [unowned scheduler] in
      times.append(scheduler.now.nanoseconds)
    }
    scheduler.advance(by: .nanoseconds(2))
    #expect(times == [0, 1, 2])
    token.cancel()
  }

  @Test func aClosedOneForgetsAndTakesNothing() {
    let scheduler = VirtualTimeScheduler()
    let lifetimes = LifetimeTracker()
    scheduler.schedule(after: .zero) { [token = lifetimes.token()] in token.keep() }
    scheduler.close()
    #expect(lifetimes.liveCount == 0)
    scheduler.schedule(after: .zero) { [token = lifetimes.token()] in token.keep() }
    #expect(lifetimes.liveCount == 0)
    #expect(scheduler.pendingCount == 0)
  }
}
