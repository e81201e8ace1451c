import Streams
import StreamsTesting
import Testing

@Suite struct AssertNoFailureTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, Never>

  @Test func passesEverythingOnButFailures() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.assertNoFailure() }
    #expect(rig.upstream.send(1) == .max(4))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(8))
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .finished)
    rig.upstream.send(subscription: TestSubscription("second"))
    #expect(
      rig.recorder.events == [
        .subscription("TestSubscription"), .value(1), .value(2), .value(3), .completion(.finished),
        .completion(.finished), .subscription("second"),
      ])
    #expect(rig.recorder.batchSizes == [1, 2])
    #expect(rig.requests == [.max(2)])
  }

  @Test func endsTheProcessOnAFailure() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let rig = Rig { $0.assertNoFailure("settings", file: "Settings.swift", line: 12) }
      rig.upstream.send(completion: .failure(TestFailure()))
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("Settings.swift:12: Fatal error: settings: failure"))
  }

  @Test func describesItself() {
    let rig = Rig { $0.assertNoFailure("settings", file: "Settings.swift", line: 12) }
    expectReflection(of: rig.inner, name: "AssertNoFailure", children: ["file", "line", "prefix"])
    let shown = Mirror(reflecting: rig.inner).children.map { "\($0.value)" }
    #expect(shown == ["Settings.swift", "12", "settings"])
    #expect(!(rig.inner is any Subscription))
  }

  @Test func keepsItsArguments() {
    let asserting = TestPublisher<Int, TestFailure>().assertNoFailure()
    #expect(asserting.prefix == "")
    #expect("\(asserting.file)".hasSuffix("AssertNoFailureTests.swift"))
  }

  @Test func releasesItsSubscriberAtTheEnd() {
    expectReleases { $0.assertNoFailure() }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.assertNoFailure() }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.assertNoFailure() }
  }
}
