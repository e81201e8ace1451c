import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct SumTests {
  @Test func addsAllValues() {
    let rig = OperatorRig<Double, TestFailure, Double, TestFailure>(demand: .max(1)) { $0.sum() }
    #expect(rig.requests == [.unlimited])
    rig.upstream.send(1.5)
    rig.upstream.send(batch: [2, 3])
    #expect(rig.recorder.values.isEmpty)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [6.5] && rig.recorder.completions == [.finished])
  }

  @Test func theSumOfNothingIsZero() {
    let recorder = RecordingSubscriber<Int, Never>()
    Empty<Int, Never>().sum().subscribe(recorder)
    #expect(recorder.values == [0] && recorder.completions == [.finished])
  }

  @Test func aFailurePassesThroughAndACancellation() {
    for cancels in [true, false] {
      let rig = OperatorRig<Int, TestFailure, Int, TestFailure> { $0.sum() }
      rig.upstream.send(1)
      if cancels { rig.recorder.cancel() } else { rig.upstream.send(completion: .failure(TestFailure())) }
      rig.upstream.send(completion: .finished)
      #expect(rig.recorder.values.isEmpty && rig.cancelCount == (cancels ? 1 : 0))
      #expect(rig.recorder.completions == (cancels ? [] : [.failure(TestFailure())]))
    }
  }
}
