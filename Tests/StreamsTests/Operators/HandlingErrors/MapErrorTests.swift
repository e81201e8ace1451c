import Streams
import StreamsTesting
import Testing

@Suite struct MapErrorTests {
  struct Wrapped: Error, Equatable {
    let original: TestFailure
    init(_ original: TestFailure) { self.original = original }
  }

  typealias Rig = OperatorRig<Int, TestFailure, Int, Wrapped>

  @Test func replacesAFailure() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.mapError(Wrapped.init) }
    #expect(rig.upstream.send(1) == .max(4))
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(
      rig.recorder.events == [
        .subscription("TestSubscription"), .value(1), .completion(.failure(Wrapped(TestFailure()))),
      ])
    #expect(rig.requests == [.max(2)])
  }

  @Test func letsBatchesGoPast() {
    let rig = Rig(returning: .max(2)) { $0.mapError(Wrapped.init) }
    #expect(rig.upstream.send(batch: [1, 2, 3]) == .max(6))
    #expect(rig.recorder.batchSizes == [3])

    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, Wrapped>()
    subject.mapError(Wrapped.init).subscribe(recorder)
    [4, 5].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    subject.send(6)
    #expect(recorder.values == [4, 5, 6])
    #expect(recorder.batchSizes == [2, 1])
  }

  @Test func passesItsUpstreamsSubscriptionOn() {
    expectPassesSubscriptionOn(input: 1, name: "MapError") { $0.mapError(Wrapped.init) }
  }

  @Test func canBeMadeInTwoWays() {
    let upstream = TestPublisher<Int, TestFailure>()
    let labeled = Publishers.MapError(upstream: upstream, transform: Wrapped.init)
    let unlabeled = Publishers.MapError(upstream: upstream, Wrapped.init)
    #expect(labeled.transform(TestFailure()) == unlabeled.transform(TestFailure()))
    #expect(labeled.upstream === unlabeled.upstream)
  }

  @Test func releasesItsSubscriberAtTheEnd() {
    expectReleases { $0.mapError(Wrapped.init) }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.mapError { $0 } }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.mapError { error in
        token.keep()
        return error
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.mapError(Wrapped.init) }
  }
}
