import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct AmbTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private func setup(_ count: Int, demand: Subscribers.Demand = .unlimited) -> ([Source], Recorder) {
    let (sources, recorder) = ((0..<count).map { _ in Source() }, Recorder(initialDemand: demand))
    Publishers.AmbMany(sources).subscribe(recorder)
    return (sources, recorder)
  }

  @Test func theFirstToSendIsChosenAndTheOthersAreCancelled() {
    let (sources, recorder) = setup(3)
    sources[1].send(batch: [1, 2])
    sources[0].send(3)
    sources[2].send(completion: .failure(TestFailure()))
    sources[1].send(4)
    sources[1].send(completion: .finished)
    #expect(recorder.values == [1, 2, 4] && recorder.completions == [.finished])
    #expect(sources.map(\.ledger.cancelCount) == [1, 0, 1])
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())])
  func anEndIsSomethingToo(_ end: Subscribers.Completion<TestFailure>) {
    let (sources, recorder) = setup(2)
    recorder.onCompletion = { _ in #expect(sources[1].ledger.isCancelled) }
    sources[0].send(completion: end)
    sources[1].send(1)
    #expect(recorder.values.isEmpty && recorder.completions == [end])
  }

  @Test func demandGoesToAllAndThenToTheChosen() {
    let (sources, recorder) = setup(2, demand: .max(2))
    recorder.request(.max(1))
    sources[0].send(1)
    recorder.request(.max(4))
    #expect(sources[0].ledger.requests == [.max(2), .max(1), .max(4)])
    #expect(sources[1].ledger.requests == [.max(2), .max(1)])
  }

  @Test func afterAChoiceNoOtherIsSubscribedTo() {
    let (late, recorder) = (Source(), Recorder())
    Just(1).setFailureType(to: TestFailure.self).amb(with: late).subscribe(recorder)
    #expect(recorder.values == [1] && late.subscribers.isEmpty)
  }

  @Test func whoSubscribesLateIsCancelled() {
    let (early, late) = (Source(), Source(sendsSubscription: false))
    let recorder = Recorder()
    early.amb(with: late).subscribe(recorder)
    early.send(1)
    late.sendSubscription()
    #expect(late.ledger.entries == [.cancelled])
  }

  @Test func aCancellationReachesAll() {
    let (sources, recorder) = setup(2)
    recorder.cancel()
    sources[0].send(1)
    #expect(recorder.values.isEmpty && sources.map(\.ledger.cancelCount) == [1, 1])
  }

  @Test func ofNoneItFinishesAtOnce() {
    let (_, recorder) = setup(0, demand: .none)
    #expect(recorder.events.map(\.kind) == ["subscription", "finished"])
  }

  /// A loser that is cancelled may have the winner send: that value comes after the one that has won.
  @Test func whatTheWinnerSendsWhileOthersAreCancelledComesAfterwards() {
    let (sources, recorder) = setup(2)
    sources[1].subscriptions[0].onCancel = { sources[0].send(2) }
    sources[0].send(1)
    #expect(recorder.values == [1, 2])
  }
}
