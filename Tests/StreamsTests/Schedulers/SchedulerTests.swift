import Streams
import StreamsTesting
import Testing

/// What a scheduler does when it is told less than it can be told.
@Suite struct SchedulerTests {
  private let scheduler = TestScheduler()
  private let time = VirtualTime.zero.advanced(by: 3)

  @Test func withoutOptions() {
    scheduler.schedule {}
    #expect(scheduler.calls == [.schedule(options: nil)])
  }

  @Test func laterWithTheSmallestTolerance() {
    scheduler.schedule(after: time) {}
    #expect(scheduler.calls == [.minimumTolerance, .scheduleAfter(time, tolerance: 0, options: nil)])
  }

  @Test func laterWithATolerance() {
    scheduler.schedule(after: time, tolerance: 2) {}
    #expect(scheduler.calls == [.scheduleAfter(time, tolerance: 2, options: nil)])
  }

  @Test func repeatedlyWithTheSmallestTolerance() {
    _ = scheduler.schedule(after: time, interval: 1) {}
    #expect(
      scheduler.calls == [
        .minimumTolerance, .scheduleRepeating(time, interval: 1, tolerance: 0, options: nil), .cancel,
      ])
  }

  @Test func repeatedlyWithATolerance() {
    let token = scheduler.schedule(after: time, interval: 1, tolerance: 2) {}
    withExtendedLifetime(token) {
      #expect(scheduler.calls == [.scheduleRepeating(time, interval: 1, tolerance: 2, options: nil)])
    }
  }
}
