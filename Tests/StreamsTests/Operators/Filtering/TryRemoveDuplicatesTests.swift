import Streams
import StreamsTesting
import Testing

@Suite struct TryRemoveDuplicatesTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, any Error>

  static func isSame(_ last: Int, _ new: Int) throws -> Bool {
    if new == 100 { throw TestFailure() }
    return last == new
  }

  @Test func dropsRepetitions() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.tryRemoveDuplicates(by: Self.isSame) }
    #expect([1, 2, 2, 1].map { rig.upstream.send($0) } == [.max(4), .max(4), .max(1), .max(4)])
    #expect(rig.upstream.send(batch: [1, 3, 3]) == .max(6))
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .finished)
    #expect(rig.upstream.send(4) == .none)
    #expect(rig.recorder.values == [1, 2, 1, 3])
    #expect(rig.recorder.completions.count == 1)
    #expect(rig.requests == [.max(2)])
  }

  @Test func failsWithTheErrorThrown() {
    let rig = Rig(returning: .max(4)) { $0.tryRemoveDuplicates(by: Self.isSame) }
    rig.upstream.send(1)
    #expect(rig.upstream.send(100) == .none)
    #expect(rig.upstream.send(100) == .none)
    rig.upstream.send(completion: .finished)
    rig.recorder.request(.max(3))
    rig.recorder.cancel()
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "failure"])
    #expect(rig.requests == [.unlimited])
    #expect(rig.cancelCount == 1)
  }

  @Test func doesNotCompareTheFirstValue() {
    let rig = Rig { $0.tryRemoveDuplicates(by: Self.isSame) }
    rig.upstream.send(100)
    #expect(rig.recorder.values == [100])
  }

  @Test func cancelsBeforeItFails() {
    let rig = Rig { $0.tryRemoveDuplicates { _, _ in throw TestFailure() } }
    rig.recorder.onCompletion = { _ in #expect(rig.cancelCount == 1) }
    rig.upstream.send(1)
    rig.upstream.send(2)
    #expect(rig.recorder.failure is TestFailure)
  }

  @Test func comparesWithTheLastValueAlsoIfThatWasDropped() {
    let rig = Rig { $0.tryRemoveDuplicates { abs($0 - $1) < 2 } }
    for value in [1, 2, 3, 4, 6] { rig.upstream.send(value) }
    #expect(rig.recorder.values == [1, 6])
  }

  @Test func erasesAFailure() {
    let rig = Rig { $0.tryRemoveDuplicates(by: Self.isSame) }
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.failure is TestFailure)
  }

  @Test func isSilentAfterCancellation() {
    let rig = Rig { $0.tryRemoveDuplicates(by: Self.isSame) }
    rig.recorder.cancel()
    #expect(rig.upstream.send(2) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.map(\.kind) == ["subscription"])
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "TryRemoveDuplicates", children: ["downstream", "last"]) {
      $0.tryRemoveDuplicates(by: Self.isSame)
    }
  }

  @Test func cancelsASubscriptionThatComesAfterCancellation() {
    let rig = Rig(sendsSubscription: false) { $0.tryRemoveDuplicates(by: Self.isSame) }
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.cancelCount == 1)
    #expect(rig.recorder.events.isEmpty)
  }

  @Test func trapsOnSignalsBeforeTheSubscription() async {
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.tryRemoveDuplicates(by: Self.isSame) }.upstream.send(1)
    }
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.tryRemoveDuplicates(by: Self.isSame) }
        .upstream.send(completion: .finished)
    }
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.tryRemoveDuplicates(by: Self.isSame) }
        .innerSubscription.request(.max(1))
    }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.tryRemoveDuplicates(by: ==) }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.tryRemoveDuplicates { _, _ in
        token.keep()
        return false
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.tryRemoveDuplicates(by: ==) }
  }

  @Test func mirrorsTheLastValue() {
    let rig = Rig { $0.tryRemoveDuplicates(by: Self.isSame) }
    rig.upstream.send(5)
    #expect(Mirror(reflecting: rig.inner).descendant("last") as? Int == 5)
  }
}
