import Foundation
import Streams
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
