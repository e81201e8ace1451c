import Streams
import StreamsTesting
import Testing

/// What operators with several upstreams make of signals, releases and cancellations that come while they deal with
/// another upstream.
@Suite struct SeveralUpstreamsTests {
  typealias Source<Value> = TestPublisher<Value, TestFailure>
  typealias Recorder<Value> = RecordingSubscriber<[Value], TestFailure>

  enum Kind: String, CaseIterable {
    case zip, zipMany, combineLatest, combineLatestMany, merge, mergeMany, flatMap

    func join<Value>(_ s: [Source<Value>]) -> AnyPublisher<[Value], TestFailure> {
      switch self {
      case .zip: s[0].zip(s[1], s[2]) { [$0, $1, $2] }.eraseToAnyPublisher()
      case .zipMany: ZipMany(s).eraseToAnyPublisher()
      case .combineLatest: s[0].combineLatest(s[1], s[2]) { [$0, $1, $2] }.eraseToAnyPublisher()
      case .combineLatestMany: CombineLatestMany(s).eraseToAnyPublisher()
      case .merge: s[0].merge(with: s[1], s[2]).map { [$0] }.eraseToAnyPublisher()
      case .mergeMany: Publishers.MergeMany(s).map { [$0] }.eraseToAnyPublisher()
      case .flatMap:
        s.publisher.setFailureType(to: TestFailure.self).flatMap { $0 }.map { [$0] }.eraseToAnyPublisher()
      }
    }
  }

  enum Signal: String, CaseIterable {
    case value, finish, failure

    func send<Value>(_ value: Value, to source: Source<Value>) {
      switch self {
      case .value: source.send(value)
      case .finish: source.send(completion: .finished)
      case .failure: source.send(completion: .failure(TestFailure()))
      }
    }
  }

  /// Three sources, joined. What happens in their cancellation is set before they are subscribed.
  private func join<Value>(
    _ kind: Kind, _ recorder: Recorder<Value>,
    onCancel: @escaping (_ index: Int, [Source<Value>]) -> Void = { _, _ in }
  ) -> [Source<Value>] {
    let sources = (0..<3).map { _ in Source<Value>() }
    for (index, source) in sources.enumerated() {
      source.onCancel = { onCancel(index, sources) }
    }
    kind.join(sources).subscribe(recorder)
    return sources
  }

  // MARK: While an upstream is being cancelled

  @Test(arguments: Kind.allCases, Signal.allCases)
  func othersMaySignalWhileOneIsCancelled(_ kind: Kind, _ signal: Signal) {
    let recorder = Recorder<Int>()
    let sources = join(kind, recorder) { index, sources in
      for other in sources where other !== sources[index] { signal.send(1, to: other) }
    }
    sources[0].send(1)
    let before = recorder.events
    recorder.cancel()
    #expect(recorder.events == before)
    for source in sources { #expect(source.ledger.cancelCount <= 1) }
  }

  @Test(arguments: Kind.allCases, Signal.allCases)
  func othersMaySignalWhileOneIsCancelledForAFailure(_ kind: Kind, _ signal: Signal) {
    for failing in 0..<3 {
      let recorder = Recorder<Int>()
      let sources = join(kind, recorder) { index, sources in
        for other in sources where other !== sources[index] { signal.send(1, to: other) }
      }
      sources[failing].send(completion: .failure(TestFailure()))
      #expect(recorder.completions == [.failure(TestFailure())])
      #expect(recorder.overlapCount == 0)
      let count = recorder.events.count
      for source in sources { source.send(2) }
      #expect(recorder.events.count == count)
    }
  }

  /// A publisher may wait in its cancellation for the thread on which it sends.
  @Test(arguments: Kind.allCases)
  func aCancellationMayWaitForAThreadThatSends(_ kind: Kind) {
    for fails in [false, true] {
      let recorder = Recorder<Int>()
      let sources = join(kind, recorder) { _, sources in
        race({ for source in sources { source.send(1) } })
      }
      if fails { sources[2].send(completion: .failure(TestFailure())) } else { recorder.cancel() }
      #expect(recorder.values == [])
      #expect(sources[0].ledger.isCancelled)
    }
  }

  // MARK: Releases

  enum Action: String, CaseIterable { case send, cancel, request, finish, fail }

  /// The last reference to a value is one that the operator keeps, and its release comes back to the operator.
  @Test(arguments: Kind.allCases, Action.allCases)
  func aReleaseMayComeBack(_ kind: Kind, _ action: Action) {
    let lifetimes = LifetimeTracker()
    for (demand, end) in [
      (Subscribers.Demand.max(1), Action.send), (.max(1), .cancel), (.max(1), .fail), (.unlimited, .send),
      (.unlimited, .cancel), (.unlimited, .fail),
    ] {
      let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: demand)
      let sources = (0..<3).map { _ in Source<LifetimeToken>() }
      kind.join(sources).map(\.count).subscribe(recorder)
      func perform(_ action: Action) {
        switch action {
        case .send: for source in sources { source.send(lifetimes.token()) }
        case .cancel: recorder.cancel()
        case .request: recorder.request(.max(1))
        case .finish: for source in sources { source.send(completion: .finished) }
        case .fail: sources[1].send(completion: .failure(TestFailure()))
        }
      }
      var releaseCount = 0
      for source in sources.dropLast() {
        for _ in 0..<3 {
          source.send(
            LifetimeToken {
              releaseCount += 1
              perform(action)
            })
        }
      }
      perform(end)
      perform(end)
      perform(.fail)
      #expect(releaseCount == 6)
      #expect(lifetimes.liveCount == 0)
      #expect(recorder.completions.count <= 1)
      #expect(recorder.overlapCount == 0)
    }
  }

  // MARK: The subscription

  /// A request from within `receive(subscription:)` may be answered there, by several at once.
  @Test(arguments: Kind.allCases)
  func aRequestInTheSubscriptionMayBeAnsweredAtOnce(_ kind: Kind) {
    let recorder = Recorder<Int>(initialDemand: .max(2))
    let sources = (0..<3).map { _ in Source<Int>() }
    for (index, source) in sources.enumerated() {
      var next = 0
      source.onRequest = { [unowned source] demand in
        for _ in 0..<(demand.max ?? 0) {
          next += 1
          source.send(next * 10 + index)
        }
      }
    }
    kind.join(sources).subscribe(recorder)
    #expect(recorder.events.first?.kind == "subscription")
    #expect(recorder.values.count == 2)
    #expect(recorder.overdrawn == 0)
  }
}
