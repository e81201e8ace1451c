import Streams
import StreamsTesting
import Testing

/// `flatMap` with several threads.
@Suite struct FlatMapRaceTests {
  typealias Child = TestPublisher<Int, TestFailure>
  typealias Outer = TestPublisher<Child, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test func whatAnotherThreadDoesDuringADeliveryComesAfterIt() {
    let (outer, first, second, late) = (Outer(), Child(), Child(), Child(sendsSubscription: false))
    let recorder = Recorder(initialDemand: .max(1))
    let other = OtherThread { [unowned recorder] in
      late.sendSubscription()
      #expect(second.send(3) == .none)
      recorder.request(.max(2))
    }
    recorder.onValue = { [unowned recorder] value in
      guard value == 1 else { return .none }
      first.send(2)
      other.startAndWait(for: recorder)
      #expect(recorder.values == [1])
      #expect(late.ledger.requests == [])
      return .none
    }
    outer.flatMap { $0 }.subscribe(recorder)
    for child in [first, second, late] { outer.send(child) }
    #expect(first.send(1) == .max(1))
    other.join()
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.overlapCount == 0)
    #expect([first, second, late].map(\.ledger.requests.count) == [2, 2, 1])
  }

  @Test func aValueOfAnotherThreadIsPaidForWhenItHasHadItsTurn() {
    let (outer, first, second) = (Outer(), Child(), Child())
    let recorder = Recorder(initialDemand: .max(2))
    let other = OtherThread { #expect(second.send(2) == .max(1)) }
    recorder.onValue = { [unowned recorder] value in
      if value == 1 { other.startAndWait(for: recorder) }
      return .none
    }
    outer.flatMap { $0 }.subscribe(recorder)
    for child in [first, second] { outer.send(child) }
    first.send(1)
    other.join()
    #expect(recorder.values == [1, 2])
    #expect(second.ledger.requests == [.max(1)])
  }

  @Test func asksForAnotherPublisherWhenOneFinishesOnAnotherThread() {
    let (outer, first, second) = (Outer(), Child(), Child())
    let recorder = Recorder()
    let other = OtherThread { second.send(completion: .finished) }
    recorder.onValue = { [unowned recorder] _ in
      other.startAndWait(for: recorder)
      return .none
    }
    outer.flatMap(maxPublishers: .max(2)) { $0 }.subscribe(recorder)
    for child in [first, second] { outer.send(child) }
    first.send(1)
    other.join()
    #expect(outer.ledger.requests == [.max(2), .max(1)])
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<200 {
      let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
      let (first, second) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
      let recorder = Recorder(initialDemand: .max(30)) { $0 % 7 == 0 ? .max(5) : .none }
      outer.flatMap { $0 }.subscribe(recorder)
      outer.send(first)
      outer.send(second)
      race(
        { for value in 0..<40 { first.send(value) } },
        { for value in 0..<40 { second.send(value) } },
        {
          for _ in 0..<10 { recorder.subscriptions[0].request(.max(1)) }
          recorder.cancel()
        })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.completions.isEmpty)
      let count = recorder.values.count
      first.send(1)
      second.send(1)
      #expect(recorder.values.count == count)
    }
  }

  @Test func nothingIsLostWhenTwoThreadsSend() {
    for _ in 0..<100 {
      let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
      let (first, second) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
      let recorder = Recorder()
      outer.flatMap { $0 }.subscribe(recorder)
      outer.send(first)
      outer.send(second)
      race(
        {
          for value in 0..<50 { first.send(value) }
          first.send(completion: .finished)
        },
        {
          for value in 100..<150 { second.send(value) }
          second.send(completion: .finished)
        },
        { outer.send(completion: .finished) })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values.filter { $0 < 100 } == Array(0..<50))
      #expect(recorder.values.filter { $0 >= 100 } == Array(100..<150))
      #expect(recorder.completions == [.finished])
    }
  }

  /// What publishers send when they are subscribed to, and were left to another thread, comes before a failure after them.
  @Test func whatPublishersThatWereLeftSendComesInOrder() {
    let upstream = PassthroughSubject<Int, TestFailure>()
    let child = PassthroughSubject<Int, TestFailure>()
    let recorder = Recorder()
    upstream.map {
      $0 == 0
        ? child.eraseToAnyPublisher()
        : [$0, $0].publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
    }
    .flatMap { $0 }.subscribe(recorder)
    upstream.send(0)
    cross(
      { meet in
        recorder.onValue = { value in
          if value == 7 { meet() }
          return .none
        }
        child.send(7)
      },
      {
        upstream.send(1)
        upstream.send(2)
        upstream.send(completion: .failure(TestFailure()))
      })
    #expect(recorder.values == [7, 1, 1, 2, 2])
    #expect(recorder.completions == [.failure(TestFailure())])
  }

  /// While a publisher that was left is subscribed to, what its sibling sends comes after what that has left.
  @Test func aSiblingStaysInOrderWhileAPublisherThatWasLeftStarts() {
    let (upstream, sibling) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
    let recorder = Recorder()
    let first = PassthroughSubject<Int, TestFailure>()
    upstream.map {
      switch $0 {
      case 0: first.eraseToAnyPublisher()
      case 1: sibling.eraseToAnyPublisher()
      default: [$0, $0].publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
      }
    }
    .flatMap { $0 }.subscribe(recorder)
    for value in 0...1 { upstream.send(value) }
    cross(
      { meet in
        recorder.onValue = { value in
          if value == 7 { meet() }
          if value == 2, recorder.values.count(where: { $0 == 2 }) == 1 { sibling.send(9) }
          return .none
        }
        first.send(7)
      },
      {
        upstream.send(2)
        sibling.send(8)
      })
    #expect(recorder.values.filter { $0 > 7 } == [8, 9])
    #expect(recorder.values.filter { $0 <= 7 } == [7, 2, 2])
  }
}
