import StreamsTesting

@testable import Streams

/// Virtual time on which `receive(on:)` needs no action for each signal.
struct HandingOver: ClockedScheduler, OwnScheduler {
  let clock: VirtualTimeScheduler
  let handover: Handover

  var nanoseconds: Int { clock.now.nanoseconds }
  func nanoseconds(in stride: Any) -> Int? { (stride as? VirtualTime.Stride)?.magnitude }
  func schedule(atNanoseconds time: Int, _ action: @escaping () -> Void) -> UInt64 {
    clock.schedule(at: VirtualTime(nanoseconds: time), action).number
  }
  func cancel(number: UInt64) { clock.cancel(ScheduledAction(number: number)) }
}
