import Streams
import StreamsTesting
import Testing

@Suite struct OutputTests {
  private let upstream = TestPublisher<Int, TestFailure>()
  private let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(31)) { _ in .max(42) }

  private var events: [String] { recorder.events.map(String.init(describing:)) }

  @Test func sendsTheRangeAndFinishesWithItsLastValue() {
    recorder.onCompletion = { [upstream] _ in #expect(upstream.ledger.isCancelled) }
    upstream.output(in: 2..<4).subscribe(recorder)
    #expect((1...4).map { upstream.send($0) } == [.max(1), .max(1), .max(42), .max(42)])
    let expected = ["subscription(Output)", "value(3)", "value(4)", "finished"]
    #expect(events == expected)
    #expect(upstream.send(5) == .none)
    recorder.request(.max(1))
    recorder.cancel()
    upstream.send(completion: .finished)
    #expect(events == expected)
    #expect(upstream.ledger.requests == [.max(31)])
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func splitsBatches() {
    upstream.output(in: 2...4).subscribe(recorder)
    #expect(upstream.send(batch: [1]) == .max(1))
    #expect(upstream.send(batch: [2, 3, 4]) == .max(1 + 42 + 42))
    #expect(upstream.send(batch: [5, 6, 7]) == .max(42))
    #expect(events == ["subscription(Output)", "value(3)", "value(4)", "value(5)", "finished"])
    #expect(recorder.batchSizes == [1, 1, 1])
  }

  @Test func aFailureDuringTheLastValueIsNotTheStreams() {
    for last in 1...2 {
      let (upstream, recorder) = (TestPublisher<Int, TestFailure>(), RecordingSubscriber<Int, TestFailure>())
      recorder.onValue = { value in
        if value == last { upstream.send(completion: .failure(TestFailure())) }
        return .none
      }
      upstream.prefix(2).subscribe(recorder)
      recorder.request(.unlimited)
      for value in 1...last { upstream.send(value) }
      #expect(recorder.values == Array(1...last))
      #expect(recorder.completions == [last == 2 ? .finished : .failure(TestFailure())])
    }
  }

  @Test func anEmptyRangeFinishesAtTheFirstValueAfterIt() {
    upstream.prefix(0).subscribe(recorder)
    #expect(events == ["subscription(Output)"])
    #expect(upstream.send(1) == .none)
    #expect(events == ["subscription(Output)", "finished"])
    #expect(upstream.ledger.isCancelled)
  }

  @Test func anEmptyRangeIsReachedByAllValuesBeforeIt() {
    upstream.output(in: 3..<3).subscribe(recorder)
    #expect(upstream.send(batch: [1, 2]) == .max(2))
    #expect(upstream.send(3) == .max(1))
    #expect(events == ["subscription(Output)"])
    #expect(upstream.send(4) == .none)
    #expect(events == ["subscription(Output)", "finished"])
  }

  @Test func theLastValueMayBeSentByANestedSignal() {
    recorder.onValue = { [upstream] value in
      if value == 1 { upstream.send(2) }
      return .none
    }
    upstream.prefix(2).subscribe(recorder)
    upstream.send(1)
    #expect(events == ["subscription(Output)", "value(1)", "value(2)", "finished"])
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func valuesPassAfterCompletionAndCancellation() {
    upstream.output(in: 1..<4).subscribe(recorder)
    upstream.send(completion: .failure(TestFailure()))
    upstream.send(completion: .finished)
    #expect((1...4).map { upstream.send($0) } == [.max(1), .max(42), .max(42), .max(42)])
    #expect(
      events == ["subscription(Output)", "failure(failure)", "value(2)", "value(3)", "value(4)"])
    #expect(!upstream.ledger.isCancelled)

    let other = RecordingSubscriber<Int, TestFailure>()
    upstream.prefix(1).subscribe(other)
    other.cancel()
    other.request(.max(1))
    other.cancel()
    upstream.send(5)
    #expect(other.values == [5])
    #expect(other.completions.isEmpty)
    #expect(upstream.ledger.entries.first == .requested(.unlimited))
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func beforeTheSubscription() {
    let upstream = TestPublisher<Int, TestFailure>(sendsSubscription: false)
    upstream.output(in: 1..<3).subscribe(recorder)
    let inner = upstream.subscribers[0] as? any Subscription
    inner?.request(.max(1))
    inner?.cancel()
    upstream.send(completion: .failure(TestFailure()))
    #expect((1...4).map { upstream.send($0) } == [.max(1), .max(42), .max(42), .none])
    #expect(events == ["value(2)", "value(3)"])
    upstream.sendSubscription()
    #expect(upstream.send(5) == .none)
    #expect(events == ["value(2)", "value(3)", "subscription(Output)", "finished"])
  }

  @Test func survivesRaces() { expectSurvivesRace { $0.output(in: 10..<150) } }

  @Test func ignoresASecondSubscription() {
    upstream.prefix(2).subscribe(recorder)
    let second = TestSubscription()
    upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(recorder.subscriptions.count == 1)
  }

  @Test func makesRanges() {
    let empty = Empty<Void, Never>()
    #expect(empty.prefix(89).range == 0..<89)
    #expect(empty.prefix(.max).range == 0..<Int.max)
    #expect(empty.output(at: 89).range == 89..<90)
    #expect(empty.output(in: ...8).range == 0..<9)
    #expect(empty.output(in: 8...).range == 8..<Int.max)
    #expect(empty.output(in: Int.max...).range == Int.max..<Int.max)
    #expect(empty.prefix(2) == empty.output(in: 0...1))
    #expect(empty.prefix(2) != empty.prefix(3))
  }

  @Test func trapsOnImpossibleRanges() async {
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(at: .max) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(in: (-1)...) }
    await #expect(processExitsWith: .failure) {
      _ = Publishers.Output(upstream: Empty<Int, Never>(), range: -1..<4)
    }
    await #expect(processExitsWith: .failure) {
      _ = Publishers.Output(upstream: Empty<Int, Never>(), range: Range(uncheckedBounds: (1, -1)))
    }
  }

  @Test func reflects() {
    upstream.prefix(3).subscribe(recorder)
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.isEmpty)
  }
}
