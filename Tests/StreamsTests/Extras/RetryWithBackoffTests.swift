import Glibc
import StreamsExtras
import StreamsSchedulers
import StreamsTesting
import Testing

@testable import Streams

@Suite struct RetryWithBackoffTests {
  typealias Upstream = TestPublisher<Int, TestFailure>

  let clock = VirtualTimeScheduler()
  let backoff = Backoff(retries: 3, delay: .nanoseconds(10))

  /// An upstream whose attempts are made one after another, with the times of their beginnings.
  private final class Attempts {
    var times: [Int] = []
    var upstreams: [Upstream] = []
    let make: (Int) -> Upstream

    init(_ make: @escaping (Int) -> Upstream = { _ in Upstream() }) { self.make = make }

    func publisher(_ clock: VirtualTimeScheduler) -> Deferred<Upstream> {
      Deferred {
        let upstream = self.make(self.times.count)
        self.times.append(clock.now.nanoseconds)
        self.upstreams.append(upstream)
        return upstream
      }
    }
  }

  @Test func triesAgainAfterALongerAndLongerWait() {
    let attempts = Attempts()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(10))
    attempts.publisher(clock).retry(backoff, scheduler: clock).subscribe(recorder)
    for index in 0..<4 {
      attempts.upstreams[index].send(index)
      attempts.upstreams[index].send(completion: .failure(TestFailure()))
      #expect(recorder.failure == (index < 3 ? nil : TestFailure()))
      clock.run()
    }
    #expect(attempts.times == [0, 10, 30, 70])
    #expect(recorder.values == [0, 1, 2, 3])
    #expect(attempts.upstreams.map(\.ledger.requests) == [[.max(10)], [.max(9)], [.max(8)], [.max(7)]])
    #expect(clock.pendingCount == 0)
  }

  @Test func whatIsNotWorthwhilePassesThrough() {
    let attempts = Attempts()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    var asked = 0
    attempts.publisher(clock).retry(backoff, scheduler: clock) { _ in
      asked += 1
      return asked < 2
    }.subscribe(recorder)
    attempts.upstreams[0].send(completion: .failure(TestFailure()))
    clock.run()
    attempts.upstreams[1].send(completion: .failure(TestFailure()))
    #expect(recorder.failure == TestFailure() && asked == 2)
    clock.run()
    #expect(attempts.times == [0, 10])
  }

  /// Closures whose types nothing says but the publisher before them.
  @Test func theClosureNeedsNoTypes() {
    let any = Fail<Int, TestFailure>(error: TestFailure()).eraseToAnyPublisher()
    let chains = [
      Deferred { Fail<Int, TestFailure>(error: TestFailure()) }.retry(backoff, scheduler: clock) { _ in true }
        .eraseToAnyPublisher(),
      Deferred { any }.retry(backoff, scheduler: clock) { $0 == TestFailure() }.eraseToAnyPublisher(),
      any.flatMap { _ in any }.retry(backoff, scheduler: clock) { _ in true }.eraseToAnyPublisher(),
      Deferred { any }.retry(backoff, scheduler: clock).eraseToAnyPublisher(),
      Publishers.RetryWithBackoff(upstream: any, backoff: backoff, scheduler: clock) { _ in true }
        .eraseToAnyPublisher(),
      Publishers.RetryWithBackoff(
        upstream: Deferred { any }, backoff: backoff, scheduler: clock, when: { $0 == TestFailure() }
      ).eraseToAnyPublisher(),
      Publishers.RetryWithBackoff(
        upstream: Deferred { any }, backoff: backoff, scheduler: clock,
        when: { (error) throws(TestFailure) in throw error }, chance: { 0 }
      ).eraseToAnyPublisher(),
      Deferred { any }.retry(backoff, scheduler: clock) { (error) throws(TestFailure) in throw error }
        .eraseToAnyPublisher(),
    ]
    for chain in chains {
      let recorder = RecordingSubscriber<Int, TestFailure>()
      chain.subscribe(recorder)
      clock.run()
      #expect(recorder.failure == TestFailure())
    }
  }

  @Test func cancellingEndsTheWait() {
    let lifetimes = LifetimeTracker()
    let attempts = Attempts()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    let token = lifetimes.token()
    attempts.publisher(clock).map { [token] in
      token.keep()
      return $0
    }.retry(backoff, scheduler: clock).subscribe(recorder)
    attempts.upstreams[0].send(completion: .failure(TestFailure()))
    #expect(clock.pendingCount == 1)
    recorder.request(.max(3))
    recorder.cancel()
    #expect(clock.pendingCount == 0)
    clock.run()
    #expect(attempts.times == [0])
  }

  /// Attempts that fail at once neither nest nor wait for nothing.
  @Test(arguments: [0, 1]) func attemptsThatFailAtOnce(_ delay: Int) {
    var count = 0
    let failing = Deferred { () -> Fail<Int, TestFailure> in
      count += 1
      return Fail(error: TestFailure())
    }
    let recorder = RecordingSubscriber<Int, TestFailure>()
    let many = Backoff(retries: 20_000, delay: .nanoseconds(delay), factor: 1)
    failing.retry(many, scheduler: clock).subscribe(recorder)
    clock.run()
    #expect(count == 20_001 && recorder.failure == TestFailure())
    #expect(clock.now.nanoseconds == delay * 20_000)
  }

  @Test func aSchedulerThatRunsAtOnceDoesNotNest() {
    var count = 0
    let failing = Deferred { () -> Fail<Int, TestFailure> in
      count += 1
      return Fail(error: TestFailure())
    }
    let recorder = RecordingSubscriber<Int, TestFailure>()
    let many = Backoff(retries: 20_000, delay: .seconds(1))
    failing.retry(many, scheduler: ImmediateScheduler.shared).subscribe(recorder)
    #expect(count == 20_001 && recorder.failure == TestFailure())
  }

  @Test func keepsNothingAfterTheEnd() {
    let lifetimes = LifetimeTracker()
    do {
      let subject = PassthroughSubject<LifetimeToken, TestFailure>()
      let cancellable = subject.retry(backoff, scheduler: clock)
        .sink(receiveCompletion: { [token = lifetimes.token()] _ in token.keep() }, receiveValue: { _ in })
      subject.send(lifetimes.token())
      subject.send(completion: .failure(TestFailure()))
      clock.run()
      cancellable.cancel()
    }
    #expect(lifetimes.liveCount == 0 && clock.pendingCount == 0)
  }

  /// The wait on one thread, the cancellation on another.
  @Test func waitsAndCancellationsRace() throws {
    let loop = try EventLoop()
    for _ in 0..<500 {
      var count = 0
      let failing = Deferred { () -> Fail<Int, TestFailure> in
        count += 1
        return Fail(error: TestFailure())
      }
      let cancellable = failing.retry(Backoff(delay: .microseconds(3), factor: 1), scheduler: loop)
        .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      race({ loop.runOnce(timeout: .milliseconds(1)) }, { cancellable.cancel() })
      while loop.runOnce() {}
      #expect(loop.pendingCount == 0)
    }
  }
}
