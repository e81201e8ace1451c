import Streams
import StreamsTesting
import Testing

@Suite struct FilterTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  @Test func asksAgainForWhatItDrops() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.filter { $0 % 2 == 0 } }
    let demands = (1...4).map { rig.upstream.send($0) }
    #expect(demands == [.max(1), .max(4), .max(1), .max(4)])
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [2, 4])
    #expect(rig.recorder.completions == [.finished])
    #expect(rig.requests == [.max(2)])
  }

  @Test func filtersBatches() {
    let rig = Rig(returning: .max(3)) { $0.filter { $0 % 2 == 0 } }
    #expect(rig.upstream.send(batch: [1, 2, 3, 4]) == .max(8))
    #expect(rig.upstream.send(batch: [1]) == .max(1))
    #expect(rig.recorder.values == [2, 4])
    #expect(rig.recorder.batchSizes == [2])
  }

  @Test func passesItsUpstreamsSubscriptionOn() {
    expectPassesSubscriptionOn(input: 1, name: "Filter") { $0.filter { _ in true } }
  }

  @Test func fusesWithFilter() {
    var calls = 0
    let upstream = TestPublisher<Int, TestFailure>()
    let fused = upstream.filter {
      calls += 1
      return $0 % 2 == 0
    }.filter {
      calls += 1
      return $0 % 3 == 0
    }
    #expect(fused.upstream === upstream)
    #expect((1...6).map { fused.isIncluded($0) } == [false, false, false, false, false, true])
    #expect(calls == 9)
  }

  @Test func releasesItsSubscriberAtTheEnd() {
    expectReleases { $0.filter { _ in true } }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.filter { _ in true } }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.filter { _ in
        token.keep()
        return true
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.filter { $0 % 2 == 0 } }
  }
}
