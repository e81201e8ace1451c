import Streams
import StreamsTesting
import Testing

/// What other threads do while `switchToLatest` delivers a value waits for its turn.
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
    let other = OtherThread { second.sendSubscription() }
    let recorder = subscribe(to: first, demand: .max(4)) { [outer] recorder in
      outer.send(second)
      other.startAndWait(for: recorder)
      #expect(second.ledger.entries == [])
    }
    first.send(1)
    other.join()
    #expect(first.ledger.isCancelled)
    #expect(second.ledger.entries == [.requested(.max(3))])
    second.send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test func aValue() {
    let child = Child()
    let other = OtherThread { #expect(child.send(2) == .max(7)) }
    let recorder = subscribe(to: child, demand: .max(2)) { recorder in
      other.startAndWait(for: recorder)
      #expect(recorder.values == [1])
    }
    child.send(1)
    other.join()
    #expect(recorder.values == [1, 2])
    #expect(recorder.overlapCount == 0)
    #expect(child.ledger.requests == [.max(2)])
  }

  @Test func aPublisher() {
    let (first, second) = (Child(), Child())
    let other = OtherThread { [outer] in outer.send(second) }
    let recorder = subscribe(to: first, demand: .max(2)) { recorder in
      other.startAndWait(for: recorder)
      #expect(second.subscribers.isEmpty)
    }
    first.send(1)
    other.join()
    #expect(first.ledger.isCancelled)
    second.send(3)
    #expect(recorder.values == [1, 3])
  }

  @Test func theCompletions() {
    let child = Child()
    let other = OtherThread { [outer] in
      outer.send(completion: .finished)
      child.send(completion: .finished)
    }
    let recorder = subscribe(to: child, demand: .max(2)) { recorder in
      other.startAndWait(for: recorder)
      #expect(recorder.completions == [])
    }
    child.send(1)
    other.join()
    #expect(recorder.events == [.subscription("SwitchToLatest"), .value(1), .completion(.finished)])
  }
}
