import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct RemoveAllDuplicatesTests {
  @Test func dropsWhatWasThereBefore() {
    let rig = OperatorRig<Int, TestFailure, Int, TestFailure>(demand: .max(2)) { $0.removeAllDuplicates() }
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.upstream.send(1) == .max(1))
    #expect(rig.upstream.send(batch: [1, 2]) == .max(1))
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.values == [1, 2] && rig.recorder.completions == [.failure(TestFailure())])
    #expect(rig.requests == [.max(2)])
  }

  @Test func dropsWhatHasTheKeyOfAnother() {
    let recorder = RecordingSubscriber<String, Never>()
    ["a", "bc", "d", "", "ef"].publisher.removeAllDuplicates { $0.count }.subscribe(recorder)
    #expect(recorder.values == ["a", "bc", ""])
  }

  @Test func eachSubscriberHasItsOwn() {
    let values = [1, 1, 2].publisher.removeAllDuplicates()
    for _ in 0..<2 {
      let recorder = RecordingSubscriber<Int, Never>()
      values.subscribe(recorder)
      #expect(recorder.values == [1, 2])
    }
  }

  @Test func cancelledInAValueItStops() {
    let rig = OperatorRig<Int, TestFailure, Int, TestFailure> { $0.removeAllDuplicates() }
    rig.recorder.onValue = { [unowned recorder = rig.recorder] _ in
      recorder.cancel()
      return .none
    }
    rig.upstream.send(batch: [1, 2])
    #expect(rig.recorder.values == [1] && rig.cancelCount == 1)
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.removeAllDuplicates { value in
        token.keep()
        return value
      }
    }
  }
}
