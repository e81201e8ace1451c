import StreamsTesting
import Testing

@testable import StreamsSchedulers

@Suite struct QueuePoolStateTests {
  var state = QueuePoolState()
  let first = QueueWork()
  let second = QueueWork()
  let soon = MonotonicTime(nanoseconds: 10)
  let later = MonotonicTime(nanoseconds: 20)

  /// What a thread does next, as text.
  private mutating func next(at time: MonotonicTime = .zero) -> String {
    let (task, wakes) = state.next(at: time)
    let text =
      switch task {
      case .run(let queue, let steps): "\(queue === first ? "first" : "second") \(steps)"
      case .keepTime(let time): time == .never ? "keep time" : "keep time until \(time.nanoseconds)"
      case .wait: "wait"
      case .end: "end"
      }
    return wakes.map { "\(text), wakes \($0)" } ?? text
  }

  @Test mutating func oneThreadKeepsTheTimeAndTheOthersWait() {
    check(next() == "keep time")
    check(next() == "wait")
    check(state.append({}, to: first) == .follower)
    state.stopWaiting()
    check(next() == "first 1")
    check(state.append({}, to: second) == .timekeeper)
    state.stopKeepingTime()
    check(next() == "second 1")
    // Nobody sleeps: who comes back looks.
    check(state.append({}, to: first) == nil)
  }

  @Test mutating func aQueueHasOneThreadAtATime() {
    check(state.append({}, to: first) == nil)
    check(state.append({}, to: first) == nil)
    check(next() == "first 2")
    check(state.append({}, to: first) == nil)
    check(next() == "keep time")
    check(state.nextAction(of: first) != nil && state.nextAction(of: first) != nil)
    state.giveBack(first)
    check(next() == "first 1")
    check(state.nextAction(of: first) != nil && state.nextAction(of: first) == nil)
    state.giveBack(first)
    check(next() == "wait")
  }

  @Test mutating func theTimekeeperIsToldOfAnEarlierTime() {
    check(next() == "keep time")
    check(state.insert({}, at: later, to: first).1 == .timekeeper)
    check(state.insert({}, at: later, to: first).1 == nil)
    check(state.insert({}, at: soon, to: second).1 == .timekeeper)
    state.stopKeepingTime()
    check(next() == "keep time until 10")
    state.stopKeepingTime()
    check(next(at: soon) == "second 1")
    // With the time to keep there is another thread needed.
    check(next(at: soon) == "keep time until 20")
  }

  @Test mutating func whoLeavesTheTimeToKeepWakesAnother() {
    check(next() == "keep time" && next() == "wait" && next() == "wait")
    _ = state.insert({}, at: soon, to: first)
    _ = state.insert({}, at: later, to: second)
    state.stopKeepingTime()
    check(next(at: soon) == "first 1, wakes follower")
    state.stopWaiting()
    check(next(at: soon) == "keep time until 20")
    _ = state.append({}, to: second)
    state.stopWaiting()
    check(next(at: soon) == "second 1")
  }

  /// Each is wanted, though the first one that was woken for them takes only one.
  @Test mutating func whatIsMissedWakesTheTimekeeperToo() {
    check(next() == "keep time" && next() == "wait")
    check(state.append({}, to: first) == .follower)
    check(state.append({}, to: second) == .follower)
    state.stopWaiting()
    check(next() == "first 1, wakes timekeeper")
    state.stopKeepingTime()
    check(next() == "second 1")
  }

  @Test mutating func whatIsDueCanBeCancelledStill() {
    let scheduled = state.insert({}, at: soon, to: first).0
    _ = state.insert({}, at: soon, to: first)
    check(next(at: soon) == "first 2" && state.timerCount == 2)
    check(state.remove(scheduled)?.queue === first && state.remove(scheduled) == nil)
    check(state.nextAction(of: first) == nil && state.nextAction(of: first) != nil)
    state.giveBack(first)
    check(next(at: later) == "keep time" && state.timerCount == 0)
  }

  @Test mutating func forgetsWhatAQueueHasToDo() {
    check(state.append({}, to: first) == nil)
    _ = state.insert({}, at: soon, to: first)
    _ = state.insert({}, at: later, to: second)
    let (timed, steps) = state.close(first, keepsReady: false)
    check(timed.count == 1 && steps.count == 1 && state.timerCount == 1)
    check(state.append({}, to: first) == nil && state.insert({}, at: soon, to: first).1 == nil)
    check(next() == "first 0")
    state.giveBack(first)
    check(state.append({}, to: second) == nil)
    check(state.close(second, keepsReady: true).0.count == 1)
    check(next() == "second 1")
  }

  /// It finds its timers without looking at others', and keeps no account of those that are gone.
  @Test mutating func knowsWhatAQueueWaitsFor() {
    _ = state.insert({}, at: soon, to: second)
    var kept: [ScheduledAction] = []
    for number in 0..<10_000 {
      let scheduled = state.insert({}, at: later, to: first).0
      if number % 1000 == 0 { kept.append(scheduled) } else { check(state.remove(scheduled) != nil) }
      check(first.notedCount <= 2 * kept.count + 18)
    }
    check(state.remove(kept.removeFirst()) != nil)
    check(state.close(first, keepsReady: true).0.count == 9 && first.notedCount == 0)
    check(state.timerCount == 1 && kept.allSatisfy { state.remove($0) == nil })
  }

  @Test mutating func threadsEndWhenAllIsDone() {
    check(next() == "keep time" && next() == "wait")
    check(state.append({}, to: first) == .follower)
    check(state.close() == .follower)
    state.stopWaiting()
    check(next() == "first 1")
    _ = state.nextAction(of: first)
    state.giveBack(first)
    check(next() == "end, wakes timekeeper")
    state.stopKeepingTime()
    check(next() == "end")
  }
}
