import Streams
import StreamsTesting
import Testing

@Suite struct MapTests {
  typealias Rig = OperatorRig<Int, TestFailure, String, TestFailure>

  @Test func transformsEachValue() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.map { "\($0)!" } }
    #expect(rig.upstream.send(1) == .max(4))
    #expect(rig.upstream.send(2) == .max(4))
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.values == ["1!", "2!"])
    #expect(rig.recorder.completions == [.failure(TestFailure())])
    #expect(rig.requests == [.max(2)])
  }

  @Test func transformsBatches() {
    let rig = Rig(returning: .max(1)) { $0.map { "\($0)" } }
    #expect(rig.upstream.send(batch: Array(0..<100)) == .max(100))
    #expect(rig.recorder.values == (0..<100).map(String.init))
    #expect(rig.recorder.batchSizes == [64, 36])
  }

  @Test func passesItsUpstreamsSubscriptionOn() {
    expectPassesSubscriptionOn(input: 1, name: "Map") { $0.map { $0 + 1 } }
  }

  @Test func fusesWithMap() {
    let upstream = TestPublisher<Int, TestFailure>()
    let fused = upstream.map { $0 * 2 }.map { "\($0)" }
    #expect(fused.upstream === upstream)
    #expect(fused.transform(4) == "8")
    #expect(type(of: fused) == Publishers.Map<TestPublisher<Int, TestFailure>, String>.self)
  }

  @Test func passesOnWhatItsSubscriberSendsAgain() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onValue = { value in
      if value < 30 { subject.send(value / 10 + 1) }
      return .none
    }
    subject.map { $0 * 10 }.subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [10, 20, 30])
  }

  @Test func releasesItsSubscriberAtTheEnd() {
    expectReleases { $0.map { $0 } }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.map { $0 } }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.map { value in
        token.keep()
        return value
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.map { $0 + 1 } }
  }
}
