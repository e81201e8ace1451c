import Streams
import StreamsTesting
import Testing

@Suite struct CompactMapTests {
  typealias Rig = OperatorRig<String, TestFailure, Int, TestFailure>

  @Test func asksAgainForWhatItDrops() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.compactMap { Int($0) } }
    #expect(rig.upstream.send("1") == .max(4))
    #expect(rig.upstream.send("a") == .max(1))
    #expect(rig.upstream.send("6") == .max(4))
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.values == [1, 6])
    #expect(rig.recorder.completions == [.failure(TestFailure())])
    #expect(rig.requests == [.max(2)])
  }

  @Test func passesOnBatchesWithoutWhatItDrops() {
    let rig = Rig(returning: .max(2)) { $0.compactMap { Int($0) } }
    #expect(rig.upstream.send(batch: ["1", "x", "3", "y"]) == .max(6))
    #expect(rig.upstream.send(batch: ["x"]) == .max(1))
    #expect(rig.upstream.send(batch: ["x", "y"]) == .max(2))
    #expect(rig.recorder.values == [1, 3])
    #expect(rig.recorder.batchSizes == [2])
  }

  @Test func splitsLongBatches() {
    let rig = Rig { $0.compactMap { Int($0) } }
    rig.upstream.send(batch: (0..<1000).map(String.init))
    #expect(rig.recorder.values == Array(0..<1000))
    #expect(rig.recorder.batchSizes.allSatisfy { $0 <= 64 })
  }

  @Test func passesItsUpstreamsSubscriptionOn() {
    expectPassesSubscriptionOn(input: 1, name: "CompactMap") { $0.compactMap { $0 } }
  }

  @Test func fusesWithCompactMapAndMap() {
    var calls: [String] = []
    let upstream = TestPublisher<String, TestFailure>()
    let first = upstream.compactMap { text -> Int? in
      calls.append("first \(text)")
      return Int(text)
    }
    let fused = first.compactMap { number -> Int? in
      calls.append("second \(number)")
      return number % 2 == 0 ? number / 2 : nil
    }.map { "\($0)!" }
    #expect(fused.upstream === upstream)
    #expect(type(of: fused) == Publishers.CompactMap<TestPublisher<String, TestFailure>, String>.self)

    let recorder = RecordingSubscriber<String, TestFailure>()
    fused.subscribe(recorder)
    #expect(upstream.send("12") == .none)
    #expect(upstream.send("3") == .max(1))
    #expect(upstream.send("x") == .max(1))
    #expect(recorder.values == ["6!"])
    #expect(calls == ["first 12", "second 12", "first 3", "second 3", "first x"])
  }

  @Test func releasesItsSubscriberAtTheEnd() {
    expectReleases { $0.compactMap { $0 } }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.compactMap { $0 } }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.compactMap { value in
        token.keep()
        return Optional(value)
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.compactMap { $0 % 3 == 0 ? nil : $0 } }
  }
}
