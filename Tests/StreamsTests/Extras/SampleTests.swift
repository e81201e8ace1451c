import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct SampleTests {
  typealias Source = TestPublisher<Int, TestFailure>

  private struct Rig {
    let upstream = Source()
    let trigger = Source()
    let recorder: RecordingSubscriber<Int, TestFailure>

    init(demand: Subscribers.Demand = .unlimited) {
      recorder = RecordingSubscriber(initialDemand: demand)
      upstream.sample(on: trigger).subscribe(recorder)
    }
  }

  @Test func sendsTheLatestValueOnce() {
    let rig = Rig()
    rig.trigger.send(0)
    rig.upstream.send(1)
    rig.upstream.send(batch: [2, 3])
    rig.trigger.send(batch: [0, 0])
    rig.upstream.send(4)
    rig.trigger.send(0)
    #expect(rig.recorder.values == [3, 4])
    #expect([rig.upstream.ledger, rig.trigger.ledger].map(\.requests) == [[.unlimited], [.unlimited]])
  }

  @Test func aValueWithoutDemandStaysTheLatest() {
    let rig = Rig(demand: .none)
    rig.upstream.send(1)
    rig.trigger.send(0)
    rig.recorder.request(.max(1))
    #expect(rig.recorder.values.isEmpty)
    rig.trigger.send(0)
    rig.upstream.send(2)
    rig.trigger.send(0)
    #expect(rig.recorder.values == [1])
  }

  @Test func theLastValueWaitsForTheTrigger() {
    let rig = Rig()
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.completions.isEmpty)
    rig.recorder.onCompletion = { _ in #expect(rig.trigger.ledger.isCancelled) }
    rig.trigger.send(0)
    #expect(rig.recorder.values == [1] && rig.recorder.completions == [.finished])
    #expect(!rig.upstream.ledger.isCancelled)
  }

  @Test func withNothingToWaitForItFinishesAtOnce() {
    let rig = Rig()
    rig.upstream.send(1)
    rig.trigger.send(0)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.completions == [.finished] && rig.trigger.ledger.isCancelled)
  }

  @Test func theEndOfTheTriggerIsItsLastValue() {
    let rig = Rig()
    rig.upstream.send(1)
    rig.trigger.send(completion: .finished)
    #expect(rig.recorder.values == [1] && rig.recorder.completions == [.finished])
    #expect(rig.upstream.ledger.cancelCount == 1 && !rig.trigger.ledger.isCancelled)
  }

  @Test(arguments: [true, false]) func theFailureOfEitherCancelsTheOtherOne(_ isUpstreams: Bool) {
    let rig = Rig()
    rig.upstream.send(1)
    let (failing, left) = isUpstreams ? (rig.upstream, rig.trigger) : (rig.trigger, rig.upstream)
    failing.send(completion: .failure(TestFailure()))
    rig.trigger.send(0)
    #expect(rig.recorder.values.isEmpty && rig.recorder.completions == [.failure(TestFailure())])
    #expect(left.ledger.cancelCount == 1 && !failing.ledger.isCancelled)
  }

  @Test func cancelledInAValueItSendsNothingMore() {
    let rig = Rig()
    rig.recorder.onValue = { [unowned recorder = rig.recorder] _ in
      recorder.cancel()
      return .max(1)
    }
    rig.upstream.send(1)
    rig.trigger.send(completion: .finished)
    #expect(rig.recorder.values == [1] && rig.recorder.completions.isEmpty)
    #expect(rig.upstream.ledger.cancelCount == 1)
  }

  @Test func aTriggerThatHadToWaitSamples() {
    let rig = Rig()
    cross(
      { meet in
        rig.recorder.onValue = { value in
          if value == 1 {
            rig.upstream.send(2)
            meet()
          }
          return .none
        }
        rig.upstream.send(1)
        rig.trigger.send(0)
      }, { rig.trigger.send(0) })
    #expect(rig.recorder.values == [1, 2])
  }

  /// The trigger fails on another thread while the last value is being received.
  @Test func aFailureThatIsLeftAmidTheLastValueFinishes() {
    let rig = Rig()
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    cross(
      { meet in
        rig.recorder.onValue = { _ in
          meet()
          return .none
        }
        rig.trigger.send(0)
      }, { rig.trigger.send(completion: .failure(TestFailure())) })
    #expect(rig.recorder.values == [1] && rig.recorder.completions == [.finished])
  }
}
