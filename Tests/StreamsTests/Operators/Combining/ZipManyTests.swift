import Streams
import StreamsTesting
import Testing

/// What is particular to a number of publishers known at run time; the rest is among the tests of zip.
@Suite struct ZipManyTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<[Int], TestFailure>

  @Test func aZipOfNothingFinishesAtOnce() {
    let recorder = Recorder(initialDemand: .none)
    ZipMany([Source]()).subscribe(recorder)
    #expect(recorder.events == [.subscription("Zip"), .completion(.finished)])
  }

  @Test func aZipOfOneMakesArraysOfOne() {
    let source = Source()
    let recorder = Recorder(initialDemand: .max(2))
    ZipMany(source).subscribe(recorder)
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
    ZipMany(sources).subscribe(recorder)
    for (index, source) in sources.enumerated().reversed() { source.send(batch: [index, 100 + index]) }
    #expect(recorder.values == [Array(0..<20), Array(100..<120)])
    recorder.cancel()
    #expect(sources.allSatisfy { $0.ledger.cancelCount == 1 })
  }

  @Test func equalListsAreEqual() {
    let (one, two) = (Just(1), Just(2))
    #expect(ZipMany(one, two) == ZipMany([one, two]))
    #expect(ZipMany(one, two) != ZipMany(two, one))
    #expect(ZipMany([one, two]).publishers == [one, two])
  }
}
