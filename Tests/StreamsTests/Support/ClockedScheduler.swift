import Streams
import StreamsTesting

/// A scheduler whose time another one keeps. What it does not do in its own way, that one does.
protocol ClockedScheduler: Scheduler where SchedulerTimeType == VirtualTime, SchedulerOptions == Never {
  var clock: VirtualTimeScheduler { get }
}

extension ClockedScheduler {
  var now: VirtualTime { clock.now }
  var minimumTolerance: VirtualTime.Stride { clock.minimumTolerance }

  func schedule(options: Never?, _ action: @escaping () -> Void) { clock.schedule(action) }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    clock.schedule(after: date, tolerance: tolerance, action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    clock.schedule(after: date, interval: interval, tolerance: tolerance, action)
  }
}
