import Streams
import StreamsTesting
import Testing

@Suite struct TryMapTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, any Error>

  static func double(_ value: Int) throws -> Int {
    if value == 100 { throw TestFailure() }
    return value * 2
  }

  @Test func transformsEachValue() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.tryMap(Self.double) }
    #expect(rig.upstream.send(1) == .max(4))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(8))
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [2, 4, 6])
    #expect(rig.recorder.batchSizes == [1, 2])
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "value", "value", "finished"])
    #expect(rig.requests == [.max(2)])
    #expect(rig.cancelCount == 0)
  }

  @Test func failsWithTheErrorThrown() {
    let rig = Rig(returning: .max(4)) { $0.tryMap(Self.double) }
    var cancelCountAtCompletion: Int?
    rig.recorder.onCompletion = { _ in cancelCountAtCompletion = cancelCountAtCompletion ?? rig.cancelCount }
    #expect(rig.upstream.send(100) == .none)
    #expect(rig.recorder.failure is TestFailure)
    #expect(cancelCountAtCompletion == 1)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "failure"])
    #expect(rig.cancelCount == 1)
  }

  @Test func transformsStillWhatComesAfterAnError() {
    let rig = Rig(returning: .max(4)) { $0.tryMap(Self.double) }
    rig.upstream.send(100)
    #expect(rig.upstream.send(1) == .max(4))
    rig.upstream.send(100)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "failure", "value", "failure"])
    #expect(rig.cancelCount == 1)
  }

  @Test func deliversWhatCameBeforeAnErrorInABatch() {
    let rig = Rig(returning: .max(4)) { $0.tryMap(Self.double) }
    #expect(rig.upstream.send(batch: [1, 2, 100, 3]) == .none)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "value", "failure"])
  }

  @Test func dropsAnErrorInABatchAfterACancellation() {
    let rig = Rig(returning: .max(4)) { $0.tryMap(Self.double) }
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .max(1)
    }
    #expect(rig.upstream.send(batch: [1, 2, 100, 3]) == .none)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value"])
    #expect(rig.cancelCount == 1)
  }

  @Test func erasesAFailure() {
    let rig = Rig { $0.tryMap(Self.double) }
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.cancelCount == 0)
  }

  @Test func passesValuesOnAfterCancellationButNoCompletion() {
    let rig = Rig { $0.tryMap(Self.double) }
    rig.recorder.cancel()
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value"])
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "TryMap") { $0.tryMap(Self.double) }
  }

  @Test func acceptsSignalsBeforeTheSubscription() {
    let rig = Rig(demand: .none, returning: .max(9), sendsSubscription: false) { $0.tryMap(Self.double) }
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    #expect(rig.upstream.send(1) == .max(9))
    rig.upstream.sendSubscription()
    #expect(rig.upstream.ledger.entries == [.delivered(1), .returned(.max(9))])
    #expect(rig.recorder.events.map(\.kind) == ["value", "subscription"])
  }

  @Test func dropsACompletionBeforeTheSubscription() {
    let rig = Rig(sendsSubscription: false) { $0.tryMap(Self.double) }
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.isEmpty)
    rig.upstream.sendSubscription()
    #expect(rig.upstream.ledger.entries == [.cancelled])
    #expect(rig.recorder.events.isEmpty)
  }

  @Test func fusesWithMaps() throws {
    let upstream = TestPublisher<Int, TestFailure>()
    let first = upstream.map { $0 + 1 }.tryMap(Self.double)
    let second = first.map { "\($0)" }
    let third = second.tryMap { $0 + "!" }
    #expect(first.upstream === upstream)
    #expect(third.upstream === upstream)
    #expect(try third.transform(1) == "4!")
    #expect(throws: TestFailure.self) { try third.transform(99) }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.tryMap { $0 } }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.tryMap { value in
        token.keep()
        return value
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.tryMap { $0 } }
  }
}
