import Streams
import StreamsTesting
import Testing

@Suite struct TryScanTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, any Error>

  static func sum(_ result: Int, _ value: Int) throws -> Int {
    if value == 100 { throw TestFailure() }
    return result + value
  }

  @Test func sendsEachResult() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.tryScan(10, Self.sum) }
    #expect(rig.upstream.send(1) == .max(4))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(8))
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [11, 13, 16])
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "value", "value", "finished"])
    #expect(rig.requests == [.max(2)])
    #expect(rig.cancelCount == 0)
  }

  @Test func failsOnceAndKeepsItsResultWhenTheClosureThrows() {
    let rig = Rig(returning: .max(3)) { $0.tryScan(0, Self.sum) }
    rig.upstream.send(2)
    #expect(rig.upstream.send(100) == .none)
    #expect(rig.upstream.send(5) == .max(3))
    #expect(rig.upstream.send(100) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [2, 7])
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "failure", "value"])
    #expect(rig.cancelCount == 1)
  }

  @Test func cancelsBeforeItFails() {
    let rig = Rig { $0.tryScan(0) { _, _ in throw TestFailure() } }
    rig.recorder.onCompletion = { _ in #expect(rig.cancelCount == 1) }
    rig.upstream.send(1)
    #expect(rig.recorder.failure is TestFailure)
  }

  @Test func aValueSentWithinADeliveryGoesOnFromThere() {
    let rig = Rig { $0.tryScan(0, Self.sum) }
    rig.recorder.onValue = { value in
      if value == 1 { rig.upstream.send(2) }
      return .none
    }
    rig.upstream.send(1)
    rig.upstream.send(3)
    #expect(rig.recorder.values == [1, 3, 6])
  }

  @Test func mirrorsItsStatusAndResult() {
    let rig = Rig { $0.tryScan(0, Self.sum) }
    rig.upstream.send(5)
    let mirror = Mirror(reflecting: rig.inner)
    #expect(mirror.descendant("status").map { "\($0)" } == "subscribed")
    #expect(mirror.descendant("result") as? Int == 5)
    rig.upstream.send(completion: .finished)
    #expect(Mirror(reflecting: rig.inner).descendant("status").map { "\($0)" } == "ended")
  }

  @Test func erasesAFailure() {
    let rig = Rig { $0.tryScan(0, Self.sum) }
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.failure is TestFailure)
  }

  @Test func passesValuesOnAfterCancellationButNoCompletion() {
    let rig = Rig { $0.tryScan(0, Self.sum) }
    rig.recorder.cancel()
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value"])
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "TryScan", children: ["downstream", "status", "result"]) {
      $0.tryScan(0, Self.sum)
    }
  }

  @Test func acceptsSignalsBeforeTheSubscription() {
    let rig = Rig(demand: .none, returning: .max(9), sendsSubscription: false) { $0.tryScan(0, Self.sum) }
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    #expect(rig.upstream.send(1) == .max(9))
    rig.upstream.send(completion: .finished)
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events.map(\.kind) == ["value", "subscription"])
    #expect(rig.requests == [])
    #expect(rig.cancelCount == 0)
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.tryScan(0, +) }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.tryScan(0) { sum, value in
        token.keep()
        return sum + value
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.tryScan(0, +) }
  }

  @Test func leavesTheRestOfABatchAfterACancellation() {
    let rig = OperatorRig<Int, TestFailure, Int, any Error> { $0.tryScan(0) { $0 + $1 } }
    var count = 0
    rig.recorder.onValue = { _ in
      count += 1
      rig.innerSubscription.cancel()
      return .max(1)
    }
    #expect(rig.upstream.send(batch: [1, 2, 3]) == .max(1))
    #expect(count == 1)
  }
}
