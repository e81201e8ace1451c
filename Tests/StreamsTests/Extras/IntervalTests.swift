import StreamsExtras
import StreamsSchedulers
import StreamsTesting
import Testing

@testable import Streams

@Suite struct IntervalTests {
  let clock = VirtualTimeScheduler()

  private func interval(first: Int? = nil, count: Int? = nil) -> Publishers.Interval<VirtualTimeScheduler> {
    Publishers.Interval(
      every: .nanoseconds(10), first: first.map { .nanoseconds($0) }, count: count, scheduler: clock)
  }

  @Test func countsForEachSubscriber() {
    var log: [String] = []
    let cancellables = (0..<2).map { name in
      clock.advance(by: .nanoseconds(4))
      return interval().sink { [clock] in log.append("\(name): \($0) at \(clock.now.nanoseconds)") }
    }
    clock.advance(by: .nanoseconds(20))
    #expect(log == ["0: 0 at 14", "1: 0 at 18", "0: 1 at 24", "1: 1 at 28"])
    for cancellable in cancellables { cancellable.cancel() }
    #expect(clock.pendingCount == 0)
  }

  @Test func aNumberWithoutDemandIsLost() {
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
    interval(first: 0).subscribe(recorder)
    clock.advance(by: .nanoseconds(25))
    #expect(recorder.values == [0])
    recorder.request(.max(2))
    clock.advance(by: .nanoseconds(30))
    #expect(recorder.values == [0, 3, 4])
    recorder.cancel()
    #expect(clock.pendingCount == 0)
  }

  @Test(arguments: [0, 1, 3]) func finishesAfterItsCount(_ count: Int) {
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
    interval(count: count).subscribe(recorder)
    clock.run()
    #expect(recorder.values == Array((0..<count).prefix(2)))
    #expect(recorder.events.last == .completion(.finished))
    #expect(clock.now.nanoseconds == count * 10)
  }

  @Test func cancelledInTheHandshakeItNeverBegins() {
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onSubscription = { $0.cancel() }
    interval().subscribe(recorder)
    #expect(clock.pendingCount == 0 && recorder.events.count == 1)
  }

  @Test func cancelledByAValueItStops() {
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onValue = { value in
      if value == 1 { recorder.cancel() }
      return .none
    }
    interval(count: 5).subscribe(recorder)
    clock.run()
    #expect(recorder.values == [0, 1] && recorder.events.count == 3)
  }
}
