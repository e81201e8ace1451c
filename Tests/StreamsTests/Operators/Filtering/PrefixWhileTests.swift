import Streams
import StreamsTesting
import Testing

@Suite struct PrefixWhileTests {
  private typealias Rig<Failure: Error> = OperatorRig<Int, TestFailure, Int, Failure>

  private func check<P: Publisher<Int, Failure>, Failure: Error>(
    name: String, _ make: (TestPublisher<Int, TestFailure>, @escaping (Int) -> Bool) -> P
  ) {
    let calls = CallCounter()
    let rig = Rig<Failure>(demand: .max(3), returning: .max(4)) { upstream in
      make(upstream, calls.counting { $0 < 3 })
    }
    rig.recorder.onCompletion = { _ in #expect(rig.cancelCount == 1) }
    #expect((1...5).map { rig.upstream.send($0) } == [.max(4), .max(4), .none, .none, .none])
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.recorder.request(.max(2))
    rig.recorder.cancel()
    #expect(calls.count == 3)
    #expect(rig.requests == [.max(3)])
    #expect(rig.cancelCount == 1)
    #expect(
      rig.recorder.events.map { "\($0)" } == ["subscription(\(name))", "value(1)", "value(2)", "finished"])

    let batches = Rig<Failure>(returning: .max(4)) { upstream in make(upstream) { $0 < 4 } }
    #expect(batches.upstream.send(batch: [1, 2]) == .max(8))
    #expect(batches.upstream.send(batch: [3, 4, 1]) == .max(4))
    #expect(batches.recorder.values == [1, 2, 3])
    #expect(batches.recorder.batchSizes == [1, 1, 1])
    #expect(batches.recorder.completions.count == 1)

    for completion in [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())] {
      let rig = Rig<Failure> { upstream in make(upstream) { _ in true } }
      rig.upstream.send(completion: completion)
      rig.upstream.send(completion: .finished)
      #expect(rig.recorder.completions.map { "\($0)" } == ["\(completion)"])
      #expect(rig.cancelCount == 0)
    }

    expectKeepsFirstSubscription(name: name, children: ["downstream"]) { upstream in
      make(upstream) { _ in true }
    }
    expectSurvivesRace { subject in subject.prefix { $0 < 1000 } }
  }

  @Test func sendsThePrefix() {
    check(name: "PrefixWhile") { upstream, predicate in upstream.prefix(while: predicate) }
    check(name: "TryPrefixWhile") { upstream, predicate in upstream.tryPrefix(while: predicate) }
  }

  @Test func aThrownErrorCancelsAndFails() {
    let rig = Rig<any Error>(demand: .max(3), returning: .max(4)) { upstream in
      upstream.tryPrefix { value in
        if value == 3 { throw TestFailure() }
        return true
      }
    }
    rig.recorder.onCompletion = { _ in #expect(rig.cancelCount == 1) }
    #expect(rig.upstream.send(batch: [1, 2, 3, 4]) == .max(8))
    rig.upstream.send(5)
    #expect(rig.recorder.values == [1, 2])
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.recorder.completions.count == 1)
  }

  @Test func cancellingInsideThePredicateEndsTheBatch() {
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    var seen: [Int] = []
    upstream.prefix { value in
      seen.append(value)
      recorder.cancel()
      return true
    }.subscribe(recorder)
    upstream.send(batch: [1, 2, 3])
    upstream.send(4)
    #expect(seen == [1])
    // The value for which the predicate said yes is still sent.
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }

  @Test func signalsBeforeTheSubscriptionTrap() async {
    await #expect(processExitsWith: .failure) {
      let upstream = TestPublisher<Int, Never>(sendsSubscription: false)
      upstream.prefix { _ in true }.subscribe(RecordingSubscriber<Int, Never>())
      upstream.send(1)
    }
    await #expect(processExitsWith: .failure) {
      let upstream = TestPublisher<Int, Never>(sendsSubscription: false)
      upstream.tryPrefix { _ in true }.subscribe(RecordingSubscriber<Int, any Error>())
      upstream.send(completion: .finished)
    }
    await #expect(processExitsWith: .failure) {
      let rig = OperatorRig<Int, Never, Int, Never>(sendsSubscription: false) { $0.prefix { _ in true } }
      rig.innerSubscription.request(.max(1))
    }
    await #expect(processExitsWith: .failure) {
      TestPublisher<Int, Never>().prefix { _ in true }
        .subscribe(RecordingSubscriber<Int, Never>(initialDemand: .none).requestingNothing())
    }
  }

  @Test func cancellingBeforeTheSubscriptionCancelsIt() {
    let rig = OperatorRig<Int, Never, Int, Never>(sendsSubscription: false) { $0.prefix { _ in true } }
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.upstream.ledger.entries == [.cancelled])
    #expect(rig.recorder.events.isEmpty)
  }

  @Test func whatAClosureSendsComesAfterTheValuesBefore() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    subject.prefix { value in
      if value == 3 { subject.send(0) }
      if value == 4 { subject.send(completion: .finished) }
      return true
    }.subscribe(recorder)
    [1, 2, 3, 4, 5].withUnsafeBufferPointer { subject.send(contentsOf: $0) }
    // The one for which the predicate said yes is still sent.
    #expect(recorder.values == [1, 2, 0, 3, 4])
    #expect(recorder.completions.count == 1)
  }
}
