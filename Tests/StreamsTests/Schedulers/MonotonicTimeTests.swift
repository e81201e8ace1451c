import Foundation
import Streams
import StreamsSchedulers
import Testing

@Suite struct MonotonicTimeTests {
  @Test func countsItsTimeInNanoseconds() throws {
    let stride: VirtualTime.Stride = 1.5
    #expect(stride == .milliseconds(1500) && stride == .microseconds(1_500_000))
    #expect(VirtualTime.zero.advanced(by: stride).distance(to: .zero) == .nanoseconds(-1_500_000_000))
    #expect(-stride + .seconds(2) == .seconds(0.5))
    let time = VirtualTime(nanoseconds: 7)
    #expect(try JSONDecoder().decode(VirtualTime.self, from: JSONEncoder().encode(time)) == time)
  }

  @Test func lengthsAreNumbers() throws {
    typealias Stride = VirtualTime.Stride
    #expect(Stride.seconds(1) == .milliseconds(1000) && Stride.microseconds(1) == .nanoseconds(1000))
    #expect(Stride.seconds(1.001) == .milliseconds(1001))
    #expect(Stride(exactly: 7 as UInt8) == .nanoseconds(7))
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride.nanoseconds(6) * .nanoseconds(7) - .nanoseconds(2) == .nanoseconds(40))
    #expect(Stride.nanoseconds(-1) < 0 && 1 > Stride.milliseconds(999))
    var length: Stride = 2
    length += 3
    length -= 1
    #expect(length == 4)
    length *= .nanoseconds(2)
    #expect(length == 8)
    #expect(try JSONDecoder().decode(Stride.self, from: JSONEncoder().encode(length)) == length)
  }

  @Test func whatIsTooMuchIsAsMuchAsThereIs() {
    typealias Stride = VirtualTime.Stride
    let (least, most) = (Stride.nanoseconds(.min), Stride.nanoseconds(.max))
    #expect(VirtualTime(nanoseconds: .max).advanced(by: 1).nanoseconds == .max)
    #expect(VirtualTime(nanoseconds: -2).advanced(by: least).nanoseconds == .min)
    #expect(VirtualTime(nanoseconds: .min).distance(to: VirtualTime(nanoseconds: 1)) == most)
    #expect(VirtualTime(nanoseconds: 1).distance(to: VirtualTime(nanoseconds: .min)) == least)
    #expect(most + 1 == most && least + -1 == least && least - 1 == least && most - -1 == most)
    #expect(most * 2 == most && most * -2 == least && least * -1 == most && -least == most)
    #expect(
      Stride.seconds(.max) == most && Stride.milliseconds(.min) == least && Stride.microseconds(.max) == most)
    #expect(Stride.seconds(1e300) == most && Stride.seconds(-.infinity) == least)
    #expect(Stride.seconds(9_223_372_036.854775807) == most)
  }

  @Test func aLengthIsANumber() async {
    await #expect(processExitsWith: .failure) { _ = VirtualTime.Stride.seconds(Double.nan) }
  }

  @Test func describesItselfInSeconds() {
    #expect("\(VirtualTime(nanoseconds: 1_500_000_000))" == "1.5s")
    #expect("\(VirtualTime.Stride.milliseconds(-250))" == "-0.25s")
  }
}
