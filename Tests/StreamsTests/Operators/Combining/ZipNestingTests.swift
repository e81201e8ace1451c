import Streams
import StreamsTesting
import Testing

/// What `zip` makes of requests from within its own signals, and what it releases at the end.
@Suite struct ZipNestingTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<[Int], TestFailure>

  private func pair(_ recorder: Recorder = Recorder()) -> (Source, Source, Recorder) {
    let (first, second) = (Source(), Source())
    first.zip(second) { [$0, $1] }.subscribe(recorder)
    return (first, second, recorder)
  }

  // MARK: Requests

  @Test func requestsAroundANestedDeliveryStillBelongToTheOuterOne() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(1)))
    recorder.onValue = { [unowned recorder] value in
      guard value == [1, 2] else { return .none }
      recorder.request(.max(3))
      first.send(3)
      second.send(4)
      recorder.request(.max(5))
      return .max(7)
    }
    first.send(1)
    #expect(second.send(2) == .max(15))
    #expect(recorder.values == [[1, 2], [3, 4]])
    #expect(first.ledger.requests == [.max(1), .max(3), .max(5), .max(7)])
    #expect(second.ledger.requests == [.max(1)])
  }

  @Test func aRequestAfterTheCancellationInADeliveryIsNotReturned() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(1)))
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      recorder.request(.max(3))
      return .none
    }
    first.send(1)
    #expect(second.send(2) == .none)
    #expect([first, second].map(\.ledger.requests) == [[.max(1)], [.max(1)]])
  }

  @Test func aThreadThatCompletesATupleHasTheDemandReturned() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(2)))
    let other = OtherThread {
      first.send(3)
      #expect(second.send(4) == .max(5))
    }
    recorder.onValue = { [unowned recorder] value in
      guard value == [1, 2] else { return .max(5) }
      other.startAndWait(for: recorder)
      return .max(7)
    }
    first.send(1)
    #expect(second.send(2) == .max(7))
    other.join()
    #expect(recorder.values == [[1, 2], [3, 4]])
    #expect(recorder.overlapCount == 0)
    // Each thread passes on what it was returned after its turn.
    #expect(first.ledger.requests.first == .max(2))
    #expect(Set(first.ledger.requests.dropFirst()) == [.max(7), .max(5)])
    #expect(second.ledger.requests == [.max(2)])
  }

  @Test func aRequestWithinTheCompletionIsNotPassedOn() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(1)))
    recorder.onCompletion = { [unowned recorder] _ in recorder.request(.max(3)) }
    first.send(completion: .finished)
    #expect(recorder.completions == [.finished])
    #expect([first, second].map(\.ledger.requests) == [[.max(1)], [.max(1)]])
  }

  @Test func aRequestForNothingTrapsInADeliveryAndOutside() async {
    await #expect(processExitsWith: .failure) {
      let source = TestPublisher<Int, Never>()
      source.zip(source).subscribe(RecordingSubscriber<(Int, Int), Never>().requestingNothing())
    }
    await #expect(processExitsWith: .failure) {
      let (first, second) = (TestPublisher<Int, Never>(), TestPublisher<Int, Never>())
      let recorder = RecordingSubscriber<(Int, Int), Never>()
      recorder.onValue = { _ in
        recorder.request(.none)
        return .none
      }
      first.zip(second).subscribe(recorder)
      first.send(1)
      second.send(2)
    }
  }

  // MARK: Lifetimes

  /// The sources here hold on to the operator after the end.
  @Test(arguments: ["finish", "fail", "cancel"])
  func letsGoOfTheValuesItKeeps(_ end: String) {
    let lifetimes = LifetimeTracker()
    let (first, second) = (TestPublisher<LifetimeToken, TestFailure>(), Source())
    let recorder = RecordingSubscriber<Int, TestFailure>()
    first.zip(second) { $1 }.subscribe(recorder)
    first.send(lifetimes.token())
    #expect(lifetimes.liveCount == 1)
    switch end {
    case "cancel": recorder.cancel()
    case "fail": second.send(completion: .failure(TestFailure()))
    default: second.send(completion: .finished)
    }
    #expect(lifetimes.liveCount == 0)
  }

  @Test func letsGoOfTheSubscriptionOfTheSourceThatFinished() {
    let (first, second, recorder) = (Source(sendsSubscription: false), Source(), Recorder())
    first.zip(second) { [$0, $1] }.subscribe(recorder)
    weak var subscription: TestSubscription?
    do {
      let held = TestSubscription()
      first.send(subscription: held)
      subscription = held
    }
    #expect(subscription != nil)
    first.send(completion: .finished)
    #expect(recorder.completions == [.finished])
    #expect(subscription == nil)
  }
}
