import StreamsExtras
import StreamsTesting
import Testing

@testable import Streams

@Suite struct CollectionJoinsTests {
  private func values<P: Publisher>(_ publisher: P) -> [P.Output] where P.Failure == Never {
    let recorder = RecordingSubscriber<P.Output, Never>()
    publisher.subscribe(recorder)
    #expect(recorder.completions == [.finished])
    return recorder.values
  }

  @Test func aCollectionOfPublishersIsJoined() {
    let publishers = [[1, 2].publisher, [3, 4].publisher, [5, 6].publisher]
    #expect(values(publishers.zip()) == [[1, 3, 5], [2, 4, 6]])
    #expect(values(publishers.combineLatest()) == [[2, 4, 5], [2, 4, 6]])
    #expect(values(publishers.merge()) == [1, 2, 3, 4, 5, 6])
    #expect(values(publishers.amb()) == [1, 2])
  }

  @Test func anEmptyCollectionFinishesAtOnce() {
    let none: [Just<Int>] = []
    #expect(values(none.zip()).isEmpty && values(none.combineLatest()).isEmpty)
    #expect(values(none.merge()).isEmpty && values(none.amb()).isEmpty)
  }

  @Test func demandGoesToEachAndACancellationToo() {
    let sources = (0..<2).map { _ in TestPublisher<Int, TestFailure>() }
    let recorder = RecordingSubscriber<[Int], TestFailure>(initialDemand: .max(1))
    sources.zip().subscribe(recorder)
    #expect(sources.map(\.ledger.requests) == [[.max(1)], [.max(1)]])
    recorder.cancel()
    #expect(sources.map(\.ledger.cancelCount) == [1, 1])
  }

  @Test func theFirstFailureFails() {
    let sources = (0..<2).map { _ in TestPublisher<Int, TestFailure>() }
    let recorder = RecordingSubscriber<[Int], TestFailure>()
    sources.combineLatest().subscribe(recorder)
    sources[1].send(completion: .failure(TestFailure()))
    #expect(recorder.completions == [.failure(TestFailure())])
  }
}
