import Foundation
import Streams
import StreamsTesting
import Testing

@Suite struct ImmediateSchedulerTests {
  typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride

  @Test func runsEverythingAtOnce() {
    let scheduler = ImmediateScheduler.shared
    var count = 0
    scheduler.schedule { count += 1 }
    scheduler.schedule(after: scheduler.now) { count += 1 }
    let token = scheduler.schedule(after: scheduler.now.advanced(by: 5), interval: 10) { count += 1 }
    #expect(count == 3)
    #expect(String(describing: token) == "Empty")
  }

  @Test func itsTimeStandsStill() {
    let now = ImmediateScheduler.shared.now
    #expect(now == now.advanced(by: 100))
    #expect(now.distance(to: now.advanced(by: -1)) == 0)
    #expect(ImmediateScheduler.shared.minimumTolerance == 0)
    #expect(Stride.seconds(1.5) == 0 && .seconds(3) == Stride.nanoseconds(7))
    #expect(Stride.milliseconds(3) == Stride.microseconds(7))
  }

  @Test func itsStridesAreNumbers() throws {
    #expect(Stride(-4) * Stride(5) + Stride(30) - Stride(3) == Stride(7))
    #expect(Stride(floatLiteral: 14.6) == 14)
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride(-10) < Stride(2))
    let text = String(decoding: try JSONEncoder().encode(Stride(-42)), as: UTF8.self)
    #expect(text == #"{"magnitude":-42}"#)
    #expect(try JSONDecoder().decode(Stride.self, from: Data(text.utf8)) == -42)
  }
}

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

  @Test func countsItsTimeInNanoseconds() throws {
    let stride: VirtualTime.Stride = 1.5
    #expect(stride == .milliseconds(1500) && stride == .microseconds(1_500_000))
    #expect(VirtualTime.zero.advanced(by: stride).distance(to: .zero) == .nanoseconds(-1_500_000_000))
    #expect(-stride + .seconds(2) == .seconds(0.5))
    let time = VirtualTime(nanoseconds: 7)
    #expect(try JSONDecoder().decode(VirtualTime.self, from: JSONEncoder().encode(time)) == time)
  }
}

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
}
