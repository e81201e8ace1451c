import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct ConcatMapTests {
  @Test func onePublisherAtATimeInOrder() {
    let (upstream, inner) = (
      TestPublisher<Int, Never>(), (0..<2).map { _ in PassthroughSubject<String, Never>() }
    )
    let recorder = RecordingSubscriber<String, Never>()
    upstream.concatMap { inner[$0] }.subscribe(recorder)
    #expect(upstream.ledger.requests == [.max(1)])
    upstream.send(0)
    inner[1].send("nobody's")
    inner[0].send("a")
    inner[0].send(completion: .finished)
    #expect(upstream.ledger.requests == [.max(1), .max(1)])
    upstream.send(1)
    inner[1].send("b")
    #expect(recorder.values == ["a", "b"])
  }

  @Test func aFailureOfAPublisherCancelsTheUpstream() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    upstream.concatMap { _ in Fail<Int, TestFailure>(error: TestFailure()) }.subscribe(recorder)
    upstream.send(1)
    #expect(recorder.completions == [.failure(TestFailure())] && upstream.ledger.isCancelled)
  }

  @Test func demandIsKeptAndAFailureEnds() {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(3))
    [1, 2].publisher.setFailureType(to: TestFailure.self).concatMap { value in
      [value, value].publisher.setFailureType(to: TestFailure.self).append(Fail(error: TestFailure()))
    }.subscribe(recorder)
    #expect(recorder.values == [1, 1] && recorder.completions == [.failure(TestFailure())])
  }
}
