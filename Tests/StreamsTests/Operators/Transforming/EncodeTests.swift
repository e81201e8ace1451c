import Streams
import StreamsTesting
import Testing

@Suite struct EncodeTests {
  typealias Rig = OperatorRig<String, TestFailure, Int, any Error>

  @Test func encodesEachValue() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.encode(encoder: TestCoder()) }
    #expect(rig.upstream.send("1") == .max(4))
    #expect(rig.upstream.send(batch: ["2", "3"]) == .max(8))
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .finished)
    #expect(rig.upstream.send("4") == .none)
    #expect(rig.recorder.values == [1, 2, 3])
    #expect(rig.recorder.completions.count == 1)
    #expect(rig.requests == [.max(2)])
  }

  @Test func failsWithTheErrorOfTheEncoder() {
    let rig = Rig(returning: .max(4)) { $0.encode(encoder: TestCoder()) }
    var cancelCountAtCompletion: Int?
    rig.recorder.onCompletion = { _ in cancelCountAtCompletion = rig.cancelCount }
    #expect(rig.upstream.send(batch: ["1", "x", "2"]) == .max(4))
    rig.upstream.send(completion: .finished)
    rig.recorder.request(.max(1))
    rig.recorder.cancel()
    #expect(rig.recorder.values == [1])
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.recorder.completions.count == 1)
    #expect(cancelCountAtCompletion == 1)
    #expect(rig.cancelCount == 1)
    #expect(rig.requests == [.unlimited])
  }

  @Test func erasesAFailure() {
    let rig = Rig { $0.encode(encoder: TestCoder()) }
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.cancelCount == 0)
  }

  @Test func isSilentAfterCancellation() {
    let rig = Rig { $0.encode(encoder: TestCoder()) }
    rig.recorder.cancel()
    #expect(rig.upstream.send("1") == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.map(\.kind) == ["subscription"])
  }

  @Test func cancelsOnceEvenFromWithin() {
    let rig = Rig(sendsSubscription: false) { $0.encode(encoder: TestCoder()) }
    let subscription = TestSubscription(onCancel: { rig.recorder.cancel() })
    rig.upstream.send(subscription: subscription)
    rig.recorder.cancel()
    #expect(subscription.ledger.cancelCount == 1)
  }

  @Test func acceptsSignalsBeforeTheSubscription() {
    let rig = Rig(demand: .none, returning: .max(9), sendsSubscription: false) {
      $0.encode(encoder: TestCoder())
    }
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    #expect(rig.upstream.send("1") == .max(9))
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events.map(\.kind) == ["value", "subscription"])
    #expect(rig.upstream.ledger.entries == [.delivered(1), .returned(.max(9))])
  }

  @Test func completesBeforeTheSubscription() {
    let rig = Rig(sendsSubscription: false) { $0.encode(encoder: TestCoder()) }
    rig.upstream.send(completion: .finished)
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events.map(\.kind) == ["finished"])
    #expect(rig.cancelCount == 1)
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(
      name: "Encode", children: ["downstream", "finished", "upstreamSubscription"]
    ) { $0.encode(encoder: TestCoder()) }
  }

  @Test func mirrorsItsState() {
    let rig = Rig { $0.encode(encoder: TestCoder()) }
    #expect(Mirror(reflecting: rig.inner).descendant("finished") as? Bool == false)
    #expect(Mirror(reflecting: rig.inner).descendant("upstreamSubscription") is TestSubscription)
    rig.recorder.cancel()
    #expect(Mirror(reflecting: rig.inner).descendant("finished") as? Bool == true)
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.encode(encoder: TestCoder()) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.encode(encoder: TestCoder()) }
  }
}
