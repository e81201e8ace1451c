import Streams
import StreamsTesting
import Testing

@Suite struct ShareTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  let upstream = TestPublisher<Int, TestFailure>()

  @Test func sharesOneSubscription() {
    let shared = upstream.share()
    let recorders = [Recorder(), Recorder(), Recorder()]
    shared.subscribe(recorders[0])
    shared.subscribe(recorders[1])
    #expect(upstream.subscribers.count == 1)
    #expect(upstream.ledger.requests == [.unlimited])
    upstream.send(1)
    recorders[0].cancel()
    upstream.send(2)
    #expect(!upstream.ledger.isCancelled)
    recorders[1].cancel()
    #expect(upstream.ledger.cancelCount == 1)
    #expect(recorders.map(\.values) == [[1], [1, 2], []])

    shared.subscribe(recorders[2])
    #expect(upstream.subscribers.count == 2)
  }

  @Test func aLateSubscriberGetsTheCompletionOnly() {
    let shared = upstream.share()
    let first = Recorder()
    shared.subscribe(first)
    upstream.send(1)
    upstream.send(completion: .finished)
    let late = Recorder()
    shared.subscribe(late)
    #expect(late.values.isEmpty)
    #expect(late.completions == [.finished])
  }

  @Test func isEqualToItselfOnly() {
    let shared = upstream.share()
    #expect(shared == shared)
    #expect(shared != upstream.share())
  }

  @Test func manyThreadsShareOneSubscription() {
    for _ in 0..<200 {
      let upstream = TestPublisher<Int, TestFailure>()
      let shared = upstream.share()
      let recorders = (0..<3).map { _ in Recorder() }
      race(
        { shared.subscribe(recorders[0]) }, { shared.subscribe(recorders[1]) },
        { shared.subscribe(recorders[2]) })
      #expect(upstream.subscribers.count == 1)
      upstream.send(1)
      #expect(recorders.map(\.values) == [[1], [1], [1]])
      for recorder in recorders { recorder.cancel() }
      #expect(upstream.ledger.cancelCount == 1)
    }
  }
}
