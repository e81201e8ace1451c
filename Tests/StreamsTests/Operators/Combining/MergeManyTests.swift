import Streams
import StreamsTesting
import Testing

/// What is particular to any number of publishers of one type; the rest is among the tests of merge.
@Suite struct MergeManyTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test func aMergeOfNothingFinishesAtOnce() {
    let recorder = Recorder(initialDemand: .none)
    Publishers.MergeMany([Source]()).subscribe(recorder)
    #expect(recorder.events == [.subscription("Merge"), .completion(.finished)])
  }

  @Test func publishersOfOneTypeGrowWithoutLimit() {
    let s = (0..<3).map { Just($0) }
    let many: Publishers.MergeMany<Just<Int>> = s[0].merge(with: s[1])
    #expect(many.merge(with: s[2]) == Publishers.MergeMany(s.prefix(3)))
    #expect(many == Publishers.MergeMany(s[0], s[1]))
    #expect(many != Publishers.MergeMany(s[1], s[0]))
    #expect(many.publishers == [s[0], s[1]])
  }

  @Test func twentyPublishersAreAskedInTheirOrder() {
    let sources = (0..<20).map { _ in Source() }
    var order: [Int] = []
    for (index, source) in sources.enumerated() { source.onRequest = { _ in order.append(index) } }
    let recorder = Recorder(initialDemand: .max(1))
    Publishers.MergeMany(sources).subscribe(recorder)
    #expect(order == Array(0..<20))
    #expect(sources.allSatisfy { $0.ledger.requests == [.max(1)] })
    recorder.cancel()
    #expect(sources.allSatisfy { $0.ledger.cancelCount == 1 })
  }
}
