import Dispatch
import Streams
import StreamsDispatch
import StreamsSchedulers
import StreamsTesting
import Testing

/// Operators with a scheduler among values and subscribers that come back from wherever they are called.
@Suite struct TimedReentranceTests {
  typealias Value = LifetimeToken?
  typealias Source = PassthroughSubject<Value, TestFailure>

  enum Operator: CaseIterable {
    case receiveOn, delay, debounce, throttle, throttleFirst, collect, collectCount, timeout, subscribeOn

    func attach<S: Scheduler>(_ source: Source, _ scheduler: S) -> AnyPublisher<Value, TestFailure> {
      switch self {
      case .receiveOn: source.receive(on: scheduler).eraseToAnyPublisher()
      case .delay: source.delay(for: .seconds(0), scheduler: scheduler).eraseToAnyPublisher()
      case .debounce: source.debounce(for: .seconds(1), scheduler: scheduler).eraseToAnyPublisher()
      case .throttle:
        source.throttle(for: .seconds(0), scheduler: scheduler, latest: true).eraseToAnyPublisher()
      case .throttleFirst:
        source.throttle(for: .seconds(0), scheduler: scheduler, latest: false).eraseToAnyPublisher()
      case .collect:
        source.collect(.byTime(scheduler, .seconds(1))).map { $0.last ?? nil }.eraseToAnyPublisher()
      case .collectCount:
        source.collect(.byTimeOrCount(scheduler, .seconds(1), 2)).map { $0.last ?? nil }
          .eraseToAnyPublisher()
      case .timeout: source.timeout(.seconds(500), scheduler: scheduler).eraseToAnyPublisher()
      case .subscribeOn: source.subscribe(on: scheduler).eraseToAnyPublisher()
      }
    }

    /// Whether it can do with a scheduler on which time does not pass: its repeated action is run once, at once.
    var acceptsImmediateScheduler: Bool { self != .timeout }
  }

  /// Where the subscriber, or a value at its end, comes back.
  enum Place: CaseIterable { case subscription, value, completion, release }

  /// What it does there.
  enum Deed: CaseIterable { case cancel, request, send, finish, fail }

  private func play<S: Scheduler>(
    _ operation: Operator, _ scheduler: S, _ place: Place, _ deed: Deed, advance: () -> Void
  ) {
    let lifetimes = LifetimeTracker()
    var source: Source? = Source()
    let recorder = RecordingSubscriber<Value, TestFailure>(initialDemand: .max(2))
    var deedCount = 0
    func act() {
      deedCount += 1
      guard deedCount < 10 else { return }
      switch deed {
      case .cancel: recorder.cancel()
      case .request: recorder.request(.max(1))
      case .send: source?.send(nil)
      case .finish: source?.send(completion: .finished)
      case .fail: source?.send(completion: .failure(TestFailure()))
      }
    }
    func token() -> LifetimeToken { lifetimes.token { if place == .release { act() } } }
    // What the recorder is given is released at once.
    let subscriber = AnySubscriber<Value, TestFailure>(
      receiveSubscription: {
        recorder.receive(subscription: $0)
        if place == .subscription { act() }
      },
      receiveValue: { _ in
        let more = recorder.receive(nil)
        if place == .value { act() }
        return more + .max(1)
      },
      receiveCompletion: {
        recorder.receive(completion: $0)
        if place == .completion { act() }
      })
    operation.attach(source!, scheduler).subscribe(subscriber)
    advance()
    for _ in 0..<4 {
      source?.send(token())
      source?.send(token())
      advance()
    }
    source?.send(completion: .finished)
    advance()
    recorder.cancel()
    source = nil
    advance()
    recorder.forgetSubscriptions()
    #expect(lifetimes.liveCount == 0, "\(operation) \(place) \(deed)")
    #expect(recorder.completions.count <= 1, "\(operation) \(place) \(deed)")
    let afterEnd = recorder.events.drop { if case .completion = $0 { false } else { true } }
    #expect(afterEnd.count <= 1, "\(operation) \(place) \(deed)")
    if deed == .cancel, place == .value {
      #expect(recorder.values.count == 1 && recorder.completions.isEmpty, "\(operation)")
    }
    if deed == .cancel, place == .subscription { #expect(recorder.events.count == 1, "\(operation)") }
  }

  @Test(arguments: Operator.allCases) func inVirtualTime(_ operation: Operator) {
    for place in Place.allCases {
      for deed in Deed.allCases {
        let scheduler = VirtualTimeScheduler()
        play(operation, scheduler, place, deed) { scheduler.advance(by: .seconds(2)) }
      }
    }
  }

  @Test(arguments: Operator.allCases.filter(\.acceptsImmediateScheduler))
  func whereActionsRunAtOnce(_ operation: Operator) {
    for place in Place.allCases {
      for deed in Deed.allCases {
        // Requests within requests trap in subscribe(on:), as Combine's do.
        if operation == .subscribeOn, deed == .request { continue }
        play(operation, ImmediateScheduler.shared, place, deed) {}
      }
    }
  }

  /// Where actions run in parallel, all of a long stream arrives, in order, and nothing after a cancellation.
  @Test(arguments: [Operator.receiveOn, .delay, .timeout])
  func whereActionsRunInParallel(_ operation: Operator) {
    for limit in [1, 100] {
      let source = Source()
      let ending = ended(
        operation.attach(source, DispatchQueue.global()).scan(0) { count, _ in count + 1 }.prefix(limit))
      for _ in 0..<100 { source.send(nil) }
      source.send(completion: .finished)
      ending.wait()
      #expect(ending.values == Array(1...limit))
    }
  }
}
