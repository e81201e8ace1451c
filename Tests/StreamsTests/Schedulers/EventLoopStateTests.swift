import StreamsTesting
import Testing

@testable import StreamsSchedulers

@Suite struct EventLoopStateTests {
  var state = EventLoopState(forks: 0)
  let soon = MonotonicTime(nanoseconds: 10)
  let later = MonotonicTime(nanoseconds: 20)

  // MARK: The descriptor

  @Test mutating func theDescriptorIsToldOfEachNewFirstTime() {
    check(state.takeAlarm() == nil)
    let scheduled = state.insert({}, at: later)
    check(state.takeAlarm() == later)
    check(state.takeAlarm() == nil)
    _ = state.insert({}, at: later)
    check(state.takeAlarm() == nil)
    let first = state.insert({}, at: soon)
    check(state.takeAlarm() == soon)
    check(state.remove(first) != nil && state.takeAlarm() == later)
    check(state.remove(scheduled) != nil && state.takeAlarm() == nil)
    state.append {}
    check(state.takeAlarm() == .zero)
    check(state.nextReady() != nil && state.nextReady() == nil)
    check(state.takeAlarm() == later)
    check(state.nextDue(by: soon) == nil && state.nextDue(by: later)?.time == later)
    check(state.takeAlarm() == .never && state.count == 0)
  }

  @Test mutating func whoRunsTheLoopLooksByItself() {
    check(state.enter(8) && state.enter(8))
    state.append {}
    check(state.takeAlarm() == nil)
    check(!state.beginWaiting())
    _ = state.nextReady()
    check(state.beginWaiting())
    check(state.takeAlarm() == nil)
    state.append {}
    check(state.takeAlarm() == .zero)
    state.endWaiting()
    _ = state.nextReady()
    check(state.takeAlarm() == nil)
    state.leave()
    check(state.takeAlarm() == nil)
    state.leave()
    check(state.takeAlarm() == .never)
  }

  @Test mutating func stoppingWakesWhoeverWaits() {
    check(state.enter(8) && state.beginWaiting())
    state.stop()
    check(state.takeAlarm() == .zero)
    state.endWaiting()
    check(!state.beginWaiting())
    check(state.takeStop() && !state.takeStop())
    check(state.beginWaiting())
    state.endWaiting()
    state.leave()
    // Nobody waits: it is the next run's.
    state.stop()
    check(state.takeAlarm() == .never)
    check(state.takeStop())
  }

  // MARK: Who runs the loop

  @Test mutating func oneThreadRunsTheLoop() {
    check(state.enter(8) && !state.enter(16) && state.enter(8))
    state.leave()
    check(!state.enter(16))
    state.leave()
    check(state.enter(16))
  }

  @Test mutating func whoRanTheLoopIsNotInTheChildOfAFork() {
    check(!state.noteForks(0, 8))
    check(state.enter(8) && state.beginWaiting())
    _ = state.insert({}, at: soon)
    check(state.takeAlarm() == soon)
    check(state.noteForks(1, 16) && !state.noteForks(1, 16))
    check(state.takeAlarm() == soon)
    check(state.enter(16))
    // The thread that forks goes on.
    check(state.noteForks(2, 16))
    check(!state.enter(8) && state.enter(16))
  }

  @Test mutating func takesNothingOnceItIsClosed() {
    state.append {}
    let scheduled = state.insert({}, at: soon)
    let (ready, timers) = state.close()
    check(ready.count == 1 && timers.count == 1)
    state.append {}
    let other = state.insert({}, at: soon)
    check(state.count == 0 && state.remove(other) == nil && state.remove(scheduled) == nil)
  }
}
