import Streams
import StreamsTesting
import Testing

@Suite struct CombineLatestTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<[Int], TestFailure>

  private func sources(_ count: Int) -> [Source] { (0..<count).map { _ in Source() } }

  /// Combines as many publishers with the type made for that number, and with the type for any number.
  func combinations<P: Publisher<Int, TestFailure>>(of s: [P]) -> [AnyPublisher<[Int], TestFailure>] {
    let many = CombineLatestMany(s).eraseToAnyPublisher()
    switch s.count {
    case 2:
      return [
        many, s[0].combineLatest(s[1]) { [$0, $1] }.eraseToAnyPublisher(),
        s[0].combineLatest(s[1]).map { [$0.0, $0.1] }.eraseToAnyPublisher(),
      ]
    case 3:
      return [
        many, s[0].combineLatest(s[1], s[2]) { [$0, $1, $2] }.eraseToAnyPublisher(),
        s[0].combineLatest(s[1], s[2]).map { [$0.0, $0.1, $0.2] }.eraseToAnyPublisher(),
      ]
    case 4:
      return [
        many, s[0].combineLatest(s[1], s[2], s[3]) { [$0, $1, $2, $3] }.eraseToAnyPublisher(),
        s[0].combineLatest(s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] }.eraseToAnyPublisher(),
      ]
    default: return [many]
    }
  }

  private func forEachKind(_ count: Int, _ body: ([Source], AnyPublisher<[Int], TestFailure>) -> Void) {
    for index in combinations(of: sources(count)).indices {
      let sources = sources(count)
      body(sources, combinations(of: sources)[index])
    }
  }

  /// Two sources combined, and who receives the pairs.
  func pair(_ recorder: Recorder = Recorder()) -> (Source, Source, Recorder) {
    let (first, second) = (Source(), Source())
    first.combineLatest(second) { [$0, $1] }.subscribe(recorder)
    return (first, second, recorder)
  }

  // MARK: Values

  @Test(arguments: 1...5)
  func sendsTheLatestOfEach(_ count: Int) {
    forEachKind(count) { sources, combined in
      let recorder = Recorder()
      combined.subscribe(recorder)
      for (index, source) in sources.enumerated() {
        #expect(recorder.values.isEmpty)
        #expect(source.send(index) == .none)
      }
      var expected = [Array(0..<count)]
      for (index, source) in sources.enumerated() {
        source.send(index + 10)
        expected.append((0..<count).map { $0 <= index ? $0 + 10 : $0 })
      }
      #expect(recorder.values == expected)
      #expect(recorder.events.first == .subscription("CombineLatest"))
      #expect(sources.allSatisfy { $0.ledger.requests == [.unlimited] })
    }
  }

  @Test func aValueSentWithinADeliveryReplacesWhatIsKeptAndIsNotDelivered() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(3)) { _ in .none })
    recorder.onValue = { value in
      #expect(first.send(value[0] + 1) == .none)
      return .none
    }
    first.send(1)
    second.send(2)
    #expect(recorder.values == [[1, 2]])
    second.send(3)
    second.send(4)
    #expect(recorder.values == [[1, 2], [2, 3], [3, 4]])
    #expect(recorder.overdrawn == 0)
  }

  @Test func aSinkThatSendsIntoAnInputEnds() {
    let (a, b) = (CurrentValueSubject<Int, Never>(0), CurrentValueSubject<Int, Never>(0))
    var pairs: [[Int]] = []
    let cancellable = a.combineLatest(b).sink { x, y in
      pairs.append([x, y])
      a.send(min(x + 1, 10))
    }
    b.send(1)
    cancellable.cancel()
    #expect(pairs == [[0, 0], [1, 1]])
  }

  @Test func aRequestWithinADeliveryIsAnsweredAfterIt() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(1)))
    second.subscriptions[0].onRequest = { [unowned second] _ in
      if recorder.values.count < 3 { second.send(recorder.values.count + 10) }
    }
    recorder.onValue = { [unowned recorder] _ in
      recorder.request(.max(1))
      return .none
    }
    first.send(1)
    second.send(2)
    #expect(recorder.values == [[1, 2], [1, 11], [1, 12]])
  }

  // MARK: Demand

  @Test func valuesBeyondDemandAreDroppedForGood() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(1)))
    first.send(1)
    second.send(batch: [2, 3])
    #expect(recorder.values == [[1, 2]])
    recorder.request(.max(1))
    #expect(recorder.values == [[1, 2]])
    first.send(4)
    #expect(recorder.values == [[1, 2], [4, 3]])
    #expect(recorder.overdrawn == 0)
  }

  @Test(arguments: 2...4)
  func everyRequestGoesToEverySource(_ count: Int) {
    forEachKind(count) { sources, combined in
      let recorder = Recorder(initialDemand: .max(3))
      combined.subscribe(recorder)
      recorder.onValue = { [unowned recorder] _ in
        recorder.request(.max(2))
        return .max(1)
      }
      let demands = sources.map { $0.send(1) }
      #expect(demands == Array(repeating: .none, count: count - 1) + [.max(1)])
      for source in sources.dropLast() { #expect(source.ledger.requests == [.max(3), .max(2), .max(1)]) }
      #expect(sources.last?.ledger.requests == [.max(3), .max(2)])
    }
  }

  @Test func aRequestForNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<(Int, Int), Never>()
      PassthroughSubject<Int, Never>().combineLatest(PassthroughSubject<Int, Never>()).subscribe(recorder)
      recorder.request(.none)
    }
  }

  @Test func aRequestThatIsAnsweredAtOnceCountsForTheAnswer() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .none))
    first.send(1)
    second.subscriptions[0].onRequest = { [unowned second] _ in second.send(2) }
    recorder.request(.max(1))
    #expect(recorder.values == [[1, 2]])
  }

  // MARK: The end

  @Test(arguments: 2...4)
  func finishesWhenAllHaveFinished(_ count: Int) {
    forEachKind(count) { sources, combined in
      let recorder = Recorder()
      combined.subscribe(recorder)
      for source in sources { source.send(1) }
      for source in sources {
        #expect(recorder.completions.isEmpty)
        source.send(completion: .finished)
        source.send(completion: .finished)
      }
      #expect(recorder.completions == [.finished])
      #expect(sources.allSatisfy { !$0.ledger.isCancelled })
    }
  }

  @Test(arguments: 2...4)
  func aSourceThatFinishesWithoutAValueLeavesItOpen(_ count: Int) {
    forEachKind(count) { sources, combined in
      let recorder = Recorder()
      combined.subscribe(recorder)
      sources[0].send(completion: .finished)
      for source in sources.dropFirst() {
        source.send(1)
        #expect(recorder.events == [.subscription("CombineLatest")])
        source.send(completion: .finished)
      }
      #expect(recorder.events == [.subscription("CombineLatest"), .completion(.finished)])
      #expect(sources.map(\.ledger.cancelCount) == Array(repeating: 0, count: count))
    }
  }

  @Test func aSourceThatFinishesWithoutASubscriptionIsNotWaitedFor() {
    let (first, second) = (Source(sendsSubscription: false), Source())
    let recorder = Recorder()
    first.combineLatest(second) { [$0, $1] }.subscribe(recorder)
    first.send(completion: .finished)
    #expect(recorder.events == [.subscription("CombineLatest")])
    second.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }

  @Test func aFailureCancelsTheOthersFirst() {
    let (first, second, recorder) = pair()
    recorder.onCompletion = { _ in #expect(first.ledger.isCancelled) }
    first.send(1)
    second.send(completion: .failure(TestFailure()))
    first.send(completion: .failure(TestFailure()))
    second.send(2)
    #expect(recorder.events == [.subscription("CombineLatest"), .completion(.failure(TestFailure()))])
    #expect([first, second].map(\.ledger.cancelCount) == [1, 0])
  }

  @Test func theSubscriptionComesFirstEvenWhenASourceEndsAtOnce() {
    let recorder = Recorder()
    let second = Source()
    Fail<Int, TestFailure>(error: TestFailure()).combineLatest(second) { [$0, $1] }.subscribe(recorder)
    #expect(recorder.events == [.subscription("CombineLatest"), .completion(.failure(TestFailure()))])
    #expect(second.ledger.entries == [.cancelled])
  }

  @Test func aCancellationInTheSubscriptionOfAStreamThatHasFailedSilencesIt() {
    let recorder = Recorder(initialDemand: .none)
    recorder.onSubscription = { $0.cancel() }
    Fail<Int, TestFailure>(error: TestFailure()).combineLatest(Source()) { [$0, $1] }.subscribe(recorder)
    #expect(recorder.events == [.subscription("CombineLatest")])
  }

  // MARK: Cancelling

  @Test func cancellingCancelsAllAndSilences() {
    let (first, second, recorder) = pair()
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .max(1)
    }
    first.send(1)
    #expect(second.send(batch: [2, 3]) == .none)
    recorder.request(.max(1))
    recorder.cancel()
    first.send(completion: .failure(TestFailure()))
    #expect(recorder.events == [.subscription("CombineLatest"), .value([1, 2])])
    #expect(first.ledger.entries.filter { $0 != .delivered(1) } == [.requested(.unlimited), .cancelled])
    #expect(second.ledger.cancelCount == 1)
    #expect(second.ledger.requests == [.unlimited])
  }

  @Test func ignoresFurtherSubscriptions() {
    let (first, _, recorder) = pair()
    let second = TestSubscription()
    first.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(first.ledger.entries == [.requested(.unlimited)])
    #expect(recorder.events == [.subscription("CombineLatest")])
  }

  // MARK: Description, lifetime

  @Test func describesItself() {
    let (first, _, recorder) = pair()
    #expect(String(describing: first.subscribers[0]) == "CombineLatest")
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.isEmpty)
  }

  @Test func combinationsOfEqualPublishersAreEqual() {
    let (a, b) = (Just(1), Just("a"))
    #expect(a.combineLatest(b) == a.combineLatest(b))
    #expect(a.combineLatest(b) != Just(2).combineLatest(b))
    #expect(a.combineLatest(b, a) == a.combineLatest(b, a))
    #expect(a.combineLatest(b, a, b) != a.combineLatest(b, a, Just("b")))
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func releasesEverythingAfterTheEnd(_ end: String) {
    let lifetimes = LifetimeTracker()
    let sources = [
      PassthroughSubject<LifetimeToken, TestFailure>(), PassthroughSubject<LifetimeToken, TestFailure>(),
    ]
    let cancellable = sources[0].combineLatest(sources[1]).sink(
      receiveCompletion: { [token = lifetimes.token()] _ in token.keep() },
      receiveValue: { [token = lifetimes.token()] _ in token.keep() })
    for source in sources { source.send(lifetimes.token()) }
    switch end {
    case "cancel": cancellable.cancel()
    case "fail": sources[1].send(completion: .failure(TestFailure()))
    default: for source in sources { source.send(completion: .finished) }
    }
    #expect(lifetimes.liveCount == 0)
  }

  /// The sources here hold on to the operator after the end.
  @Test(arguments: ["finish", "fail", "cancel"])
  func letsGoOfTheLatestValues(_ end: String) {
    let lifetimes = LifetimeTracker()
    let (first, second) = (TestPublisher<LifetimeToken, TestFailure>(), Source())
    let recorder = RecordingSubscriber<Int, TestFailure>()
    first.combineLatest(second) { $1 }.subscribe(recorder)
    first.send(lifetimes.token())
    #expect(lifetimes.liveCount == 1)
    switch end {
    case "cancel": recorder.cancel()
    case "fail": second.send(completion: .failure(TestFailure()))
    default:
      first.send(completion: .finished)
      second.send(completion: .finished)
    }
    #expect(lifetimes.liveCount == 0)
  }
}
