import Streams
import StreamsShims

/// A publisher that needs a scheduler. After the scheduler is gone it fails at the next subscription, value, end or request,
/// because the scheduler forgets what it is given, and the stream would be silent forever.
///
/// It checks the stack as `StackChecked` does.
struct Clocked: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  typealias Make = (ValuePublisher, SchedulerClock) -> ValuePublisher

  private let link: Link

  /// - Parameter watchesValues: Whether the upstream's values and end go by way of the scheduler.
  init(
    _ upstream: ValuePublisher, on clock: SchedulerClock, watchesValues: Bool = true, _ make: @escaping Make
  ) {
    link = Link(upstream, clock, watchesValues: watchesValues && !clock.isImmediate, make)
  }

  /// For a publisher without an upstream.
  init(on clock: SchedulerClock, _ make: @escaping (SchedulerClock) -> ValuePublisher) {
    self.init(Empty().eraseToAnyPublisher(), on: clock, watchesValues: false) { _, clock in make(clock) }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    let outlet = Outlet(Downstream(subscriber), link.clock.presence)
    if streams_stack_is_low() {
      outlet.refuse()
    } else if let refusal = link.clock.presence.refusal {
      outlet.refuse(refusal)
    } else {
      Trampoline.through { link.publisher(to: outlet).subscribe(outlet) }
    }
  }

  /// An object, so that a chain of such publishers is released without recursion.
  private final class Link {
    private let upstream: ValuePublisher
    let clock: SchedulerClock
    private let watchesValues: Bool
    private let make: Make

    init(_ upstream: ValuePublisher, _ clock: SchedulerClock, watchesValues: Bool, _ make: @escaping Make) {
      (self.upstream, self.clock, self.watchesValues, self.make) = (upstream, clock, watchesValues, make)
    }

    func publisher(to outlet: Outlet) -> ValuePublisher {
      let source =
        watchesValues ? Watched(upstream: upstream, outlet: outlet).eraseToAnyPublisher() : upstream
      let clock = clock.inCurrentContext
      return clock.rejects ? clock.failing { make(source, $0) } : make(source, clock)
    }

    deinit { Trampoline.run(upstream) { withExtendedLifetime($0) {} } }
  }

  private struct Watched: Publisher {
    typealias Output = Value
    typealias Failure = StreamError

    let upstream: ValuePublisher
    let outlet: Outlet

    func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
      upstream.subscribe(Inlet(Downstream(subscriber), outlet))
    }
  }
}

/// The downstream end. Its serializer is for a failure that does not come through the scheduler, while the scheduler may be
/// delivering on another thread.
private final class Outlet: StageEnds, Subscriber {
  let scheduler: Presence
  private let serializer = Serializer()

  init(_ downstream: Downstream<Value, StreamError>, _ scheduler: Presence) {
    self.scheduler = scheduler
    super.init(downstream: downstream)
  }

  override func receive(subscription: any Subscription) {
    serializer.run { super.receive(subscription: subscription) }
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    // A thread that is refused waits for the thread that delivers the failure.
    serializer.run({ receiveInTurn(batch) }, busy: { .none })
  }

  private func receiveInTurn(_ batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    guard !isEnded.load(ordering: .relaxed) else { return .refused() }
    guard !streams_stack_is_low() else {
      fail(.tooDeep)
      return .none
    }
    return Trampoline.through { downstream.receive(contentsOf: batch) }
  }

  override func end(_ ended: (any Subscription & AnyObject)?, _ error: StreamError) {
    Trampoline.run((self, ended, error)) { outlet, ended, error in
      ended?.cancel()
      outlet.serializer.betweenSignals { [downstream = outlet.downstream] in
        downstream.receive(completion: .failure(error))
      }
    }
  }

  override func request(_ demand: Subscribers.Demand) {
    if let refusal = scheduler.refusal { fail(refusal) } else { super.request(demand) }
  }
}

/// The upstream end, where values and an end enter that go through a scheduler.
private final class Inlet: StageEnds, Subscriber {
  private let outlet: Outlet
  private let scheduler: Presence

  init(_ downstream: Downstream<Value, StreamError>, _ outlet: Outlet) {
    self.outlet = outlet
    scheduler = outlet.scheduler
    super.init(downstream: downstream)
  }

  func receive(_ input: Value) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: UnsafeBufferPointer(start: $0, count: 1)) }
  }

  func receive(contentsOf batch: UnsafeBufferPointer<Value>) -> Subscribers.Demand {
    if scheduler.isGone {
      end()
      return .none
    }
    return downstream.receive(contentsOf: batch)
  }

  override func receive(completion: Subscribers.Completion<StreamError>) {
    if !scheduler.isGone { return super.receive(completion: completion) }
    if case .failure(let error) = completion { end(error) } else { end() }
  }

  @inline(never)
  private func end() { if let refusal = scheduler.refusal { end(refusal) } }

  /// Fails without the scheduler. Streams that the operator has published, such as windows, receive the failure too.
  private func end(_ error: StreamError) {
    outlet.fail(error)
    fail(error)
  }
}
