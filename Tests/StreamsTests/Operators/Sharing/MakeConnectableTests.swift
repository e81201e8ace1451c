import Streams
import StreamsTesting
import Testing

@Suite struct MakeConnectableTests {
  typealias Recorder = RecordingSubscriber<Int, Never>

  @Test func holdsValuesBack() {
    let upstream = TestPublisher<Int, Never>()
    let connectable = upstream.makeConnectable()
    var values: [Int] = []
    let cancellable = connectable.sink { values.append($0) }
    #expect(upstream.subscribers.isEmpty)
    let connection = connectable.connect()
    upstream.send(1)
    connection.cancel()
    #expect(values == [1])
    cancellable.cancel()
  }

  @Test func requestsEverythingOnceSomebodyHasRequested() {
    let upstream = TestPublisher<Int, Never>()
    let connectable = upstream.makeConnectable()
    let recorders = [Recorder(initialDemand: .none), Recorder(initialDemand: .none)]
    for recorder in recorders { connectable.subscribe(recorder) }
    let connection = connectable.connect()
    #expect(upstream.ledger.requests == [])
    recorders[1].request(.max(1))
    #expect(upstream.ledger.requests == [.unlimited])
    upstream.send(1)
    upstream.send(2)
    #expect(recorders.map(\.values) == [[], [1]])
    connection.cancel()
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func subscribersThatComeLateGetWhatFollows() {
    let upstream = TestPublisher<Int, Never>()
    let connectable = upstream.makeConnectable()
    let connection = connectable.connect()
    let (first, second, third) = (Recorder(), Recorder(), Recorder())
    connectable.subscribe(first)
    upstream.send(1)
    connectable.subscribe(second)
    upstream.send(batch: [2, 3])
    upstream.send(completion: .finished)
    connectable.subscribe(third)
    #expect([first, second, third].map(\.values) == [[1, 2, 3], [2, 3], []])
    #expect([first, second, third].map(\.completions) == [[.finished], [.finished], [.finished]])
    connection.cancel()
  }

  @Test func describesItselfAsMulticast() {
    let connectable = TestPublisher<Int, Never>().makeConnectable()
    let recorder = Recorder()
    connectable.subscribe(recorder)
    #expect(recorder.events == [.subscription("Multicast")])
  }

  @Test func releasingTheConnectionDisconnects() {
    let upstream = TestPublisher<Int, Never>()
    let connectable = upstream.makeConnectable()
    let recorder = Recorder()
    connectable.subscribe(recorder)
    do { _ = connectable.connect() }
    #expect(upstream.ledger.isCancelled)
  }
}
