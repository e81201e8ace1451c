import Glibc
import Streams
import StreamsTesting
import Testing

@Suite struct FutureTests {
  private typealias Sut = Future<Int, TestFailure>
  private typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private func makeFuture() -> (Sut, Sut.Promise) {
    var promise: Sut.Promise?
    let future = Sut { promise = $0 }
    return (future, promise!)
  }

  /// Whether the subscription's mirror still shows the future and the subscriber.
  private func links(_ recorder: Recorder) -> [Bool] {
    let children = Mirror(reflecting: recorder.subscriptions[0]).children
    return children.filter { $0.label != "hasAnyDemand" }.map { "\($0.value)" != "nil" }
  }

  @Test func callsItsClosureAtOnce() {
    var hasBegun = false
    _ = Sut { _ in hasBegun = true }
    #expect(hasBegun)
  }

  @Test func sendsItsValueToThoseWhoWait() {
    let (future, promise) = makeFuture()
    let recorders = [Recorder(), Recorder()]
    for recorder in recorders {
      recorder.onValue = { [unowned recorder] _ in
        #expect(links(recorder) == [true, false, true])
        promise(.success(1))
        return .max(1)
      }
      recorder.onCompletion = { _ in promise(.failure(TestFailure())) }
      future.subscribe(recorder)
    }
    #expect(links(recorders[0]) == [true, true, true])
    promise(.success(42))
    promise(.success(43))
    for recorder in recorders {
      #expect(recorder.events == [.subscription("Future"), .value(42), .completion(.finished)])
      #expect(links(recorder) == [false, false, false])
    }
  }

  @Test func sendsItsValueToThoseWhoComeLater() {
    let (future, promise) = makeFuture()
    promise(.success(42))
    for _ in 0..<2 {
      let recorder = Recorder()
      future.subscribe(recorder)
      #expect(recorder.events == [.subscription("Future"), .value(42), .completion(.finished)])
    }
  }

  @Test func aValueWaitsForDemand() {
    let (future, promise) = makeFuture()
    let before = Recorder(initialDemand: .none)
    future.subscribe(before)
    promise(.success(42))
    let after = Recorder(initialDemand: .none)
    future.subscribe(after)
    for recorder in [before, after] {
      #expect(recorder.events == [.subscription("Future")])
      recorder.request(.max(1))
      recorder.request(.max(1))
      #expect(recorder.events == [.subscription("Future"), .value(42), .completion(.finished)])
      // Combine keeps the reference when the value goes out with a request.
      #expect(links(recorder) == [true, false, true])
    }
  }

  @Test func aFailureDoesNotWait() {
    let (future, promise) = makeFuture()
    let before = Recorder(initialDemand: .none)
    future.subscribe(before)
    promise(.failure(TestFailure()))
    let after = Recorder(initialDemand: .none)
    future.subscribe(after)
    for recorder in [before, after] {
      #expect(recorder.events == [.subscription("Future"), .completion(.failure(TestFailure()))])
      #expect(links(recorder) == [false, false, false])
    }
  }

  @Test func cancels() {
    let (future, promise) = makeFuture()
    let recorder = Recorder()
    future.subscribe(recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    #expect(links(recorder) == [false, false, false])
    promise(.success(42))
    #expect(recorder.events == [.subscription("Future")])
  }

  @Test func onlyTheFirstPromiseCounts() {
    let (future, promise) = makeFuture()
    promise(.success(1))
    promise(.success(2))
    promise(.failure(TestFailure()))
    let late = Recorder()
    future.subscribe(late)
    #expect(late.events == [.subscription("Future"), .value(1), .completion(.finished)])
  }

  @Test func hasNoDemandAfterItsEnd() {
    let (future, _) = makeFuture()
    let recorder = Recorder()
    future.subscribe(recorder)
    func hasAnyDemand() -> Bool? {
      Mirror(reflecting: recorder.subscriptions[0]).descendant("hasAnyDemand") as? Bool
    }
    #expect(hasAnyDemand() == true)
    recorder.cancel()
    #expect(hasAnyDemand() == false)
    recorder.request(.max(1))
    #expect(hasAnyDemand() == false)
  }

  @Test func requestingNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      Future<Int, Never> { _ in }
        .subscribe(RecordingSubscriber<Int, Never>(initialDemand: .none).requestingNothing())
    }
  }

  @Test func reflects() {
    let (future, _) = makeFuture()
    let recorder = Recorder(initialDemand: .none)
    future.subscribe(recorder)
    expectReflection(
      of: recorder.subscriptions[0], name: "Future",
      children: ["parent", "downstream", "hasAnyDemand", "subject"])
  }

  @Test func releasesEverythingAtTheEnd() {
    enum End: CaseIterable { case cancelled, finished, failed }
    for end in End.allCases {
      weak var released: Sut?
      let lifetimes = LifetimeTracker()
      do {
        let (future, promise) = makeFuture()
        released = future
        weak var subscription: AnyObject?
        do {
          let token = lifetimes.token()
          let recorder = RecordingSink<Int, TestFailure>(token)
          future.subscribe(recorder)
          subscription = recorder.subscription as AnyObject?
          recorder.subscription = nil
        }
        switch end {
        case .cancelled: (subscription as? any Subscription)?.cancel()
        case .finished: promise(.success(1))
        case .failed: promise(.failure(TestFailure()))
        }
        #expect(lifetimes.liveCount == 0)
        #expect(subscription == nil)
      }
      #expect(released == nil)
    }
  }

  /// A future is not Sendable, and need not be to be awaited by the actor that keeps it.
  @MainActor @Test func anActorWaitsForTheValueOfItsFuture() async throws {
    @MainActor final class Model {
      let sure = Future<Int, Never> { $0(.success(1)) }
      let unsure = Sut { $0(.success(2)) }
    }
    let model = Model()
    #expect(await model.sure.value == 1)
    #expect(try await model.unsure.value == 2)
  }

  @Test func tasksWaitForTheValue() async throws {
    #expect(await Future<Int, Never> { $0(.success(1)) }.value == 1)
    #expect(try await Sut { $0(.success(2)) }.value == 2)
    await #expect(throws: TestFailure()) { try await Sut { $0(.failure(TestFailure())) }.value }

    let (future, promise) = makeFuture()
    nonisolated(unsafe) let waited = future
    async let value = waited.value
    promise(.success(3))
    #expect(try await value == 3)
  }

  @Test(arguments: [true, false])
  func aPromiseKeptElsewhereWaitsForTheEndOfTheHandshake(_ succeeds: Bool) {
    let (future, promise) = makeFuture()
    let recorder = Recorder()
    let meeting = Meeting()
    recorder.onSubscription = { [unowned recorder] _ in
      meeting.wait()
      for _ in 0..<100 { sched_yield() }
      #expect(recorder.events == [.subscription("Future")])
    }
    race(
      { future.subscribe(recorder) },
      {
        meeting.wait()
        promise(succeeds ? .success(42) : .failure(TestFailure()))
      })
    #expect(recorder.overlapCount == 0)
    #expect(recorder.events.count == (succeeds ? 3 : 2))
    #expect(recorder.completions == [succeeds ? .finished : .failure(TestFailure())])
  }

  /// A request never waits.
  @Test func aRequestFromElsewhereDoesNotWaitForTheEndOfTheHandshake() {
    let (future, promise) = makeFuture()
    promise(.success(42))
    let recorder = Recorder(initialDemand: .none)
    recorder.onSubscription = { subscription in
      race({ subscription.request(.max(1)) })
      #expect(recorder.events == [.subscription("Future")])
    }
    future.subscribe(recorder)
    #expect(recorder.events.count == 3)
  }

  @Test func oneResultReachesEachSubscriberOnceWhenAllRace() {
    for _ in 0..<100 {
      let (future, promise) = makeFuture()
      let recorders = [Recorder(initialDemand: .none), Recorder(initialDemand: .none)]
      for recorder in recorders { future.subscribe(recorder) }
      race(
        { promise(.success(1)) },
        { promise(.success(1)) },
        { for recorder in recorders { recorder.request(.max(1)) } })
      for recorder in recorders {
        #expect(recorder.values == [1])
        #expect(recorder.completions == [.finished])
      }
    }
  }

  /// Looking for each among all the others is quadratic: 1.8 thousand million steps.
  @Test(.timeLimit(.minutes(30))) func resolvesInOrderWhoeverHasCancelled() {
    var promise: Future<Int, Never>.Promise?
    let future = Future<Int, Never> { promise = $0 }
    var received: [Int] = []
    var cancellables = (0..<60_000).map { index in future.sink { _ in received.append(index) } }
    cancellables.removeFirst(59_990)
    promise?(.success(1))
    #expect(received == Array(59_990..<60_000))
  }
}

/// Requests one value and holds its subscription only as long as the test wants.
private final class RecordingSink<Input, Failure: Error>: Subscriber {
  let token: LifetimeToken
  var subscription: (any Subscription)?

  init(_ token: LifetimeToken) { self.token = token }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }
  func receive(_ input: Input) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<Failure>) {}
}
