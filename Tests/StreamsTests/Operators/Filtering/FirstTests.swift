import Streams
import StreamsTesting
import Testing

@Suite struct FirstTests {
  @Test func behavesAsAReduction() {
    Reduction(name: "First", result: 1, resultOfNothing: nil, lastNeeded: 1) { $0.first() }.check()
    Reduction(name: "TryFirst", result: 3, resultOfNothing: nil, lastNeeded: 3) { $0.first { $0 > 2 } }
      .check()
    Reduction(name: "TryFirst", result: nil, resultOfNothing: nil) { $0.first { $0 > 9 } }.check()
    Reduction(name: "TryFirstWhere", result: 3, resultOfNothing: nil, lastNeeded: 3) {
      $0.tryFirst { $0 > 2 }
    }.check()
    Reduction(name: "TryFirstWhere", result: nil, resultOfNothing: nil) { $0.tryFirst { $0 > 9 } }.check()
  }

  @Test func aThrownErrorCancelsAndFails() {
    checkFailingStep(name: "TryFirstWhere") { upstream, check in
      upstream.tryFirst { value in
        try check(value)
        return false
      }
    }
  }

  @Test func takesTheFirstOfABatchOnly() {
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    upstream.first().subscribe(recorder)
    upstream.send(batch: [7, 8, 9])
    #expect(recorder.values == [7])
    #expect(recorder.completions.count == 1)
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func aNestedSignalDoesNotReplaceTheResult() {
    let subject = PassthroughSubject<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onValue = { _ in
      subject.send(2)
      return .none
    }
    subject.first().subscribe(recorder)
    subject.send(1)
    #expect(recorder.values == [1])
  }

  @Test func equalsByUpstream() {
    #expect(Empty<Int, Never>().first() == Empty<Int, Never>().first())
    #expect(Empty<Int, Never>().first() != Empty<Int, Never>(completeImmediately: false).first())
  }
}
