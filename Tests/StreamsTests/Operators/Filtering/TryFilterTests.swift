import Streams
import StreamsTesting
import Testing

@Suite struct TryFilterTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, any Error>

  static func isEven(_ value: Int) throws -> Bool {
    if value == 100 { throw TestFailure() }
    return value % 2 == 0
  }

  @Test func asksAgainForWhatItDrops() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.tryFilter(Self.isEven) }
    #expect((1...4).map { rig.upstream.send($0) } == [.max(1), .max(4), .max(1), .max(4)])
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.upstream.send(6) == .none)
    #expect(rig.recorder.values == [2, 4])
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "value", "finished"])
    #expect(rig.requests == [.max(2)])
    #expect(rig.cancelCount == 0)
  }

  @Test func filtersBatches() {
    let rig = Rig(returning: .max(3)) { $0.tryFilter(Self.isEven) }
    #expect(rig.upstream.send(batch: [1, 2, 3, 4]) == .max(8))
    #expect(rig.upstream.send(batch: [2]) == .max(3))
    #expect(rig.recorder.batchSizes == [2, 1])
  }

  @Test func failsWithTheErrorThrown() {
    let rig = Rig(returning: .max(4)) { $0.tryFilter(Self.isEven) }
    var cancelCountAtCompletion: Int?
    rig.recorder.onCompletion = { _ in cancelCountAtCompletion = rig.cancelCount }
    rig.upstream.send(2)
    #expect(rig.upstream.send(100) == .none)
    #expect(rig.upstream.send(4) == .none)
    rig.upstream.send(completion: .finished)
    rig.recorder.request(.max(3))
    rig.recorder.cancel()
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "failure"])
    #expect(cancelCountAtCompletion == 1)
    #expect(rig.requests == [.unlimited])
    #expect(rig.cancelCount == 1)
  }

  @Test func deliversWhatCameBeforeAnErrorInABatch() {
    let rig = Rig(returning: .max(4)) { $0.tryFilter(Self.isEven) }
    #expect(rig.upstream.send(batch: [2, 3, 4, 100, 6]) == .none)
    #expect(rig.recorder.values == [2, 4])
    #expect(rig.recorder.failure is TestFailure)
  }

  @Test func looksAtNothingMoreOnceCancelledInABatch() {
    var seen: [Int] = []
    let recorder = RecordingSubscriber<Int, any Error>()
    let upstream = TestPublisher<Int, TestFailure>()
    upstream.tryFilter { value in
      seen.append(value)
      if value == 2 { recorder.cancel() }
      return true
    }.subscribe(recorder)
    upstream.send(batch: [1, 2, 3])
    #expect(seen == [1, 2])
  }

  @Test func cancelsBeforeItFails() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, any Error>()
    recorder.onCompletion = { _ in #expect(upstream.ledger.isCancelled) }
    upstream.tryFilter { _ in throw TestFailure() }.subscribe(recorder)
    upstream.send(1)
    #expect(recorder.failure is TestFailure)
  }

  @Test func erasesAFailure() {
    let rig = Rig { $0.tryFilter(Self.isEven) }
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.failure is TestFailure)
  }

  @Test func isSilentAfterCancellation() {
    let rig = Rig { $0.tryFilter(Self.isEven) }
    rig.recorder.cancel()
    #expect(rig.upstream.send(2) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.map(\.kind) == ["subscription"])
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "TryFilter", children: ["downstream"]) { $0.tryFilter(Self.isEven) }
  }

  @Test func cancelsASubscriptionThatComesAfterCancellation() {
    let rig = Rig(sendsSubscription: false) { $0.tryFilter(Self.isEven) }
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.cancelCount == 1)
    #expect(rig.recorder.events.isEmpty)
  }

  @Test func trapsOnSignalsBeforeTheSubscription() async {
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.tryFilter(Self.isEven) }.upstream.send(1)
    }
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.tryFilter(Self.isEven) }.upstream.send(completion: .finished)
    }
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.tryFilter(Self.isEven) }.innerSubscription.request(.max(1))
    }
  }

  @Test func fusesWithFilters() throws {
    let upstream = TestPublisher<Int, TestFailure>()
    let before = upstream.filter { $0 > 0 }.tryFilter(Self.isEven)
    let after = before.filter { $0 % 3 == 0 }
    let again = after.tryFilter { $0 % 5 == 0 }
    #expect(before.upstream === upstream)
    #expect(again.upstream === upstream)
    #expect(try [-30, 2, 6, 10, 15, 30].map(again.isIncluded) == [false, false, false, false, false, true])
    #expect(throws: TestFailure.self) { try again.isIncluded(100) }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.tryFilter { _ in true } }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.tryFilter { _ in
        token.keep()
        return true
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.tryFilter { $0 % 2 == 0 } }
  }

  /// The closure comes back with a value that fails while it looks at a batch.
  @Test func sendsNothingAfterItsErrorNotEvenWhatCameBeforeInABatch() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, any Error>()
    upstream.tryFilter { value in
      if value == 2 { upstream.send(100) }
      if value == 100 { throw TestFailure() }
      return true
    }.subscribe(recorder)
    upstream.send(batch: [1, 2, 3])
    upstream.send(4)
    #expect(recorder.events.map(\.kind) == ["subscription", "failure"])
  }
}
