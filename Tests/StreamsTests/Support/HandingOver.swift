import StreamsTesting

@testable import Streams

/// Virtual time on which `receive(on:)` needs no action for each signal.
struct HandingOver: Scheduler, OwnScheduler {
  let clock: VirtualTimeScheduler
  let handover: Handover

  var now: VirtualTime { clock.now }
  var minimumTolerance: VirtualTime.Stride { clock.minimumTolerance }

  var nanoseconds: Int { clock.now.nanoseconds }
  func nanoseconds(in stride: Any) -> Int? { (stride as? VirtualTime.Stride)?.magnitude }
  func schedule(atNanoseconds time: Int, _ action: @escaping () -> Void) -> UInt64 {
    clock.schedule(at: VirtualTime(nanoseconds: time), action).number
  }
  func cancel(number: UInt64) { clock.cancel(ScheduledAction(number: number)) }

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
