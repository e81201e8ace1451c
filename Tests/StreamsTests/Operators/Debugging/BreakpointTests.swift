import Streams
import StreamsTesting
import Testing

@Suite struct BreakpointTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  @Test func passesEverythingOnWhileNoClosureObjects() {
    var seen: [String] = []
    let rig = Rig(demand: .max(2), returning: .max(4)) {
      $0.breakpoint(
        receiveSubscription: {
          seen.append("\($0)")
          return false
        },
        receiveOutput: {
          seen.append("\($0)")
          return false
        },
        receiveCompletion: {
          seen.append("\($0)")
          return false
        })
    }
    #expect(rig.upstream.send(1) == .max(4))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(8))
    rig.upstream.send(completion: .finished)
    rig.upstream.send(subscription: TestSubscription("second"))
    #expect(seen == ["TestSubscription", "1", "2", "3", "finished", "second"])
    #expect(
      rig.recorder.events == [
        .subscription("TestSubscription"), .value(1), .value(2), .value(3), .completion(.finished),
        .subscription("second"),
      ])
    #expect(rig.requests == [.max(2)])
  }

  @Test func letsBatchesGoPastWhereNoClosureLooksAtThem() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    subject.breakpointOnError().subscribe(recorder)
    [1, 2].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    #expect(recorder.batchSizes == [2])
  }

  @Test func keepsItsClosures() {
    let upstream = TestPublisher<Int, TestFailure>()
    let onError = upstream.breakpointOnError()
    #expect(onError.receiveSubscription == nil && onError.receiveOutput == nil)
    #expect(onError.receiveCompletion?(.finished) == false)
    #expect(onError.receiveCompletion?(.failure(TestFailure())) == true)
    #expect(upstream.breakpoint().receiveCompletion == nil)
  }

  @Test func stopsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      _ = Rig { $0.breakpoint(receiveSubscription: { _ in true }) }
    }
    await #expect(processExitsWith: .failure) {
      Rig { $0.breakpoint(receiveOutput: { $0 < 0 }) }.upstream.send(-1)
    }
    await #expect(processExitsWith: .failure) {
      Rig { $0.breakpoint(receiveCompletion: { $0 == .finished }) }.upstream.send(completion: .finished)
    }
    await #expect(processExitsWith: .failure) {
      Rig { $0.breakpointOnError() }.upstream.send(completion: .failure(TestFailure()))
    }
  }

  @Test func passesItsUpstreamsSubscriptionOn() {
    expectPassesSubscriptionOn(input: 1, name: "Breakpoint") { $0.breakpoint() }
  }

  @Test func releasesItsSubscriberAtTheEnd() {
    expectReleases { $0.breakpoint() }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.breakpoint(receiveOutput: { _ in false }) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.breakpoint(receiveOutput: { _ in false }) }
  }

  @Test func anEndThatItsClosureBringsAboutComesAfterTheSubscription() {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    subject.breakpoint(receiveSubscription: { _ in
      subject.send(completion: .finished)
      return false
    }).subscribe(recorder)
    #expect(recorder.events.map(\.kind) == ["subscription", "finished"])
  }
}
