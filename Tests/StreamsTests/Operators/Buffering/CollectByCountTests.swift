import Streams
import StreamsTesting
import Testing

@Suite struct CollectByCountTests {
  private let upstream = TestPublisher<Int, TestFailure>()
  private let recorder = RecordingSubscriber<[Int], TestFailure>(initialDemand: .max(2)) { _ in .max(3) }

  private var events: [String] { recorder.events.map(String.init(describing:)) }

  @Test func multipliesDemand() {
    upstream.collect(4).subscribe(recorder)
    #expect(upstream.ledger.requests == [.max(8)])
    #expect((1...3).map { upstream.send($0) } == [.none, .none, .none])
    #expect(upstream.send(4) == .max(12))
    for value in 5...6 { upstream.send(value) }
    upstream.send(completion: .finished)
    #expect(
      events == ["subscription(CollectByCount)", "value([1, 2, 3, 4])", "value([5, 6])", "finished"])
  }

  @Test func aBatchMayFillSeveralArrays() {
    upstream.collect(2).subscribe(recorder)
    #expect(upstream.send(batch: [1, 2, 3, 4, 5]) == .max(12))
    #expect(recorder.values == [[1, 2], [3, 4]])
    #expect(upstream.send(6) == .max(6))
    #expect(recorder.values == [[1, 2], [3, 4], [5, 6]])
  }

  @Test func cancellingInsideAnArrayDropsTheRestOfTheBatch() {
    recorder.onValue = { [recorder] _ in
      recorder.cancel()
      return .none
    }
    upstream.collect(2).subscribe(recorder)
    upstream.send(batch: [1, 2, 3, 4])
    upstream.send(batch: [5, 6])
    #expect(recorder.values == [[1, 2]])
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func completionsPassAlwaysAndValuesOnlyWithASubscription() {
    upstream.collect(2).subscribe(recorder)
    upstream.send(completion: .finished)
    upstream.send(completion: .finished)
    upstream.send(batch: [1, 2, 3])
    recorder.request(.max(1))
    #expect(events == ["subscription(CollectByCount)", "finished", "finished"])
    #expect(upstream.ledger.requests == [.max(4)])
  }

  @Test func cancelDropsTheRestAndRefusesAnotherSubscription() {
    upstream.collect(2).subscribe(recorder)
    upstream.send(1)
    recorder.cancel()
    let second = TestSubscription()
    upstream.send(subscription: second)
    recorder.request(.max(1))
    recorder.cancel()
    upstream.send(completion: .finished)
    #expect(second.ledger.entries == [.cancelled])
    #expect(events == ["subscription(CollectByCount)", "finished"])
    #expect(upstream.ledger.cancelCount == 1)
    #expect(upstream.ledger.requests == [.max(4)])
  }

  @Test func beforeTheSubscription() {
    let upstream = TestPublisher<Int, TestFailure>(sendsSubscription: false)
    upstream.collect(1).subscribe(recorder)
    let inner = upstream.subscribers[0] as? any Subscription
    #expect(upstream.send(1) == .none)
    inner?.request(.max(1))
    inner?.cancel()
    upstream.sendSubscription()
    #expect(upstream.ledger.requests == [.max(2)])
    #expect(events == ["subscription(CollectByCount)"])
  }

  @Test func requestingNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      Empty<Int, Never>(completeImmediately: false).collect(2)
        .subscribe(RecordingSubscriber<[Int], Never>(initialDemand: .none).requestingNothing())
    }
  }

  @Test func reflects() {
    upstream.collect(5).subscribe(recorder)
    upstream.send(7)
    let children = Array(Mirror(reflecting: recorder.subscriptions[0]).children)
    #expect(children.map(\.label) == ["downstream", "upstreamSubscription", "buffer", "count"])
    #expect("\(children[2].value) \(children[3].value)" == "[7] 5")
    #expect(Empty<Int, Never>().collect(2) == Empty<Int, Never>().collect(2))
    #expect(Empty<Int, Never>().collect(2) != Empty<Int, Never>().collect(3))
  }

  @Test func survivesRaces() { expectSurvivesRace { $0.collect(3) } }

  @Test func survivesCancellationFromAnotherThread() {
    for _ in 0..<100 {
      let upstream = TestPublisher<Int, Never>()
      let recorder = RecordingSubscriber<[Int], Never>()
      upstream.collect(2).subscribe(recorder)
      race(
        { for value in 1...20 { upstream.send(value) } },
        { recorder.cancel() })
      #expect(recorder.values == (0..<recorder.values.count).map { [2 * $0 + 1, 2 * $0 + 2] })
      #expect(upstream.ledger.cancelCount == 1)
    }
  }
}
