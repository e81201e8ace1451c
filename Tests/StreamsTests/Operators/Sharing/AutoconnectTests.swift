import Streams
import StreamsExtras
import StreamsTesting
import Testing

@Suite struct AutoconnectTests {
  /// Counts connections and disconnections.
  final class Connectable: ConnectablePublisher {
    typealias Output = Int
    typealias Failure = Never

    let base = TestPublisher<Int, Never>()
    var log: [String] = []
    var onConnect: () -> Void = {}

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      base.receive(subscriber: subscriber)
    }

    func connect() -> any Cancellable {
      log.append("connect")
      onConnect()
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
    // What was cancelled is the connectable publisher's to ignore.
    recorders[2].request(.max(3))
    #expect(connectable.base.ledger.requests == [.max(1), .max(3)])
  }

  /// As in Combine: the first of the two to leave disconnects both.
  @Test(arguments: [0, 1])
  func ofAUsersOwnASubscriptionWithinTheFirstConnectsTooAndIsNotCounted(_ first: Int) {
    let automatic = connectable.autoconnect()
    let recorders = [RecordingSubscriber<Int, Never>(), RecordingSubscriber<Int, Never>()]
    recorders[0].onSubscription = { _ in automatic.subscribe(recorders[1]) }
    automatic.subscribe(recorders[0])
    // A second connection ends the first one, whose cancellable is released.
    #expect(connectable.log == ["connect", "connect", "disconnect"])
    recorders[first].cancel()
    #expect(connectable.log == ["connect", "connect", "disconnect", "disconnect"])
    recorders[1 - first].cancel()
    #expect(connectable.log == ["connect", "connect", "disconnect", "disconnect"])
  }

  @Test func ofAUsersOwnWhoLeavesWithinTheFirstSubscriptionDisconnectsNobodyElse() {
    let automatic = connectable.autoconnect()
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onSubscription = { _ in automatic.sink { _ in }.cancel() }
    automatic.subscribe(recorder)
    let left = connectable.log.count
    connectable.base.send(1)
    #expect(recorder.values == [1])
    recorder.cancel()
    #expect(connectable.log.count == left + 1)
  }

  @Test(arguments: [false, true])
  func countsWhoComesFromAnotherThreadDuringTheConnection(_ leavesAtOnce: Bool) {
    let automatic = connectable.autoconnect()
    let recorders = [RecordingSubscriber<Int, Never>(), RecordingSubscriber<Int, Never>()]
    connectable.onConnect = {
      race({
        automatic.subscribe(recorders[1])
        if leavesAtOnce { recorders[1].cancel() }
      })
    }
    automatic.subscribe(recorders[0])
    recorders[0].cancel()
    #expect(connectable.log == (leavesAtOnce ? ["connect", "disconnect"] : ["connect"]))
    recorders[1].cancel()
    #expect(connectable.log == ["connect", "disconnect"])
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

  @Test func aSubscriberThatLeavesDuringTheConnectionEndsIt() {
    let recorder = RecordingSubscriber<Int, Never>()
    connectable.onConnect = { recorder.cancel() }
    let automatic = connectable.autoconnect()
    automatic.subscribe(recorder)
    #expect(connectable.log == ["connect", "disconnect"])
    connectable.onConnect = {}
    automatic.subscribe(RecordingSubscriber())
    #expect(connectable.log == ["connect", "disconnect", "connect"])
  }

  @Test func whoComesWithinTheConnectionWhenAllHaveLeftConnectsAnew() {
    let automatic = connectable.autoconnect()
    let first = RecordingSubscriber<Int, Never>()
    let second = RecordingSubscriber<Int, Never>()
    connectable.onConnect = { [unowned connectable] in
      connectable.onConnect = {}
      first.cancel()
      automatic.subscribe(second)
    }
    automatic.subscribe(first)
    #expect(connectable.log == ["connect", "connect", "disconnect"])
    second.cancel()
    #expect(connectable.log == ["connect", "connect", "disconnect", "disconnect"])
  }

  @Test func withoutASubscriberNothingIsConnected() {
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onSubscription = { $0.cancel() }
    let automatic = connectable.autoconnect()
    automatic.subscribe(recorder)
    #expect(connectable.log.isEmpty)
    automatic.subscribe(RecordingSubscriber())
    #expect(connectable.log == ["connect"])
  }

  /// Who leaves has no effect on who is connected.
  @Test func whoLeavesWithinTheConnectionLeavesTheFirstConnected() {
    let source = CurrentValueSubject<Int, Never>(1)
    let shared: [AnyPublisher<Int, Never>] = [
      source.share(replay: 1).eraseToAnyPublisher(),
      source.multicast(subject: CurrentValueSubject(0)).autoconnect().eraseToAnyPublisher(),
    ]
    for publisher in shared {
      source.value = 1
      var values: [Int] = []
      let cancellable = publisher.filter { $0 > 0 }.sink { value in
        values.append(value)
        if value == 1 { _ = publisher.first().sink { _ in } }
      }
      source.send(2)
      source.send(3)
      #expect(values == [1, 2, 3])
      cancellable.cancel()
      source.send(1)
      #expect(values == [1, 2, 3])
    }
  }

  /// It joins the connection, and counts as everybody does.
  @Test(arguments: [0, 1]) func whoComesWithinTheConnectionJoinsIt(_ first: Int) {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.prepend(0, 1).share()
    var values: [[Int]] = [[], []]
    var cancellables: [AnyCancellable?] = [nil, nil]
    var hasSecond = false
    cancellables[0] = shared.sink { value in
      values[0].append(value)
      if hasSecond { return }
      hasSecond = true
      cancellables[1] = shared.sink { values[1].append($0) }
    }
    #expect(values == [[0, 1], [1]])
    cancellables[first] = nil
    source.send(2)
    #expect(values[1 - first].last == 2)
    #expect(values[first].last == 1)
    cancellables[1 - first] = nil
    source.send(3)
    #expect(values[1 - first].last == 2)
  }
}
