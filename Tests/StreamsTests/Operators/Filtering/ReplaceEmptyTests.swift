import Streams
import StreamsTesting
import Testing

@Suite struct ReplaceEmptyTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  @Test func sendsItsValueWhereThereIsNone() {
    let rig = Rig(demand: .max(1)) { $0.replaceEmpty(with: 42) }
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.subscription("ReplaceEmpty"), .value(42), .completion(.finished)])
  }

  @Test func withinDemandItAsksForNoMoreThanIsAskedOfIt() {
    let rig = Rig(demand: .max(1)) { $0.replaceEmpty(with: 42).strict() }
    #expect(rig.upstream.ledger.total == .max(1))
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.subscription("ReplaceEmpty"), .value(42), .completion(.finished)])
  }

  @Test func passesValuesOn() {
    let rig = Rig(demand: .max(5), returning: .max(4)) { $0.replaceEmpty(with: 42) }
    #expect(rig.upstream.send(1) == .max(4))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(8))
    rig.upstream.send(completion: .finished)
    #expect(rig.upstream.send(4) == .none)
    #expect(rig.recorder.values == [1, 2, 3])
    #expect(rig.recorder.batchSizes == [1, 1, 1])
    #expect(rig.recorder.completions == [.finished])
  }

  @Test(arguments: [true, false])
  func passesAFailureOn(afterAValue: Bool) {
    let rig = Rig(demand: .none) { $0.replaceEmpty(with: 42) }
    if afterAValue { rig.upstream.send(1) }
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.recorder.request(.max(1))
    #expect(rig.recorder.values == (afterAValue ? [1] : []))
    #expect(rig.recorder.completions == [.failure(TestFailure())])
  }

  @Test func waitsForARequest() {
    let rig = Rig(demand: .none) { $0.replaceEmpty(with: 42) }
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.subscription("ReplaceEmpty")])
    rig.recorder.request(.max(1))
    rig.recorder.request(.max(1))
    #expect(rig.recorder.events == [.subscription("ReplaceEmpty"), .value(42), .completion(.finished)])
  }

  @Test func sendsNothingWhenItIsCancelledWhileItWaits() {
    let rig = Rig(demand: .none) { $0.replaceEmpty(with: 42) }
    rig.upstream.send(completion: .finished)
    rig.recorder.cancel()
    rig.recorder.request(.max(1))
    #expect(rig.recorder.events == [.subscription("ReplaceEmpty")])
    #expect(rig.cancelCount == 0)
  }

  @Test func requestsEverythingAfterWhatItsSubscriberRequests() {
    let rig = Rig(demand: .max(42)) { $0.replaceEmpty(with: 7) }
    rig.recorder.request(.max(5))
    rig.recorder.cancel()
    rig.recorder.cancel()
    rig.recorder.request(.max(6))
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    #expect(
      rig.upstream.ledger.entries == [
        .requested(.max(42)), .requested(.unlimited), .requested(.max(5)), .cancelled, .delivered(1),
      ])
    #expect(rig.recorder.events == [.subscription("ReplaceEmpty")])
  }

  @Test func keepsTheFirstSubscription() {
    let rig = Rig(demand: .none) { $0.replaceEmpty(with: 7) }
    let second = TestSubscription()
    rig.upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(rig.requests == [.unlimited])
    expectReflection(of: rig.inner, name: "ReplaceEmpty")
  }

  @Test func dropsWhatComesBeforeTheSubscription() {
    let rig = Rig(demand: .none, returning: .max(2), sendsSubscription: false) { $0.replaceEmpty(with: 7) }
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events == [.subscription("ReplaceEmpty")])
    #expect(rig.requests == [.unlimited])
    #expect(rig.cancelCount == 0)
  }

  @Test func trapsOnARequestForNothing() async {
    await #expect(processExitsWith: .failure) {
      Rig(demand: .none) { $0.replaceEmpty(with: 7) }.recorder.request(.none)
    }
  }

  @Test func isEquatable() {
    struct Numbered: Publisher, Equatable {
      typealias Output = Int
      typealias Failure = Never
      let number: Int
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {}
    }
    let one = Numbered(number: 1).replaceEmpty(with: 1)
    #expect(one == Numbered(number: 1).replaceEmpty(with: 1))
    #expect(one != Numbered(number: 1).replaceEmpty(with: 2))
    #expect(one != Numbered(number: 2).replaceEmpty(with: 1))
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.replaceEmpty(with: 7) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.replaceEmpty(with: 7) }
  }

  @Test func aValueBeforeTheSubscriptionDoesNotCount() {
    let upstream = TestPublisher<Int, TestFailure>(sendsSubscription: false)
    let recorder = RecordingSubscriber<Int, TestFailure>()
    upstream.replaceEmpty(with: 7).subscribe(recorder)
    upstream.send(1)
    upstream.sendSubscription()
    upstream.send(completion: .finished)
    #expect(recorder.events == [.subscription("ReplaceEmpty"), .value(7), .completion(.finished)])
  }

  /// A task requests one value at a time, and drops what comes without demand.
  @Test func tasksGetAllValues() async {
    var values: [Int] = []
    for await value in [1, 2, 3].publisher.replaceEmpty(with: 7).map({ $0 }).values { values.append(value) }
    for await value in [1, 2, 3].publisher.replaceEmpty(with: 7).values { values.append(value) }
    for await value in Empty<Int, Never>().replaceEmpty(with: 7).values { values.append(value) }
    #expect(values == [1, 2, 3, 1, 2, 3, 7])
  }
}
