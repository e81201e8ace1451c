import Streams
import StreamsTesting
import Testing

/// What makes values of rows, in the operators that take it.
@Suite struct RowsTests {
  typealias Source = TestPublisher<Int, TestFailure>

  /// Makes sums, each of which is looked at first.
  private struct Sum: RowTransform {
    let look: (Int) throws(TestFailure) -> Void

    func callAsFunction(_ count: Int, _ element: (Int) -> Int) throws(TestFailure) -> Int {
      let sum = (0..<count).reduce(0) { $0 + element($1) }
      try look(sum)
      return sum
    }
  }

  private struct Rig {
    let sources = [Source(), Source()]
    let recorder = RecordingSubscriber<Int, TestFailure>()

    init(isZip: Bool, _ look: @escaping (Int) throws(TestFailure) -> Void) {
      if isZip {
        ZipMany(sources, combining: Sum(look: look)).subscribe(recorder)
      } else {
        CombineLatestMany(sources, combining: Sum(look: look)).subscribe(recorder)
      }
    }

    var cancelCounts: [Int] { sources.map(\.ledger.cancelCount) }
  }

  @Test(arguments: [true, false]) func anErrorFailsTheStreamAfterItsPublishersAreCancelled(isZip: Bool) {
    let rig = Rig(isZip: isZip) { sum throws(TestFailure) in if sum == 7 { throw TestFailure() } }
    rig.recorder.onCompletion = { _ in #expect(rig.cancelCounts == [1, 1]) }
    rig.sources[0].send(1)
    rig.sources[1].send(2)
    rig.sources[0].send(4)
    rig.sources[1].send(3)
    rig.sources[0].send(1)
    rig.sources[1].send(1)
    #expect(rig.recorder.values == (isZip ? [3] : [3, 6]))
    #expect(rig.recorder.completions == [.failure(TestFailure())])
  }

  @Test(arguments: [true, false]) func whatIsMadeWhileTheStreamIsCancelledIsNotSent(isZip: Bool) {
    var cancel = {}
    let rig = Rig(isZip: isZip) { _ in cancel() }
    cancel = { rig.recorder.cancel() }
    rig.sources[0].send(1)
    rig.sources[1].send(2)
    #expect(rig.recorder.values == [] && rig.recorder.completions == [])
    #expect(rig.cancelCounts == [1, 1])
  }

  @Test(arguments: [true, false]) func anErrorAfterTheEndIsForgotten(isZip: Bool) {
    var cancel = {}
    let rig = Rig(isZip: isZip) { _ throws(TestFailure) in
      cancel()
      throw TestFailure()
    }
    cancel = { rig.recorder.cancel() }
    rig.sources[0].send(1)
    rig.sources[1].send(2)
    #expect(rig.recorder.completions == [] && rig.cancelCounts == [1, 1])
  }

  @Test func anArrayTakesTheValuesOver() {
    final class Object {}
    weak let kept: Object?
    do {
      let (one, two) = (Object(), Object())
      kept = one
      var rows: [[Object]] = []
      let cancellable = ZipMany(Just(one), Just(two)).sink { rows.append($0) }
      #expect(rows.count == 1 && rows[0][0] === one && rows[0][1] === two)
      cancellable.cancel()
    }
    #expect(kept == nil)
  }
}
