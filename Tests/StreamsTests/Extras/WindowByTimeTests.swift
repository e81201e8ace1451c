import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite struct WindowByTimeTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private final class Rig {
    let scheduler = TestScheduler()
    let source = Source()
    let outer: RecordingSubscriber<WindowPublisher<Int, TestFailure>, TestFailure>
    var windows: [Recorder] = []

    init(count: Int? = nil, demand: Subscribers.Demand = .unlimited) {
      outer = RecordingSubscriber(initialDemand: demand)
      outer.onValue = { [unowned self] window in
        let recorder = Recorder()
        windows.append(recorder)
        window.subscribe(recorder)
        return .none
      }
      let strategy: Publishers.TimeGroupingStrategy =
        count.map { .byTimeOrCount(scheduler, .seconds(1), $0) } ?? .byTime(scheduler, .seconds(1))
      source.window(strategy).subscribe(outer)
    }

    var values: [[Int]] { windows.map(\.values) }
    var finished: [Bool] { windows.map { $0.completions == [.finished] } }
    func pass(_ seconds: Int) { scheduler.advance(by: .seconds(seconds)) }
  }

  @Test func anIntervalIsAWindow() {
    let rig = Rig()
    #expect(rig.values == [[]])
    rig.source.send(batch: [1, 2])
    rig.pass(1)
    rig.source.send(3)
    rig.pass(2)
    #expect(rig.values == [[1, 2], [3], [], []] && rig.finished == [true, true, true, false])
    rig.source.send(completion: .finished)
    rig.pass(2)
    #expect(rig.finished == [true, true, true, true] && rig.outer.completions == [.finished])
  }

  @Test func soManyValuesAreAWindowToo() {
    let rig = Rig(count: 2)
    rig.source.send(batch: [1, 2, 3])
    rig.source.send(4)
    rig.source.send(5)
    rig.pass(1)
    rig.source.send(6)
    #expect(rig.values == [[1, 2], [3, 4], [5], [6]])
  }

  @Test func aWindowThatNobodyHasAskedForGoesOn() {
    for count in [nil, 1] {
      let rig = Rig(count: count, demand: .max(1))
      rig.source.send(1)
      rig.pass(1)
      rig.source.send(2)
      rig.pass(3)
      rig.source.send(3)
      #expect(rig.values == [[1]] && rig.finished == [true])
      rig.outer.request(.max(1))
      #expect(rig.values == [[1], [2, 3]] && rig.finished == [true, false])
      rig.pass(1)
      rig.source.send(4)
      #expect(rig.values == [[1], [2, 3]])
      rig.outer.request(.max(1))
      #expect(rig.values == [[1], [2, 3], [4]])
    }
  }

  @Test func aFailureEndsEverything() {
    let rig = Rig()
    rig.source.send(completion: .failure(TestFailure()))
    rig.pass(2)
    #expect(rig.windows.map(\.completions) == [[.failure(TestFailure())]])
    #expect(rig.outer.completions == [.failure(TestFailure())])
  }

  @Test func theOpenWindowGoesOnUntilItsEndAfterTheCancellation() {
    let rig = Rig()
    rig.outer.cancel()
    rig.source.send(1)
    #expect(!rig.source.ledger.isCancelled)
    rig.pass(1)
    #expect(rig.values == [[1]] && rig.finished == [true])
    #expect(rig.source.ledger.isCancelled)
  }
}
