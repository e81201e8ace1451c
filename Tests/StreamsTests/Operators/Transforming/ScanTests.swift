import Streams
import StreamsTesting
import Testing

@Suite struct ScanTests {
  typealias Rig = OperatorRig<Int, TestFailure, String, TestFailure>

  @Test func sendsEachResult() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.scan("") { $0 + String($1) } }
    #expect(rig.upstream.send(1) == .max(4))
    #expect(rig.upstream.send(2) == .max(4))
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == ["1", "12"])
    #expect(rig.recorder.completions == [.finished])
    #expect(rig.requests == [.max(2)])
  }

  @Test func accumulatesAcrossBatches() {
    let rig = Rig(returning: .max(1)) { $0.scan("") { $0 + String($1) } }
    #expect(rig.upstream.send(batch: [1, 2, 3]) == .max(3))
    rig.upstream.send(4)
    #expect(rig.recorder.values == ["1", "12", "123", "1234"])
    #expect(rig.recorder.batchSizes == [1, 1, 1, 1])
  }

  @Test func sendsNoResultForNoValue() {
    let rig = Rig { $0.scan("start") { $0 + String($1) } }
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.events == [.subscription("TestSubscription"), .completion(.failure(TestFailure()))])
  }

  @Test func startsAnewForEachSubscriber() {
    let upstream = TestPublisher<Int, TestFailure>()
    let sums = upstream.scan(0, +)
    let recorders = [RecordingSubscriber<Int, TestFailure>(), RecordingSubscriber()]
    sums.subscribe(recorders[0])
    upstream.send(1)
    sums.subscribe(recorders[1])
    upstream.send(2)
    #expect(recorders.map(\.values) == [[1, 3], [2]])
  }

  @Test func passesItsUpstreamsSubscriptionOn() {
    expectPassesSubscriptionOn(input: 1, name: "Scan", children: ["downstream", "result"]) { $0.scan(0, +) }
  }

  @Test func mirrorsItsResult() {
    let rig = Rig { $0.scan("") { $0 + String($1) } }
    rig.upstream.send(5)
    let children = Mirror(reflecting: rig.inner).children.map { "\($0.value)" }
    #expect(children == ["RecordingSubscriber", "5"])
  }

  @Test func releasesItsSubscriberAtTheEnd() {
    expectReleases { $0.scan(0, +) }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.scan(0, +) }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.scan(0) { sum, value in
        token.keep()
        return sum + value
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.scan(0, +) }
  }

  /// The first of these is replaced by a single value, the second by a batch.
  @Test(arguments: [false, true], [1, 2])
  func aResultThatCompletesWhenItIsReleasedDoesSoAfterTheDelivery(tries: Bool, completing: Int) {
    let subject = PassthroughSubject<Int, any Error>()
    let step = { (_: LifetimeToken?, value: Int) -> LifetimeToken? in
      LifetimeToken { if value == completing { subject.send(completion: .finished) } }
    }
    let results =
      tries
      ? subject.tryScan(nil, step).map { _ in 0 }.eraseToAnyPublisher()
      : subject.scan(nil, step).map { _ in 0 }.eraseToAnyPublisher()
    let recorder = RecordingSubscriber<Int, any Error>()
    results.subscribe(recorder)
    subject.send(1)
    subject.send(2)
    Array(3...40).withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.events.map(\.kind).last == "finished")
    #expect(recorder.completions.count == 1)
    #expect(recorder.values.count >= completing + 1)
  }
}
