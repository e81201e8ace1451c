import Streams
import StreamsTesting
import Testing

@Suite struct TryCompactMapTests {
  typealias Rig = OperatorRig<String, TestFailure, Int, any Error>

  static func parse(_ text: String) throws -> Int? {
    if text == "throw" { throw TestFailure() }
    return Int(text)
  }

  @Test func asksAgainForWhatItDrops() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.tryCompactMap(Self.parse) }
    #expect(rig.upstream.send("1") == .max(4))
    #expect(rig.upstream.send("a") == .max(1))
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .finished)
    #expect(rig.upstream.send("2") == .none)
    #expect(rig.recorder.values == [1])
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "finished"])
    #expect(rig.requests == [.max(2)])
  }

  @Test func transformsBatches() {
    let rig = Rig(returning: .max(3)) { $0.tryCompactMap(Self.parse) }
    #expect(rig.upstream.send(batch: ["1", "a", "3"]) == .max(7))
    #expect(rig.recorder.values == [1, 3])
    #expect(rig.recorder.batchSizes == [2])
  }

  @Test func failsWithTheErrorThrown() {
    let rig = Rig(returning: .max(4)) { $0.tryCompactMap(Self.parse) }
    rig.upstream.send("1")
    #expect(rig.upstream.send("throw") == .none)
    #expect(rig.upstream.send("2") == .none)
    rig.upstream.send(completion: .finished)
    rig.recorder.request(.max(3))
    rig.recorder.cancel()
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "failure"])
    #expect(rig.requests == [.unlimited])
    #expect(rig.cancelCount == 1)
  }

  @Test func deliversWhatCameBeforeAnErrorInABatch() {
    let rig = Rig { $0.tryCompactMap(Self.parse) }
    rig.upstream.send(batch: ["1", "x", "2", "throw", "3"])
    #expect(rig.recorder.values == [1, 2])
    #expect(rig.recorder.failure is TestFailure)
  }

  @Test func looksAtNothingMoreOnceCancelledInABatch() {
    var seen: [Int] = []
    let recorder = RecordingSubscriber<Int, any Error>()
    let upstream = TestPublisher<Int, TestFailure>()
    upstream.tryCompactMap { value in
      seen.append(value)
      if value == 2 { recorder.cancel() }
      return value
    }.subscribe(recorder)
    upstream.send(batch: [1, 2, 3])
    #expect(seen == [1, 2])
  }

  @Test func cancelsBeforeItFails() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, any Error>()
    recorder.onCompletion = { _ in #expect(upstream.ledger.isCancelled) }
    upstream.tryCompactMap { _ -> Int? in throw TestFailure() }.subscribe(recorder)
    upstream.send(1)
    #expect(recorder.failure is TestFailure)
  }

  @Test func erasesAFailure() {
    let rig = Rig { $0.tryCompactMap(Self.parse) }
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.failure is TestFailure)
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "TryCompactMap", children: ["downstream"]) { $0.tryCompactMap { $0 } }
  }

  @Test func cancelsASubscriptionThatComesAfterCancellation() {
    let rig = Rig(sendsSubscription: false) { $0.tryCompactMap(Self.parse) }
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.cancelCount == 1)
    #expect(rig.recorder.events.isEmpty)
  }

  @Test func trapsOnSignalsBeforeTheSubscription() async {
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.tryCompactMap(Self.parse) }.upstream.send("1")
    }
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.tryCompactMap(Self.parse) }.upstream.send(completion: .finished)
    }
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.tryCompactMap(Self.parse) }.innerSubscription.request(.max(1))
    }
  }

  @Test func fusesWithCompactMap() throws {
    let upstream = TestPublisher<String, TestFailure>()
    let fused = upstream.tryCompactMap(Self.parse).compactMap { $0 % 2 == 0 ? "\($0 / 2)" : nil }
    #expect(fused.upstream === upstream)
    #expect(try ["8", "3", "x"].map(fused.transform) == ["4", nil, nil])
    #expect(throws: TestFailure.self) { try fused.transform("throw") }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.tryCompactMap { $0 } }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.tryCompactMap { value in
        token.keep()
        return Optional(value)
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.tryCompactMap { $0 % 3 == 0 ? nil : $0 } }
  }

  /// The closure comes back with a value that fails while it looks at a batch.
  @Test func sendsNothingAfterItsErrorNotEvenWhatCameBeforeInABatch() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, any Error>()
    upstream.tryCompactMap { value -> Int? in
      if value == 2 { upstream.send(100) }
      if value == 100 { throw TestFailure() }
      return value
    }.subscribe(recorder)
    upstream.send(batch: [1, 2, 3])
    upstream.send(4)
    #expect(recorder.events.map(\.kind) == ["subscription", "failure"])
  }
}
