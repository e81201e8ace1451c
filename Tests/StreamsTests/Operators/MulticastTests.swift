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

  @Test func makeConnectableHoldsValuesBack() {
    let upstream = TestPublisher<Int, Never>()
    let connectable = upstream.makeConnectable()
    var values: [Int] = []
    let ticket = connectable.sink { values.append($0) }
    #expect(upstream.subscribers.isEmpty)
    let connection = connectable.connect()
    upstream.send(1)
    connection.cancel()
    #expect(values == [1])
    ticket.cancel()
  }
}

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

@Suite struct AutoconnectTests {
  /// Counts connections and disconnections.
  final class Connectable: ConnectablePublisher {
    typealias Output = Int
    typealias Failure = Never

    let base = TestPublisher<Int, Never>()
    var log: [String] = []

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      base.receive(subscriber: subscriber)
    }

    func connect() -> any Cancellable {
      log.append("connect")
      return AnyCancellable { [unowned self] in log.append("disconnect") }
    }
  }

  let connectable = Connectable()

  @Test func connectsForTheFirstAndDisconnectsAfterTheLast() {
    let automatic = connectable.autoconnect()
    let recorders = (0..<3).map { _ in RecordingSubscriber<Int, Never>(initialDemand: .max(1)) { .max($0) } }
    for recorder in recorders { automatic.subscribe(recorder) }
    #expect(connectable.log == ["connect"])
    #expect(connectable.base.send(2) == .max(6))
    recorders[0].cancel()
    recorders[0].cancel()
    recorders[1].cancel()
    #expect(connectable.log == ["connect"])
    recorders[2].cancel()
    #expect(connectable.log == ["connect", "disconnect"])
    #expect(recorders.map(\.values) == [[2], [2], [2]])
  }

  @Test func aSubscriptionWithinTheFirstConnectsToo() {
    let automatic = connectable.autoconnect()
    let inner = RecordingSubscriber<Int, Never>()
    let outer = RecordingSubscriber<Int, Never>()
    outer.onSubscription = { _ in automatic.subscribe(inner) }
    automatic.subscribe(outer)
    #expect(connectable.log.filter { $0 == "connect" }.count == 2)
  }

  @Test func passesTheSubscriptionsIdentityOn() throws {
    let automatic = connectable.autoconnect()
    let recorder = RecordingSubscriber<Int, Never>()
    automatic.subscribe(recorder)
    let subscription = try #require(recorder.subscriptions.first)
    #expect(subscription.combineIdentifier == connectable.base.subscriptions[0].combineIdentifier)
    #expect(String(describing: subscription) == "TestSubscription")
    let inner = try #require(connectable.base.subscribers.first)
    #expect(String(describing: inner) == "Autoconnect")
    #expect(Mirror(reflecting: inner).children.map(\.label) == ["parent", "downstream"])
  }
}
