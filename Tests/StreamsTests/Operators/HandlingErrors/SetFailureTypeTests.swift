import Streams
import StreamsTesting
import Testing

@Suite struct SetFailureTypeTests {
  typealias Rig = OperatorRig<Int, Never, Int, TestFailure>

  @Test func passesEverythingOn() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.setFailureType(to: TestFailure.self) }
    #expect(rig.upstream.send(1) == .max(4))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(8))
    rig.recorder.request(.max(1))
    rig.recorder.cancel()
    rig.upstream.send(completion: .finished)
    #expect(
      rig.recorder.events == [
        .subscription("TestSubscription"), .value(1), .value(2), .value(3), .completion(.finished),
      ])
    #expect(rig.recorder.batchSizes == [1, 2])
    #expect(rig.requests == [.max(2), .max(1)])
    #expect(rig.cancelCount == 1)
  }

  @Test func passesOnWhatComesBeforeTheSubscription() {
    let rig = Rig(returning: .max(4), sendsSubscription: false) { $0.setFailureType(to: TestFailure.self) }
    #expect(rig.upstream.send(1) == .max(4))
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.value(1), .completion(.finished)])
  }

  @Test func describesItself() {
    let rig = Rig { $0.setFailureType(to: TestFailure.self) }
    expectReflection(of: rig.inner, name: "SetFailureType")
    #expect(!(rig.inner is any Subscription))
  }

  @Test func fusesWithItself() {
    let upstream = TestPublisher<Int, Never>()
    let fused = upstream.setFailureType(to: Never.self).setFailureType(to: TestFailure.self)
    #expect(fused.upstream === upstream)
  }

  @Test func isEquatable() {
    struct Numbered: Publisher, Equatable {
      typealias Output = Int
      typealias Failure = Never
      let number: Int
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {}
    }
    let one = Numbered(number: 1).setFailureType(to: TestFailure.self)
    #expect(one == Numbered(number: 1).setFailureType(to: TestFailure.self))
    #expect(one != Numbered(number: 2).setFailureType(to: TestFailure.self))
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.assertNoFailure().setFailureType(to: TestFailure.self) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.assertNoFailure().setFailureType(to: TestFailure.self) }
  }
}
