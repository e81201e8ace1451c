import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct MaterializeTests {
  typealias Events = RecordingSubscriber<Event<Int, TestFailure>, Never>

  private func materialized(_ demand: Subscribers.Demand) -> (TestPublisher<Int, TestFailure>, Events) {
    let (upstream, recorder) = (TestPublisher<Int, TestFailure>(), Events(initialDemand: demand))
    upstream.materialize().subscribe(recorder)
    return (upstream, recorder)
  }

  @Test func theEndIsTheLastValue() {
    let (upstream, recorder) = materialized(.unlimited)
    upstream.send(batch: [1, 2])
    upstream.send(completion: .finished)
    #expect(recorder.values == [.value(1), .value(2), .finished] && recorder.completions == [.finished])
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())])
  func theEndWaitsForDemand(_ end: Subscribers.Completion<TestFailure>) {
    let (upstream, recorder) = materialized(.max(1))
    upstream.send(1)
    upstream.send(completion: end)
    #expect(recorder.values == [.value(1)] && recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values.last == (end == .finished ? .finished : .failure(TestFailure())))
    #expect(recorder.completions == [.finished])
  }

  @Test func aCancellationReachesTheUpstream() {
    let (upstream, recorder) = materialized(.unlimited)
    recorder.cancel()
    upstream.send(completion: .finished)
    #expect(recorder.values.isEmpty && upstream.ledger.cancelCount == 1)
  }

  private func dematerialized(
    _ demand: Subscribers.Demand = .unlimited
  ) -> (TestPublisher<Event<Int, TestFailure>, Never>, RecordingSubscriber<Int, TestFailure>) {
    let upstream = TestPublisher<Event<Int, TestFailure>, Never>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: demand)
    upstream.dematerialize().subscribe(recorder)
    return (upstream, recorder)
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())])
  func anEndEndsTheStreamAndCancelsTheUpstream(_ end: Subscribers.Completion<TestFailure>) {
    let (upstream, recorder) = dematerialized()
    upstream.send(.value(1))
    upstream.send(end == .finished ? .finished : .failure(TestFailure()))
    upstream.send(.value(2))
    #expect(recorder.values == [1] && recorder.completions == [end])
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func aFinishWithoutAnEventFinishesToo() {
    let (upstream, recorder) = dematerialized()
    upstream.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func demandPassesThrough() {
    let (upstream, recorder) = dematerialized(.max(2))
    #expect(upstream.ledger.requests == [.max(2)])
    #expect(upstream.send(batch: [.value(1), .value(2)]) == .none)
    #expect(recorder.values == [1, 2])
  }
}
