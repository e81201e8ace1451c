import Streams
import StreamsTesting
import Testing

@Suite struct RemoveDuplicatesTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  @Test func dropsRepetitions() {
    let rig = Rig(demand: .max(2), returning: .max(4)) { $0.removeDuplicates() }
    let demands = [1, 2, 2, 2, 1].map { rig.upstream.send($0) }
    #expect(demands == [.max(4), .max(4), .max(1), .max(1), .max(4)])
    rig.upstream.send(completion: .finished)
    #expect(
      rig.recorder.events == [
        .subscription("RemoveDuplicates"), .value(1), .value(2), .value(1), .completion(.finished),
      ])
    #expect(rig.requests == [.max(2)])
  }

  @Test func comparesWithTheValueBeforeWhetherSentOrNot() {
    var compared: [[Int]] = []
    let rig = Rig {
      $0.removeDuplicates {
        compared.append([$0, $1])
        return $0 >= $1
      }
    }
    for value in [1, 5, 3, 4] { rig.upstream.send(value) }
    #expect(rig.recorder.values == [1, 5, 4])
    #expect(compared == [[1, 5], [5, 3], [3, 4]])
  }

  @Test func dropsRepetitionsInAndBetweenBatches() {
    let rig = Rig(returning: .max(2)) { $0.removeDuplicates() }
    #expect(rig.upstream.send(batch: [1, 1, 2, 2]) == .max(6))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(3))
    #expect(rig.recorder.values == [1, 2, 3])
    #expect(rig.recorder.batchSizes == [1, 1, 1])
  }

  @Test func passesAFailureOnOnce() {
    let rig = Rig { $0.removeDuplicates() }
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.upstream.send(completion: .finished)
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.upstream.send(batch: [2, 3]) == .none)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "failure"])
    #expect(rig.cancelCount == 0)
  }

  @Test func isSilentAfterCancellation() {
    let rig = Rig { $0.removeDuplicates() }
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .max(1)
    }
    rig.upstream.send(1)
    #expect(rig.upstream.send(2) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.subscription("RemoveDuplicates"), .value(1)])
    #expect(rig.cancelCount == 1)
  }

  @Test func requestsFromWithinReceive() {
    let rig = Rig(demand: .max(1)) { $0.removeDuplicates() }
    rig.recorder.onValue = { _ in
      rig.recorder.request(.max(3))
      return .none
    }
    rig.upstream.send(1)
    #expect(rig.requests == [.max(1), .max(3)])
  }

  @Test func comparesNothingMoreOnceCancelledInABatch() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    var compared: [[Int]] = []
    upstream.removeDuplicates { last, new in
      compared.append([last, new])
      if new == 2 { recorder.cancel() }
      return last == new
    }.subscribe(recorder)
    upstream.send(batch: [1, 2, 3, 4])
    #expect(compared == [[1, 2]])
  }

  @Test func knowsTheNewValueBeforeItCompares() {
    let subject = PassthroughSubject<Int, Never>()
    var compared: [[Int]] = []
    let recorder = RecordingSubscriber<Int, Never>()
    subject.removeDuplicates { last, new in
      compared.append([last, new])
      if new == 2 { subject.send(3) }
      return false
    }.subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(compared == [[1, 2], [2, 3]])
    #expect(recorder.values == [1, 3, 2])
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "RemoveDuplicates", children: ["downstream", "last"]) {
      $0.removeDuplicates()
    }
  }

  @Test func cancelsASubscriptionThatComesAfterCancellation() {
    let rig = Rig(sendsSubscription: false) { $0.removeDuplicates() }
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.cancelCount == 1)
    #expect(rig.recorder.events == [])
  }

  @Test func trapsOnSignalsBeforeTheSubscription() async {
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.removeDuplicates() }.upstream.send(1)
    }
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.removeDuplicates() }.upstream.send(completion: .finished)
    }
    await #expect(processExitsWith: .failure) {
      Rig(sendsSubscription: false) { $0.removeDuplicates() }.innerSubscription.request(.max(1))
    }
    await #expect(processExitsWith: .failure) {
      Rig { $0.removeDuplicates() }.recorder.request(.none)
    }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.removeDuplicates() }
  }

  @Test func releasesItsClosureAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.removeDuplicates { _, _ in
        token.keep()
        return false
      }
    }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.removeDuplicates() }
  }

  @Test func mirrorsTheLastValue() {
    let rig = Rig { $0.removeDuplicates() }
    rig.upstream.send(5)
    #expect(Mirror(reflecting: rig.inner).descendant("last") as? Int == 5)
  }

  @Test func aPreviousValueThatSendsWhenItIsReleasedComesAfterTheDelivery() {
    let lifetimes = LifetimeTracker()
    for tries in [false, true] {
      let subject = PassthroughSubject<LifetimeToken, TestFailure>()
      var kinds: [String] = []
      let pass = { (completion: Bool) in kinds.append(completion ? "end" : "value") }
      let cancellable =
        tries
        ? subject.tryRemoveDuplicates { _, _ in false }
          .sink(receiveCompletion: { _ in pass(true) }, receiveValue: { _ in pass(false) })
        : subject.removeDuplicates { _, _ in false }
          .sink(receiveCompletion: { _ in pass(true) }, receiveValue: { _ in pass(false) })
      subject.send(lifetimes.token { subject.send(completion: .finished) })
      subject.send(lifetimes.token())
      #expect(kinds == ["value", "value", "end"])
      withExtendedLifetime(cancellable) {}
    }
  }
}
