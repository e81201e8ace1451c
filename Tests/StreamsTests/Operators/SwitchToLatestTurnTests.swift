import Streams
import StreamsTesting
import Testing

/// What other threads do while `switchToLatest` delivers a value has its turn afterwards.
@Suite struct SwitchToLatestTurnTests {
  typealias Child = TestPublisher<Int, TestFailure>
  typealias Outer = TestPublisher<Child, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private let outer = Outer()

  /// Subscribes a recorder that calls the closure in its first value, and sends the child.
  private func subscribe(
    to child: Child, demand: Subscribers.Demand, _ body: @escaping (Recorder) -> Void
  ) -> Recorder {
    let recorder = Recorder(initialDemand: demand)
    recorder.onValue = { [unowned recorder] value in
      if value == 1 { body(recorder) }
      return value == 2 ? .max(7) : .none
    }
    outer.switchToLatest().subscribe(recorder)
    outer.send(child)
    return recorder
  }

  @Test func aRequest() {
    let child = Child()
    let recorder = subscribe(to: child, demand: .max(1)) { recorder in
      race({ recorder.request(.max(3)) })
      #expect(child.ledger.requests == [.max(1)])
    }
    child.send(1)
    #expect(child.ledger.requests == [.max(1), .max(3)])
    child.send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test func aSubscription() {
    let (first, second) = (Child(), Child(sendsSubscription: false))
    let recorder = subscribe(to: first, demand: .max(4)) { [outer] _ in
      outer.send(second)
      race({ second.sendSubscription() })
      #expect(second.ledger.entries == [])
    }
    first.send(1)
    #expect(first.ledger.isCancelled)
    #expect(second.ledger.entries == [.requested(.max(3))])
    second.send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test func aValue() {
    let child = Child()
    let recorder = subscribe(to: child, demand: .max(2)) { recorder in
      race({ #expect(child.send(2) == .none) })
      #expect(recorder.values == [1])
    }
    child.send(1)
    #expect(recorder.values == [1, 2])
    #expect(recorder.overlapCount == 0)
    #expect(child.ledger.requests == [.max(2), .max(7)])
  }

  @Test func aPublisher() {
    let (first, second) = (Child(), Child())
    let recorder = subscribe(to: first, demand: .max(2)) { [outer] _ in
      race({ outer.send(second) })
      #expect(second.subscribers.isEmpty)
    }
    first.send(1)
    #expect(first.ledger.isCancelled)
    second.send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test func theCompletions() {
    let child = Child()
    let recorder = subscribe(to: child, demand: .max(2)) { [outer] recorder in
      race({
        outer.send(completion: .finished)
        child.send(completion: .finished)
      })
      #expect(recorder.completions == [])
    }
    child.send(1)
    #expect(recorder.events == [.subscription("SwitchToLatest"), .value(1), .completion(.finished)])
  }
}
