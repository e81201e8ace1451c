import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite struct ShareReplayTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  let source = TestPublisher<Int, TestFailure>()

  @Test func lateSubscribersGetTheLatest() {
    let shared = source.share(replay: 2)
    let (first, second) = (Recorder(), Recorder(initialDemand: .max(1)))
    shared.subscribe(first)
    source.send(batch: [1, 2, 3])
    shared.subscribe(second)
    #expect(first.values == [1, 2, 3] && second.values == [2])
    #expect(source.ledger.requests == [.unlimited])
    second.request(.unlimited)
    #expect(second.values == [2, 3])
  }

  @Test func whoSubscribesWithinAValueGetsTheLatest() {
    let (shared, inner) = (source.share(replay: 1), Recorder())
    let outer = Recorder {
      if $0 == 2 { shared.subscribe(inner) }
      return .none
    }
    shared.subscribe(outer)
    (1...3).forEach { source.send($0) }
    #expect(outer.values == [1, 2, 3] && inner.values == [2, 3])
  }

  @Test func theUpstreamIsNotSubscribedToAgainAfterItsEnd() {
    var count = 0
    let shared = Deferred { () -> Just<Int> in
      count += 1
      return Just(count)
    }.share(replay: 1)
    let recorders = (0..<3).map { _ in RecordingSubscriber<Int, Never>() }
    recorders.forEach(shared.subscribe)
    #expect(count == 1)
    for recorder in recorders { #expect(recorder.values == [1] && recorder.completions == [.finished]) }
  }

  @Test func theLastToLeaveCancels() {
    let shared = source.share(replay: 1)
    let recorders = [Recorder(), Recorder(), Recorder()]
    recorders[..<2].forEach(shared.subscribe)
    source.send(1)
    recorders[0].cancel()
    #expect(!source.ledger.isCancelled)
    recorders[1].cancel()
    #expect(source.ledger.isCancelled)
    shared.subscribe(recorders[2])
    #expect(recorders[2].values == [1])
  }
}
