import Streams
import StreamsSchedulers

/// A scheduler of five members, written as a user would.
final class Frames: MonotonicScheduler, @unchecked Sendable {
  var now: MonotonicTime
  private var count: UInt64 = 0
  private var actions: [(time: MonotonicTime, scheduled: ScheduledAction, action: () -> Void)] = []

  init(now: MonotonicTime = .zero) { self.now = now }

  func schedule(options: Never?, _ action: @escaping () -> Void) { _ = schedule(at: now, action) }

  func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    count += 1
    let scheduled = ScheduledAction(number: count)
    actions.append((time, scheduled, action))
    actions.sort { ($0.time, $0.scheduled.number) < ($1.time, $1.scheduled.number) }
    return scheduled
  }

  func cancel(_ scheduled: ScheduledAction) { actions.removeAll { $0.scheduled == scheduled } }

  func advance(by time: MonotonicTime.Stride) { advance(to: now.advanced(by: time)) }

  func advance(to end: MonotonicTime) {
    while let next = actions.first, next.time <= end {
      actions.removeFirst()
      now = max(now, next.time)
      next.action()
    }
    now = end
  }

  var isIdle: Bool { actions.isEmpty }
}
