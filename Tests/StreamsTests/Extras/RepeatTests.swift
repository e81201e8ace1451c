import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct RepeatTests {
  @Test func subscribesAsOftenAsItIsSaid() {
    let recorder = RecordingSubscriber<Int, Never>()
    [1, 2].publisher.repeat(3).subscribe(recorder)
    #expect(recorder.values == [1, 2, 1, 2, 1, 2] && recorder.completions == [.finished])
    #expect(recorder.subscriptions.map { "\($0)" } == ["Repeat"])
  }

  @Test func withoutALimitItGoesOnForAsLongAsThereIsDemand() {
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(5))
    [1, 2].publisher.repeat().subscribe(recorder)
    #expect(recorder.values == [1, 2, 1, 2, 1])
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 1, 2, 1, 2, 1])
    recorder.cancel()
    recorder.request(.max(2))
    #expect(recorder.values.count == 7 && recorder.completions.isEmpty)
  }

  @Test func repeatedNeverItFinishesWithoutASubscription() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
    upstream.repeat(0).subscribe(recorder)
    #expect(upstream.subscribers.isEmpty)
    #expect(recorder.events.map(\.kind) == ["subscription", "finished"])
  }

  @Test func whatIsOwedIsRequestedOfTheNext() {
    let rig = OperatorRig<Int, TestFailure, Int, TestFailure>(demand: .max(3)) { $0.repeat() }
    rig.upstream.send(1)
    let first = rig.upstream.subscriptions[0].ledger
    rig.upstream.send(completion: .finished)
    #expect(first.requests == [.max(3)] && !first.isCancelled)
    #expect(rig.upstream.subscriptions[1].ledger.requests == [.max(2)])
  }

  @Test func aFailureEndsIt() {
    let rig = OperatorRig<Int, TestFailure, Int, TestFailure> { $0.repeat() }
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.upstream.subscribers.count == 1)
    #expect(rig.recorder.completions == [.failure(TestFailure())])
  }

  @Test func aLongRepetitionDoesNotNest() {
    var count = 0
    let cancellable = Just(1).repeat(100_000).sink { count += $0 }
    #expect(count == 100_000)
    cancellable.cancel()
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
    Empty<Int, Never>().repeat(100_000).subscribe(recorder)
    #expect(recorder.completions == [.finished])
  }

  @Test func anotherThreadEndsWhatNeverWould() {
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
    let meeting = Meeting()
    var round = 0
    let endless = Deferred { () -> Empty<Int, Never> in
      round += 1
      if round == 3 { meeting.wait() }
      return Empty()
    }
    race(
      { endless.repeat().subscribe(recorder) },
      {
        meeting.wait()
        recorder.cancel()
      })
    #expect(recorder.completions.isEmpty)
  }
}
