import Streams
import StreamsSchedulers
import Synchronization
import Testing

@testable import StreamsTesting

/// Operators with a scheduler that are cancelled while another thread sends a value, on the package's own schedulers.
///
/// Without `delay`: what it has scheduled keeps the subscriber until it is due, as Combine's does.
@Suite struct TimedCancellationTests {
  typealias Value = LifetimeToken
  typealias Source = PassthroughSubject<Value, Never>
  typealias Stride = MonotonicTime.Stride

  enum Operator: CaseIterable {
    case debounce, throttle, throttleFirst, timeout, collect, collectCount, measureInterval, receiveOn,
      subscribeOn

    func attach<S: MonotonicScheduler>(
      _ source: Source, _ scheduler: S, _ length: Stride
    ) -> AnyPublisher<Void, Never> {
      switch self {
      case .debounce: source.debounce(for: length, scheduler: scheduler).void()
      case .throttle: source.throttle(for: length, scheduler: scheduler, latest: true).void()
      case .throttleFirst: source.throttle(for: length, scheduler: scheduler, latest: false).void()
      case .timeout: source.timeout(length, scheduler: scheduler).void()
      case .collect: source.collect(.byTime(scheduler, length)).void()
      case .collectCount: source.collect(.byTimeOrCount(scheduler, length, 2)).void()
      case .measureInterval: source.measureInterval(using: scheduler).void()
      case .receiveOn: source.receive(on: scheduler).void()
      case .subscribeOn: source.subscribe(on: scheduler).void()
      }
    }
  }

  enum Kind: CaseIterable { case queue, poolQueue, loop }

  /// A subscriber that releases its subscription when it cancels, as it should.
  private final class Listener: Subscriber, @unchecked Sendable {
    private let subscription = Lock<(any Subscription)?>(nil)
    private let token: LifetimeToken
    let count = Atomic(0)

    init(_ token: LifetimeToken) { self.token = token }

    func receive(subscription: any Subscription) {
      self.subscription.withLock { $0 = subscription }
      subscription.request(.unlimited)
    }

    func receive(_ input: Void) -> Subscribers.Demand {
      count.wrappingAdd(1, ordering: .relaxed)
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) { count.wrappingAdd(1, ordering: .relaxed) }
    func cancel() { subscription.withLock { $0.take() }?.cancel() }
  }

  /// What a value races with is cancelled, at another of the values each time. What was scheduled by then runs in one turn
  /// of the scheduler.
  private func play<S: MonotonicScheduler>(
    _ operation: Operator, _ scheduler: S, _ length: Stride, round: Int, turn: () -> Void
  ) {
    let lifetimes = LifetimeTracker()
    let source = Source()
    var listener: Listener? = Listener(lifetimes.token())
    operation.attach(source, scheduler, length).subscribe(listener!)
    turn()
    let sent = Atomic(0)
    race(
      {
        for _ in 0..<8 {
          source.send(lifetimes.token())
          sent.wrappingAdd(1, ordering: .releasing)
        }
      },
      {
        while sent.load(ordering: .acquiring) < round % 8 {}
        listener?.cancel()
      })
    turn()
    let count = listener?.count.load(ordering: .relaxed)
    for _ in 0..<3 { source.send(lifetimes.token()) }
    turn()
    #expect(listener?.count.load(ordering: .relaxed) == count, "told something after it was cancelled")
    listener = nil
    #expect(lifetimes.liveCount == 0, "kept, of the listener and its values, in round \(round)")
  }

  private func play<S: MonotonicScheduler>(_ operation: Operator, _ scheduler: S, turn: () -> Void) {
    for round in 0..<100 { play(operation, scheduler, .seconds(3600), round: round, turn: turn) }
  }

  /// Waits until what was scheduled before has run.
  private func pass(_ queue: SerialQueue) {
    let hasPassed = Locked(false)
    queue.schedule { hasPassed.withLock { $0 = true } }
    #expect(reached { hasPassed.withLock { $0 } })
  }

  @Test(arguments: Operator.allCases, Kind.allCases)
  func whatIsCancelledIsNotKept(_ operation: Operator, _ kind: Kind) throws {
    switch kind {
    case .queue:
      let queue = try SerialQueue()
      play(operation, queue) { pass(queue) }
    case .poolQueue:
      let queue = try QueuePool(threads: 2).makeQueue()
      play(operation, queue) { pass(queue) }
    case .loop:
      let loop = try EventLoop()
      play(operation, loop) { while loop.runOnce() {} }
    }
  }
}

extension Publisher {
  fileprivate func void() -> AnyPublisher<Void, Failure> { map { _ in }.eraseToAnyPublisher() }
}
