import Streams
import StreamsTesting
import Testing

/// What is particular to a number of publishers known at run time; the rest is among the tests of combineLatest.
@Suite struct CombineLatestManyTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<[Int], TestFailure>

  @Test func nothingCombinedFinishesAtOnce() {
    let recorder = Recorder(initialDemand: .none)
    CombineLatestMany([Source]()).subscribe(recorder)
    #expect(recorder.events == [.subscription("CombineLatest"), .completion(.finished)])
  }

  @Test func aCombinationOfOneMakesArraysOfOne() {
    let source = Source()
    let recorder = Recorder(initialDemand: .max(2))
    CombineLatestMany(source).subscribe(recorder)
    #expect(source.ledger.requests == [.max(2)])
    source.send(1)
    source.send(2)
    source.send(completion: .finished)
    #expect(recorder.values == [[1], [2]])
    #expect(recorder.completions == [.finished])
  }

  @Test func twentyPublishersMakeArraysInTheirOrder() {
    let sources = (0..<20).map { _ in Source() }
    let recorder = Recorder()
    CombineLatestMany(sources).subscribe(recorder)
    for (index, source) in sources.enumerated().reversed() { source.send(index) }
    sources[19].send(100)
    #expect(recorder.values == [Array(0..<20), Array(0..<19) + [100]])
    recorder.cancel()
    #expect(sources.allSatisfy { $0.ledger.cancelCount == 1 })
  }

  @Test func equalListsAreEqual() {
    let (one, two) = (Just(1), Just(2))
    #expect(CombineLatestMany(one, two) == CombineLatestMany([one, two]))
    #expect(CombineLatestMany(one, two) != CombineLatestMany(two, one))
    #expect(CombineLatestMany([one, two]).publishers == [one, two])
  }
}
