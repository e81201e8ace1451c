import Streams
import StreamsTesting
import Testing

@Suite struct ReduceTests {
  @Test func behavesAsAReduction() {
    Reduction(name: "Reduce", result: 120, resultOfNothing: 1) { $0.reduce(1, *) }.check()
    Reduction(name: "TryReduce", result: 120, resultOfNothing: 1) { $0.tryReduce(1, *) }.check()
  }

  @Test func aThrownErrorCancelsAndFails() {
    checkFailingStep(name: "TryReduce") { upstream, check in
      upstream.tryReduce(0) { sum, value in
        try check(value)
        return sum + value
      }
    }
  }

  @Test func cancellingInsideTheClosureEndsTheBatch() {
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    var seen: [Int] = []
    upstream.reduce(0) { sum, value in
      seen.append(value)
      if value == 2 { recorder.cancel() }
      return sum + value
    }.subscribe(recorder)
    upstream.send(batch: [1, 2, 3])
    upstream.send(4)
    #expect(seen == [1, 2])
    #expect(upstream.ledger.isCancelled)
  }

  @Test func theClosureMaySendAgain() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<[Int], Never>()
    subject.reduce([Int]()) { list, value in
      if value == 1 { subject.send(2) }
      return list + [value]
    }.subscribe(recorder)
    subject.send(1)
    subject.send(completion: .finished)
    #expect(recorder.values == [[1]])
  }

  @Test func survivesRaces() {
    expectSurvivesRace { $0.reduce(0, +) }
    expectSurvivesRace { $0.tryReduce(0, +) }
    expectSurvivesRace { $0.collect() }
    expectSurvivesRace { $0.count() }
    expectSurvivesRace { $0.max() }
    expectSurvivesRace { $0.first { $0 > 150 } }
    expectSurvivesRace { $0.last() }
    expectSurvivesRace { $0.contains(150) }
    expectSurvivesRace { $0.allSatisfy { $0 < 150 } }
  }

  @Test func mirrorsWhatItStartedWithAndWhatItHas() {
    let upstream = TestPublisher<Int, TestFailure>()
    upstream.reduce(10, +).subscribe(RecordingSubscriber<Int, TestFailure>())
    upstream.send(5)
    let mirror = Mirror(reflecting: upstream.subscribers[0])
    #expect(mirror.descendant("initial") as? Int == 10)
    #expect(mirror.descendant("result") as? Int == 15)
  }

  @Test func requestingNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      Empty<Int, Never>(completeImmediately: false).reduce(0, +)
        .subscribe(RecordingSubscriber<Int, Never>(initialDemand: .none) { _ in .none }.requestingNothing())
    }
  }

  @Test func aResultIsSentOnceWhenRequestAndFinishRace() {
    for _ in 0..<200 {
      let upstream = TestPublisher<Int, Never>()
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
      upstream.reduce(1, +).subscribe(recorder)
      race({ upstream.send(completion: .finished) }, { recorder.request(.max(1)) })
      #expect(recorder.values == [1])
      #expect(recorder.completions == [.finished])
    }
  }
}
