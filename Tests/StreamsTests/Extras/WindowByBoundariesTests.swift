import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite struct WindowByBoundariesTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private final class Rig {
    let source = Source()
    let boundaries = Source()
    let outer: RecordingSubscriber<WindowPublisher<Int, TestFailure>, TestFailure>
    var windows: [Recorder] = []

    init(demand: Subscribers.Demand = .unlimited) {
      outer = RecordingSubscriber(initialDemand: demand)
      outer.onValue = { [unowned self] window in
        let recorder = Recorder()
        windows.append(recorder)
        window.subscribe(recorder)
        return .none
      }
      source.window(boundaries: boundaries).subscribe(outer)
    }

    var values: [[Int]] { windows.map(\.values) }
    var isCancelled: [Bool] { [source.ledger.isCancelled, boundaries.ledger.isCancelled] }
  }

  @Test func eachBoundaryBeginsAWindow() {
    let rig = Rig()
    rig.source.send(batch: [1, 2])
    rig.boundaries.send(0)
    rig.source.send(3)
    rig.boundaries.send(batch: [0, 0])
    #expect(rig.values == [[1, 2], [3], [], []])
    #expect(rig.windows.map { $0.completions.count } == [1, 1, 1, 0])
    #expect(rig.boundaries.ledger.requests == [.unlimited])
  }

  @Test func aBoundaryCountsOnlyIfAWindowIsAskedFor() {
    let rig = Rig(demand: .max(1))
    rig.boundaries.send(0)
    rig.source.send(1)
    rig.boundaries.send(0)
    rig.source.send(2)
    rig.outer.request(.max(1))
    #expect(rig.values == [[], [1, 2]])
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())], [false, true])
  func theFirstEndIsTheEnd(_ completion: Subscribers.Completion<TestFailure>, isOfBoundaries: Bool) {
    let rig = Rig()
    rig.source.send(1)
    (isOfBoundaries ? rig.boundaries : rig.source).send(completion: completion)
    rig.source.send(2)
    rig.boundaries.send(0)
    #expect(rig.values == [[1]] && rig.windows[0].completions == [completion])
    #expect(rig.outer.completions == [completion])
    #expect(rig.isCancelled == [isOfBoundaries, !isOfBoundaries])
  }

  @Test func bothAreCancelledWithTheLastWindow() {
    let rig = Rig()
    rig.outer.cancel()
    #expect(rig.isCancelled == [false, false])
    rig.windows[0].cancel()
    #expect(rig.isCancelled == [true, true])
  }

  @Test func threadsThatSendAndDivide() {
    let (source, boundaries) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let recorder = RecordingSubscriber<Int, Never>()
    source.window(boundaries: boundaries, prefetch: .unlimited).flatMap { $0 }.subscribe(recorder)
    race(rounds: 1000, { source.send(1) }, { source.send(2) }, { boundaries.send(0) }, { boundaries.send(0) })
    #expect(recorder.values.count == 2000 && recorder.overlapCount == 0)
  }
}
