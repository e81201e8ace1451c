import Dispatch
import Glibc
import StreamsExtras
import Testing

@testable import Streams
@testable import StreamsTesting

@Suite(.timeLimit(.minutes(30))) struct AsyncSequencePublisherTests {
  /// Counts up to its limit, and how often it was asked.
  private struct Counter: AsyncSequence, Sendable {
    let limit: Int
    let asked = Locked(0)
    /// Lives as long as an iterator.
    let lifetimes = LifetimeTracker()

    struct Iterator: AsyncIteratorProtocol {
      let counter: Counter
      let token: LifetimeToken
      var number = 0

      mutating func next() async throws(TestFailure) -> Int? {
        counter.asked.withLock { $0 += 1 }
        await Task.yield()
        number += 1
        if number > counter.limit { throw TestFailure() }
        return number
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(counter: self, token: lifetimes.token()) }
  }

  /// How many values, and ends, have come that nobody has waited for yet.
  private let arrived = Locked(0)
  private let ended = Locked(0)

  private func recorder<Failure: Error>(
    of _: Failure.Type = TestFailure.self, _ demand: Subscribers.Demand
  ) -> RecordingSubscriber<Int, Failure> {
    let recorder = RecordingSubscriber<Int, Failure>(initialDemand: demand)
    recorder.onValue = { [arrived] _ in
      arrived.withLock { $0 += 1 }
      return .none
    }
    recorder.onCompletion = { [ended] _ in ended.withLock { $0 += 1 } }
    return recorder
  }

  private func arrive(_ count: Int) async -> Bool { await take(count, of: arrived) }

  private func end() async -> Bool { await take(1, of: ended) }

  private func take(_ count: Int, of signals: Locked<Int>) async -> Bool {
    let isThere = await comesTo { signals.withLock { $0 } >= count }
    signals.withLock { $0 -= count }
    return isThere
  }

  /// Waits until the state is reached. A test that kept its thread meanwhile would keep one of the few that tasks have.
  private func comesTo(_ state: () -> Bool) async -> Bool {
    // Each turn may come after all other tests that are ready to run.
    let limit = ContinuousClock.now + .seconds(600)
    while !state() {
      if ContinuousClock.now > limit { return false }
      await Task.yield()
    }
    return true
  }

  private func numbers(_ range: ClosedRange<Int>) -> AsyncStream<Int> {
    AsyncStream { continuation in
      for number in range { continuation.yield(number) }
      continuation.finish()
    }
  }

  @Test func sendsTheElementsAndFinishes() async {
    let recorder = recorder(of: Never.self, .unlimited)
    numbers(1...3).publisher.subscribe(recorder)
    #expect(await end())
    #expect(
      recorder.events == [
        .subscription("AsyncSequence"), .value(1), .value(2), .value(3), .completion(.finished),
      ])
    #expect(recorder.overlapCount == 0)
  }

  @Test func failsAsTheSequenceThrows() async {
    let recorder = recorder(.unlimited)
    let failing: some Publisher<Int, TestFailure> = Counter(limit: 2).publisher
    failing.subscribe(recorder)
    #expect(await end())
    #expect(recorder.values == [1, 2] && recorder.completions == [.failure(TestFailure())])
  }

  @Test func aSequenceThatThrowsAnythingFailsWithAnyError() async {
    let sequence = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: TestFailure()) }
    let failure = Locked<(any Error)?>(nil)
    let cancellable = sequence.publisher.sink(
      receiveCompletion: { completion in
        if case .failure(let error) = completion { failure.withLock { $0 = error } }
        ended.withLock { $0 += 1 }
      }, receiveValue: { _ in })
    #expect(await end())
    #expect(failure.withLock { $0 is TestFailure })
    cancellable.cancel()
  }

  @Test func asksForWhatIsDemandedAndForNoMore() async {
    let counter = Counter(limit: 9)
    let recorder = recorder(.none)
    counter.publisher.subscribe(recorder)
    #expect(counter.lifetimes.liveCount == 0)
    recorder.request(.max(2))
    #expect(await arrive(2))
    // Requests add up, and the iterator goes on where it was.
    recorder.request(.max(1))
    recorder.request(.max(2))
    #expect(await arrive(3))
    #expect(recorder.values == [1, 2, 3, 4, 5] && recorder.overdrawn == 0)
    #expect(await comesTo { counter.asked.withLock { $0 } == 5 })
    recorder.request(.unlimited)
    #expect(await arrive(4))
    #expect(await end())
    #expect(counter.asked.withLock { $0 } == 10)
  }

  @Test func returnedDemandAddsUp() async {
    let counter = Counter(limit: 9)
    let recorder = recorder(.max(1))
    let whole = recorder.onValue
    recorder.onValue = { value in
      _ = whole(value)
      return value < 4 ? .max(1) : .none
    }
    counter.publisher.subscribe(recorder)
    #expect(await arrive(4))
    recorder.request(.max(1))
    #expect(await arrive(1))
    #expect(recorder.values == [1, 2, 3, 4, 5] && recorder.overdrawn == 0)
  }

  @Test func eachSubscriberIteratesAnew() async {
    let publisher = Counter(limit: 2).publisher
    for _ in 0..<2 {
      let recorder = recorder(.unlimited)
      publisher.subscribe(recorder)
      #expect(await end())
      #expect(recorder.values == [1, 2])
    }
  }

  @Test func cancellingCancelsTheTaskThatWaits() async {
    let isCancelled = Locked(false)
    let silent = AsyncStream<Int> { continuation in
      continuation.onTermination = { end in
        if case .cancelled = end { isCancelled.withLock { $0 = true } }
      }
      continuation.yield(1)
    }
    let recorder = recorder(of: Never.self, .unlimited)
    silent.publisher.subscribe(recorder)
    #expect(await arrive(1))
    recorder.cancel()
    recorder.request(.max(1))
    #expect(await comesTo { isCancelled.withLock { $0 } })
    #expect(recorder.completions.isEmpty)
  }

  @Test func cancelledAmidAValueItSendsNoMore() async {
    let counter = Counter(limit: 9)
    let recorder = recorder(.unlimited)
    recorder.onValue = { [unowned recorder, arrived] value in
      if value == 2 {
        recorder.cancel()
        arrived.withLock { $0 += 1 }
      }
      return .max(1)
    }
    counter.publisher.subscribe(recorder)
    #expect(await arrive(1))
    #expect(await comesTo { counter.lifetimes.liveCount == 0 })
    #expect(recorder.values == [1, 2] && recorder.completions.isEmpty)
  }

  @Test func cancelledBeforeItIsAskedItBeginsNothing() async {
    let counter = Counter(limit: 9)
    let recorder = recorder(.none)
    recorder.onSubscription = { subscription in
      subscription.cancel()
      subscription.request(.max(1))
    }
    counter.publisher.subscribe(recorder)
    #expect(counter.asked.withLock { $0 } == 0 && recorder.values.isEmpty)
  }

  /// The iterator is nobody's but the subscription's while there is no demand.
  @Test func letsTheIteratorGoWithTheSubscription() async {
    for cancels in [true, false] {
      let counter = Counter(limit: 9)
      let recorder = recorder(.max(1))
      counter.publisher.subscribe(recorder)
      #expect(await arrive(1))
      #expect(counter.lifetimes.liveCount == 1)
      if cancels { recorder.cancel() }
      // The task has an end still.
      recorder.forgetSubscriptions()
      #expect(await comesTo { counter.lifetimes.liveCount == 0 })
    }
  }

  @Test func letsEverythingGoAtTheEnd() async {
    let counter = Counter(limit: 1)
    let recorder = recorder(.unlimited)
    counter.publisher.subscribe(recorder)
    #expect(await end())
    #expect(await comesTo { counter.lifetimes.liveCount == 0 })
    recorder.cancel()
    #expect(recorder.completions.count == 1)
  }

  /// The task could run while the subscriber is still being given its subscription.
  @Test func sendsNothingBeforeTheSubscriptionIsThere() async {
    for _ in 0..<50 {
      let recorder = recorder(of: Never.self, .none)
      let early = Locked(0)
      recorder.onSubscription = { [unowned recorder] subscription in
        subscription.request(.unlimited)
        for _ in 0..<100 { sched_yield() }
        early.withLock { $0 += recorder.values.count }
      }
      numbers(1...3).publisher.subscribe(recorder)
      #expect(await end())
      #expect(early.withLock { $0 } == 0 && recorder.overlapCount == 0 && recorder.values == [1, 2, 3])
    }
  }

  @Test func manyThreadsRequestAndOneCancels() async {
    for round in 0..<200 {
      let counter = Counter(limit: .max)
      let recorder = recorder(.none)
      counter.publisher.subscribe(recorder)
      nonisolated(unsafe) let shared = recorder
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        if thread < 2 {
          for _ in 0..<5 { shared.request(.max(1)) }
        } else {
          for _ in 0..<round { sched_yield() }
          shared.cancel()
        }
      }
      #expect(await comesTo { counter.lifetimes.liveCount == 0 })
      #expect(counter.asked.withLock { $0 } <= 10)
      #expect(recorder.overlapCount == 0 && recorder.overdrawn == 0)
    }
  }

  @Test func goesToAndFro() async {
    var values: [Int] = []
    for await value in numbers(1...5).publisher.filter({ $0 % 2 == 1 }).values { values.append(value) }
    #expect(values == [1, 3, 5])
  }
}
