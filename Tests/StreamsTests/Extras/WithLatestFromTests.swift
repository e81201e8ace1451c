import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct WithLatestFromTests {
  typealias Source = TestPublisher<Int, TestFailure>

  private struct Rig {
    let upstream = Source()
    let other: Source
    let recorder: RecordingSubscriber<Int, TestFailure>

    init(
      demand: Subscribers.Demand = .unlimited, other: Source = Source(),
      _ combine: @escaping (Int, Int) -> Int = { $0 + $1 }
    ) {
      self.other = other
      recorder = RecordingSubscriber(initialDemand: demand)
      upstream.withLatestFrom(other, resultSelector: combine).subscribe(recorder)
    }
  }

  @Test func sendsForEachValueWithTheLatestOfTheOther() {
    let rig = Rig(demand: .max(2))
    #expect(rig.other.ledger.requests == [.unlimited])
    #expect(rig.upstream.send(1) == .max(1))
    rig.other.send(batch: [10, 20])
    #expect(rig.upstream.send(2) == .none)
    rig.other.send(30)
    #expect(rig.upstream.send(batch: [3]) == .none)
    #expect(rig.recorder.values == [22, 33])
    #expect(rig.upstream.ledger.requests == [.max(2)])
  }

  @Test func withoutAFunctionItSendsTheLatestItself() {
    let (upstream, other) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<String, Never>("a"))
    let recorder = RecordingSubscriber<String, Never>()
    upstream.withLatestFrom(other).subscribe(recorder)
    upstream.send(1)
    other.send("b")
    upstream.send(1)
    #expect(recorder.values == ["a", "b"])
  }

  @Test func theLatestStaysWhenTheOtherHasFinished() {
    let rig = Rig()
    rig.other.send(1)
    rig.other.send(completion: .finished)
    rig.upstream.send(10)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.values == [11] && rig.recorder.completions == [.finished])
    #expect(!rig.other.ledger.isCancelled)
  }

  @Test(arguments: [true, false]) func theFailureOfEitherCancelsTheOtherOne(_ isUpstreams: Bool) {
    let rig = Rig()
    let (failing, left) = isUpstreams ? (rig.upstream, rig.other) : (rig.other, rig.upstream)
    rig.recorder.onCompletion = { _ in #expect(left.ledger.cancelCount == 1) }
    failing.send(completion: .failure(TestFailure()))
    left.send(1)
    left.send(completion: .finished)
    #expect(rig.recorder.completions == [.failure(TestFailure())])
    #expect(!failing.ledger.isCancelled)
  }

  @Test func anErrorOfAFunctionThatMayThrowCancelsBoth() {
    let (upstream, other) = (Source(), Source())
    let recorder = RecordingSubscriber<Int, TestFailure>()
    let selecting = SelectedPair { (first: Int, second: Int) throws(TestFailure) in
      if first == second { throw TestFailure() }
      return first + second
    }
    TryWithLatestFrom(upstream: upstream, other: other, selecting: selecting).subscribe(recorder)
    recorder.onCompletion = { _ in
      #expect(upstream.ledger.cancelCount == 1 && other.ledger.cancelCount == 1)
    }
    other.send(1)
    upstream.send(batch: [2, 1, 3])
    #expect(recorder.values == [3] && recorder.completions == [.failure(TestFailure())])
  }

  @Test func anEarlyFailureOfTheOtherComesAfterTheSubscription() {
    let upstream = Source()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    upstream.withLatestFrom(Fail(outputType: Int.self, failure: TestFailure())).subscribe(recorder)
    #expect(recorder.events.map(\.kind) == ["subscription", "failure"])
    #expect(upstream.ledger.entries == [.cancelled])
  }

  @Test func cancelledByItsFunctionItSendsNothing() {
    var cancel: () -> Void = {}
    let rig = Rig { first, second in
      cancel()
      return first + second
    }
    cancel = { [unowned recorder = rig.recorder] in recorder.cancel() }
    rig.other.send(1)
    rig.upstream.send(batch: [1, 2])
    #expect(rig.recorder.values.isEmpty)
    #expect([rig.upstream.ledger, rig.other.ledger].map(\.cancelCount) == [1, 1])
  }

  @Test func aValueOfTheOtherWithinADeliveryCountsForTheNext() {
    let rig = Rig()
    rig.recorder.onValue = { [unowned other = rig.other] value in
      other.send(value)
      return .none
    }
    rig.other.send(1)
    rig.upstream.send(batch: [10, 20])
    #expect(rig.recorder.values == [11, 31])
  }

  @Test func demandReturnedForAValueThatHadToWaitIsRequested() {
    let rig = Rig(demand: .max(2))
    rig.other.send(1)
    cross(
      { meet in
        rig.recorder.onValue = { value in
          if value == 11 { meet() }
          return .max(value)
        }
        #expect(rig.upstream.send(10) == .max(11))
      }, { #expect(rig.upstream.send(20) == .none) })
    #expect(rig.recorder.values == [11, 21])
    #expect(rig.upstream.ledger.requests == [.max(2), .max(21)])
  }

  @Test func aValueOfTheOtherThatHadToWaitIsKept() {
    let rig = Rig()
    rig.other.send(1)
    cross(
      { meet in
        rig.recorder.onValue = { value in
          if value == 11 { meet() }
          return .none
        }
        rig.upstream.send(10)
      }, { rig.other.send(2) })
    rig.upstream.send(20)
    #expect(rig.recorder.values == [11, 22])
  }
}
