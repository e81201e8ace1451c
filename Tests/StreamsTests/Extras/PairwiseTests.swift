import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct PairwiseTests {
  private func rig(demand: Subscribers.Demand) -> OperatorRig<Int, TestFailure, [Int], TestFailure> {
    OperatorRig(demand: demand) { upstream in upstream.pairwise().map { [$0, $1] } }
  }

  @Test func eachValueComesWithTheOneBefore() {
    let rig = rig(demand: .max(2))
    #expect(rig.upstream.send(1) == .max(1))
    #expect(rig.upstream.send(batch: [2, 3]) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [[1, 2], [2, 3]] && rig.recorder.completions == [.finished])
    #expect(rig.requests == [.max(2)])
  }

  @Test func aFailurePassesThroughAndACancellation() {
    let failing = rig(demand: .unlimited)
    failing.upstream.send(1)
    failing.upstream.send(completion: .failure(TestFailure()))
    #expect(failing.recorder.values.isEmpty && failing.recorder.completions == [.failure(TestFailure())])
    let cancelled = rig(demand: .unlimited)
    cancelled.recorder.cancel()
    #expect(cancelled.cancelCount == 1)
  }

  @Test func eachSubscriberHasItsOwn() {
    let subject = PassthroughSubject<Int?, Never>()
    let pairs = subject.pairwise().map { [$0, $1] }
    let early = RecordingSubscriber<[Int?], Never>()
    pairs.subscribe(early)
    subject.send(nil)
    let late = RecordingSubscriber<[Int?], Never>()
    pairs.subscribe(late)
    subject.send(2)
    subject.send(nil)
    #expect(early.values == [[nil, 2], [2, nil]] && late.values == [[2, nil]])
  }
}
