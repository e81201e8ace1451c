import Streams
import StreamsTesting
import Testing

@Suite struct AsyncPublisherTests {
  @Test func handsOutValuesOneAtATime() async {
    let upstream = TestPublisher<Int, Never>()
    upstream.onRequest = { [unowned upstream] _ in
      let count = upstream.ledger.delivered
      if count < 3 { upstream.send(count + 1) } else { upstream.send(completion: .finished) }
    }
    var values: [Int] = []
    for await value in upstream.values { values.append(value) }
    #expect(values == [1, 2, 3])
    #expect(upstream.ledger.requests == Array(repeating: .max(1), count: 4))
    #expect(upstream.ledger.overdrawn == 0)
  }

  /// In Swift 6's mode a closure that is made on an actor traps where it is called elsewhere.
  @MainActor @Test func valuesAreRequestedOnTheActorThatWaits() async throws {
    var values: [Int] = []
    let numbers = [1, 2].publisher.handleEvents(receiveOutput: { values.append(-$0) })
    for await number in numbers.values { values.append(number) }
    for try await number in numbers.setFailureType(to: TestFailure.self).values { values.append(number) }
    var iterator = numbers.values.makeAsyncIterator()
    values.append(await iterator.next() ?? 0)
    #expect(values == [-1, 1, -2, 2, -1, 1, -2, 2, -1, 1])
  }

  @Test func whatComesWithoutDemandIsDropped() async {
    let upstream = TestPublisher<Int, Never>()
    upstream.onRequest = { [unowned upstream] _ in
      let count = upstream.ledger.delivered
      for value in count..<count + 3 { upstream.send(value) }
      if count > 3 { upstream.send(completion: .finished) }
    }
    var values: [Int] = []
    for await value in upstream.values { values.append(value) }
    #expect(values == [0, 3, 6])
  }

  @Test func aValueBeforeAnyWasRequestedTraps() async {
    await #expect(processExitsWith: .failure) {
      let upstream = TestPublisher<Int, Never>()
      let iterator = upstream.values.makeAsyncIterator()
      upstream.send(1)
      withExtendedLifetime(iterator) {}
    }
  }

  @Test func subscribesWhenTheIteratorIsMade() async {
    let upstream = TestPublisher<Int, Never>()
    let values = upstream.values
    #expect(upstream.subscribers.isEmpty)
    let iterator = values.makeAsyncIterator()
    #expect(upstream.subscribers.count == 1)
    #expect(upstream.ledger.requests.isEmpty)
    withExtendedLifetime(iterator) {}
  }

  @Test func leavingTheLoopCancels() async {
    let upstream = TestPublisher<Int, Never>()
    upstream.onRequest = { [unowned upstream] _ in upstream.send(7) }
    for await value in upstream.values {
      #expect(value == 7)
      break
    }
    #expect(upstream.ledger.entries == [.requested(.max(1)), .delivered(1), .cancelled])
  }

  @Test func aFailureIsThrownOnce() async throws {
    let upstream = TestPublisher<Int, TestFailure>()
    upstream.onRequest = { [unowned upstream] _ in upstream.send(completion: .failure(TestFailure())) }
    var iterator = upstream.values.makeAsyncIterator()
    await #expect(throws: TestFailure.self) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func aFailureWithoutAWaitingTaskIsKept() async throws {
    let upstream = TestPublisher<Int, TestFailure>()
    var iterator = upstream.values.makeAsyncIterator()
    upstream.send(completion: .failure(TestFailure()))
    await #expect(throws: TestFailure.self) { _ = try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func aSecondSubscriptionIsCancelled() {
    let upstream = TestPublisher<Int, Never>()
    let iterator = upstream.values.makeAsyncIterator()
    let second = TestSubscription()
    upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(upstream.ledger.entries.isEmpty)
    #expect(upstream.subscribers.first is any Cancellable)
    withExtendedLifetime(iterator) {}
  }

  @Test func valuesAfterTheEndAreIgnored() async {
    let upstream = TestPublisher<Int, Never>()
    var iterator = upstream.values.makeAsyncIterator()
    upstream.send(completion: .finished)
    upstream.send(1)
    #expect(await iterator.next() == nil)
  }

  @Test func cancellingTheTaskCancels() async {
    let upstream = TestPublisher<Int, Never>()
    let (requested, signal) = AsyncStream.makeStream(of: Void.self)
    let (cancelled, end) = AsyncStream.makeStream(of: Void.self)
    upstream.onRequest = { _ in signal.yield() }
    upstream.onCancel = { end.yield() }
    nonisolated(unsafe) var iterator = upstream.values.makeAsyncIterator()
    let task = Task { await iterator.next() }
    for await _ in requested { break }
    task.cancel()
    for await _ in cancelled { break }
    #expect(await task.value == nil)
    #expect(upstream.ledger.entries == [.requested(.max(1)), .cancelled])
  }

  @Test func aWishBeforeTheSubscriptionIsRequestedWithIt() async {
    let upstream = TestPublisher<Int, Never>(sendsSubscription: false)
    nonisolated(unsafe) var iterator = upstream.values.makeAsyncIterator()
    let task = Task { await iterator.next() }
    upstream.onRequest = { _ in }
    let subscription = TestSubscription(onRequest: { [unowned upstream] _ in upstream.send(9) })
    // Whether the task has come yet or not, its one wish is requested once.
    upstream.send(subscription: subscription)
    #expect(await task.value == 9)
    #expect(subscription.ledger.requests == [.max(1)])
  }

  @Test func aFailureIsThrownToOneOfTheTasksThatWait() async {
    let upstream = TestPublisher<Int, TestFailure>()
    let (requested, signal) = AsyncStream.makeStream(of: Void.self)
    upstream.onRequest = { _ in signal.yield() }
    nonisolated(unsafe) let iterator = upstream.values.makeAsyncIterator()
    let tasks = (0..<2).map { _ in
      Task {
        var copy = iterator
        return try await copy.next()
      }
    }
    var count = 0
    for await _ in requested {
      count += 1
      if count == 2 { break }
    }
    upstream.send(completion: .failure(TestFailure()))
    var failures = 0
    for task in tasks {
      switch await task.result {
      case .success(let value): #expect(value == nil)
      case .failure(let error):
        #expect(error is TestFailure)
        failures += 1
      }
    }
    #expect(failures == 1)
  }

  @Test func theIteratorMayGoAwayWhileAValueArrives() async {
    let lifetimes = LifetimeTracker()
    for _ in 0..<200 {
      let subject = PassthroughSubject<LifetimeToken, Never>()
      var iterator: AsyncPublisher<PassthroughSubject<LifetimeToken, Never>>.Iterator? =
        subject.values.makeAsyncIterator()
      nonisolated(unsafe) var waiting = iterator!
      let task = Task { await waiting.next()?.keep() }
      await Task.yield()
      race({ subject.send(lifetimes.token()) }, { iterator = nil })
      task.cancel()
      await task.value
    }
    #expect(lifetimes.liveCount == 0)
  }

  /// What the end of the subscription runs finds no lock taken.
  @Test func theEndOfTheSubscriptionMayRunAnything() async {
    final class Reentrant: Subscription {
      let subscriber: any Subscriber<Int, Never>
      init(_ subscriber: any Subscriber<Int, Never>) { self.subscriber = subscriber }
      deinit { _ = subscriber.receive(9) }
      func request(_ demand: Subscribers.Demand) {}
      func cancel() {}
    }
    for end in [{ $0.send(completion: .finished) }, { _ in }] as [(TestPublisher<Int, Never>) -> Void] {
      let upstream = TestPublisher<Int, Never>(sendsSubscription: false)
      do {
        let iterator = upstream.values.makeAsyncIterator()
        upstream.send(subscription: Reentrant(upstream.subscribers[0]))
        end(upstream)
        withExtendedLifetime(iterator) {}
      }
      upstream.send(1)
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func everyWishBeforeTheSubscriptionIsRequested() async {
    for round in 0..<50 {
      let upstream = TestPublisher<Int, Never>(sendsSubscription: false)
      nonisolated(unsafe) let iterator = upstream.values.makeAsyncIterator()
      let tasks = (0..<2).map { _ in
        Task {
          var copy = iterator
          return await copy.next()
        }
      }
      // Whether the tasks have come yet or not, each one's wish is requested once.
      for _ in 0..<round % 8 { await Task.yield() }
      let subscription = TestSubscription(onRequest: { [unowned upstream] demand in
        for _ in 0..<(demand.max ?? 0) { upstream.send(9) }
      })
      upstream.send(subscription: subscription)
      for task in tasks { #expect(await task.value == 9) }
      #expect(subscription.ledger.total == .max(2))
    }
  }
}
