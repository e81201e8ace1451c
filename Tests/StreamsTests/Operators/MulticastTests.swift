import Streams
import StreamsTesting
import Testing

@Suite struct MulticastTests {
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  let upstream = TestPublisher<Int, TestFailure>()

  @Test func sendsToAllSubscribersOnceConnected() {
    var made = 0
    let multicast = upstream.multicast { () -> PassthroughSubject<Int, TestFailure> in
      made += 1
      return PassthroughSubject()
    }
    #expect(made == 0)
    let recorders = [Recorder(), Recorder(initialDemand: .max(2))]
    for recorder in recorders { multicast.subscribe(recorder) }
    #expect(upstream.subscribers.isEmpty)
    let connection = multicast.connect()
    #expect(made == 1)
    upstream.send(1)
    upstream.send(batch: [2, 3])
    upstream.send(completion: .failure(TestFailure()))
    #expect(recorders.map(\.values) == [[1, 2, 3], [1, 2]])
    #expect(recorders.map(\.completions) == [[.failure(TestFailure())], [.failure(TestFailure())]])
    #expect(recorders[0].events.first == .subscription("Multicast"))
    connection.cancel()
  }

  @Test func twoConnectionsSendTwice() {
    let multicast = upstream.multicast(subject: PassthroughSubject())
    let recorder = Recorder()
    multicast.subscribe(recorder)
    let connections = [multicast.connect(), multicast.connect()]
    upstream.send(1)
    #expect(recorder.values == [1, 1])
    #expect(connections[0] is AnyCancellable)
    connections[0].cancel()
    upstream.send(2)
    #expect(recorder.values == [1, 1, 2])
    withExtendedLifetime(connections) {}
  }

  @Test func demandReturnedForAValueIsRequested() {
    let multicast = upstream.multicast(subject: PassthroughSubject())
    let recorder = Recorder(initialDemand: .max(1)) { $0 < 3 ? .max(1) : .none }
    multicast.subscribe(recorder)
    let connection = multicast.connect()
    for value in 1...4 { upstream.send(value) }
    #expect(recorder.values == [1, 2, 3])
    connection.cancel()
  }

  @Test func cancellingASubscriberLeavesTheOthers() {
    let multicast = upstream.multicast(subject: PassthroughSubject())
    let recorders = [Recorder(), Recorder()]
    for recorder in recorders { multicast.subscribe(recorder) }
    let connection = multicast.connect()
    recorders[0].cancel()
    recorders[0].request(.max(1))
    upstream.send(1)
    #expect(recorders.map(\.values) == [[], [1]])
    connection.cancel()
    #expect(upstream.ledger.cancelCount == 1)
  }
}
