import Streams
import StreamsTesting
import Testing

@Suite struct DropWhileTests {
  private typealias Rig<Failure: Error> = OperatorRig<Int, TestFailure, Int, Failure>

  private func check<P: Publisher<Int, Failure>, Failure: Error>(
    name: String, _ make: (TestPublisher<Int, TestFailure>, @escaping (Int) -> Bool) -> P
  ) {
    let calls = CallCounter()
    let rig = Rig<Failure>(demand: .max(3), returning: .max(4)) { upstream in
      make(upstream, calls.counting { $0 < 3 })
    }
    #expect([1, 2, 3, 1].map { rig.upstream.send($0) } == [.max(1), .max(1), .max(4), .max(4)])
    rig.recorder.request(.max(2))
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .finished)
    #expect(rig.upstream.send(4) == .none)
    rig.recorder.request(.max(2))
    rig.recorder.cancel()
    #expect(calls.count == 3)
    #expect(rig.requests == [.max(3), .max(2)])
    #expect(rig.cancelCount == 0)
    #expect(
      rig.recorder.events.map { "\($0)" } == ["subscription(\(name))", "value(3)", "value(1)", "finished"])

    let batches = Rig<Failure>(returning: .max(4)) { upstream in make(upstream) { $0 < 4 } }
    #expect(batches.upstream.send(batch: [1, 2]) == .max(2))
    #expect(batches.upstream.send(batch: [3, 4, 1]) == .max(1 + 8))
    #expect(batches.upstream.send(batch: [2, 3]) == .max(8))
    #expect(batches.recorder.values == [4, 1, 2, 3])
    #expect(batches.recorder.batchSizes == [1, 1, 1, 1])

    let failing = Rig<Failure> { upstream in make(upstream) { _ in true } }
    failing.upstream.send(completion: .failure(TestFailure()))
    #expect(failing.recorder.failure is TestFailure)

    let early = Rig<Failure>(sendsSubscription: false) { upstream in make(upstream) { _ in false } }
    #expect(early.upstream.send(1) == .none)
    early.upstream.send(completion: .finished)
    early.innerSubscription.request(.max(1))
    early.innerSubscription.cancel()
    #expect(early.recorder.events.isEmpty)
    early.upstream.sendSubscription()
    #expect(early.upstream.ledger.entries.suffix(1) == [.requested(.unlimited)])

    expectKeepsFirstSubscription(name: name) { upstream in make(upstream) { _ in false } }
    expectSurvivesRace { subject in subject.drop { _ in false } }
  }

  @Test func dropsThePrefix() {
    check(name: "DropWhile") { upstream, predicate in upstream.drop(while: predicate) }
    check(name: "TryDropWhile") { upstream, predicate in upstream.tryDrop(while: predicate) }
  }

  @Test func aThrownErrorCancelsAndFails() {
    let rig = Rig<any Error>(demand: .max(3), returning: .max(4)) { upstream in
      upstream.tryDrop { value in
        if value == 3 { throw TestFailure() }
        return true
      }
    }
    rig.recorder.onCompletion = { _ in #expect(rig.cancelCount == 1) }
    #expect(rig.upstream.send(1) == .max(1))
    #expect(rig.upstream.send(batch: [2, 3, 4]) == .max(1))
    #expect(rig.upstream.send(5) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [])
    #expect(rig.recorder.failure is TestFailure)
    #expect(rig.recorder.completions.count == 1)
  }

  @Test func cancellingInsideThePredicateEndsTheBatch() {
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    var seen: [Int] = []
    upstream.drop { value in
      seen.append(value)
      recorder.cancel()
      return true
    }.subscribe(recorder)
    #expect(upstream.send(batch: [1, 2, 3]) == .max(1))
    #expect(upstream.send(4) == .none)
    #expect(seen == [1])
  }

  @Test func requestingNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      TestPublisher<Int, Never>().drop { _ in true }
        .subscribe(RecordingSubscriber<Int, Never>(initialDemand: .none).requestingNothing())
    }
  }
}
