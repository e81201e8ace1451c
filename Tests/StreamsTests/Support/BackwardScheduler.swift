import Streams
import StreamsSchedulers

/// Keeps actions and runs the latest first, as a queue that runs several at the same time may happen to do. Time does
/// not pass: repeated actions are not run.
final class BackwardScheduler: Scheduler {
  typealias SchedulerOptions = Never

  private var actions: [() -> Void] = []

  let now = VirtualTime.zero
  let minimumTolerance = VirtualTime.Stride.nanoseconds(0)

  func run() {
    while let action = actions.popLast() { action() }
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) { actions.append(action) }

  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    actions.append(action)
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    AnyCancellable {}
  }
}
