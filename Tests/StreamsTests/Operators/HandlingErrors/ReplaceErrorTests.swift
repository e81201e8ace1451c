import Streams
import StreamsTesting
import Testing

@Suite struct ReplaceErrorTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, Never>

  @Test func sendsItsValueInPlaceOfAFailure() {
    let rig = Rig(demand: .max(1)) { $0.replaceError(with: 42) }
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.recorder.events == [.subscription("ReplaceError"), .value(42), .completion(.finished)])
    #expect(rig.cancelCount == 0)
  }

  @Test func passesValuesOn() {
    let rig = Rig(demand: .max(1), returning: .max(2)) { $0.replaceError(with: 42) }
    #expect(rig.upstream.send(1) == .max(2))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(4))
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [1, 2, 3])
    #expect(rig.recorder.batchSizes == [1, 1, 1])
    #expect(rig.recorder.completions == [.finished])
    #expect(rig.requests == [.max(1)])
  }

  @Test func waitsForDemand() {
    let rig = Rig(demand: .max(1)) { $0.replaceError(with: 42) }
    rig.upstream.send(9)
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.upstream.send(completion: .finished)
    #expect(rig.upstream.send(10) == .none)
    #expect(rig.recorder.events == [.subscription("ReplaceError"), .value(9)])
    rig.recorder.request(.max(1))
    rig.recorder.request(.max(1))
    #expect(
      rig.recorder.events == [.subscription("ReplaceError"), .value(9), .value(42), .completion(.finished)])
    #expect(rig.requests == [.max(1)])
  }

  @Test func usesDemandThatWasReturned() {
    let rig = Rig(demand: .max(1), returning: .max(1)) { $0.replaceError(with: 42) }
    rig.upstream.send(9)
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.values == [9, 42])
  }

  @Test func sendsNothingWhenItIsCancelledWhileItWaits() {
    let rig = Rig(demand: .none) { $0.replaceError(with: 42) }
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.recorder.cancel()
    rig.recorder.request(.max(1))
    #expect(rig.recorder.events == [.subscription("ReplaceError")])
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "ReplaceError") { $0.replaceError(with: 42) }
  }

  @Test func isSilentAfterCancellation() {
    let rig = Rig { $0.replaceError(with: 42) }
    rig.recorder.cancel()
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.events == [.subscription("ReplaceError")])
  }

  @Test func dropsWhatComesBeforeTheSubscription() {
    let rig = Rig(demand: .none, returning: .max(2), sendsSubscription: false) { $0.replaceError(with: 7) }
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events == [.subscription("ReplaceError")])
    #expect(rig.requests == [])
    #expect(rig.cancelCount == 0)
  }

  @Test func trapsOnValuesWithoutDemand() async {
    await #expect(processExitsWith: .failure) {
      Rig(demand: .none) { $0.replaceError(with: 7) }.upstream.send(1)
    }
    await #expect(processExitsWith: .failure) {
      Rig(demand: .max(1)) { $0.replaceError(with: 7) }.upstream.send(batch: [1, 2])
    }
  }

  @Test func trapsOnARequestForNothing() async {
    await #expect(processExitsWith: .failure) {
      Rig(demand: .none) { $0.replaceError(with: 7) }.recorder.request(.none)
    }
  }

  @Test func isEquatable() {
    struct Numbered: Publisher, Equatable {
      typealias Output = Int
      typealias Failure = TestFailure
      let number: Int
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {}
    }
    let one = Numbered(number: 1).replaceError(with: 1)
    #expect(one == Numbered(number: 1).replaceError(with: 1))
    #expect(one != Numbered(number: 1).replaceError(with: 2))
    #expect(one != Numbered(number: 2).replaceError(with: 1))
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.replaceError(with: 7) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.replaceError(with: 7) }
  }
}
