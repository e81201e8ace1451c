import Streams
import StreamsTesting
import Testing

@Suite struct TestSchedulerTests {
  @Test func writesDownItsUses() {
    let scheduler = TestScheduler()
    var count = 0
    let start = scheduler.now
    scheduler.schedule(options: "fast") { count += 1 }
    scheduler.schedule(after: start, tolerance: 2, options: nil) { count += 1 }
    let token = scheduler.schedule(after: start, interval: 1) { count += 1 }
    scheduler.advance(by: 1)
    token.cancel()
    scheduler.run()
    #expect(count == 4)
    #expect(scheduler.time == VirtualTime.zero.advanced(by: 1))
    #expect(
      scheduler.calls == [
        .now, .schedule(options: "fast"), .scheduleAfter(.zero, tolerance: 2, options: nil),
        .minimumTolerance,
        .scheduleRepeating(.zero, interval: 1, tolerance: 0, options: nil), .cancel,
      ])
    scheduler.forgetCalls()
    #expect(scheduler.calls.isEmpty)
  }

  @Test func letsTimePass() {
    let scheduler = TestScheduler(now: VirtualTime(nanoseconds: 5))
    var log: [Int] = []
    for step in 1...4 {
      scheduler.schedule(after: scheduler.time.advanced(by: .nanoseconds(step))) { log.append(step) }
    }
    scheduler.advance(by: .nanoseconds(1))
    #expect(log == [1])
    scheduler.advance(to: VirtualTime(nanoseconds: 7))
    #expect(log == [1, 2])
    #expect(scheduler.runNext())
    #expect(log == [1, 2, 3])
    scheduler.run()
    #expect(log == [1, 2, 3, 4])
    #expect(scheduler.pendingCount == 0)
    #expect(!scheduler.runNext())
    #expect(scheduler.time == VirtualTime(nanoseconds: 9))
  }

  @Test func lookingAtItsTimeIsNoUse() {
    let scheduler = TestScheduler()
    _ = scheduler.time
    #expect(scheduler.calls == [])
    _ = scheduler.now
    #expect(scheduler.calls == [.now])
  }
}
