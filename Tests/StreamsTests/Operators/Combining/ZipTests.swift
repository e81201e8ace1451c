import Streams
import StreamsTesting
import Testing

@Suite struct ZipTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<[Int], TestFailure>

  private func sources(_ count: Int) -> [Source] { (0..<count).map { _ in Source() } }

  /// Zips as many publishers with the type made for that number, and with the type for any number.
  private func zips(of s: [Source]) -> [AnyPublisher<[Int], TestFailure>] {
    let many = ZipMany(s).eraseToAnyPublisher()
    switch s.count {
    case 2:
      return [
        many, s[0].zip(s[1]) { [$0, $1] }.eraseToAnyPublisher(),
        s[0].zip(s[1]).map { [$0.0, $0.1] }.eraseToAnyPublisher(),
      ]
    case 3:
      return [
        many, s[0].zip(s[1], s[2]) { [$0, $1, $2] }.eraseToAnyPublisher(),
        s[0].zip(s[1], s[2]).map { [$0.0, $0.1, $0.2] }.eraseToAnyPublisher(),
      ]
    case 4:
      return [
        many, s[0].zip(s[1], s[2], s[3]) { [$0, $1, $2, $3] }.eraseToAnyPublisher(),
        s[0].zip(s[1], s[2], s[3]).map { [$0.0, $0.1, $0.2, $0.3] }.eraseToAnyPublisher(),
      ]
    default: return [many]
    }
  }

  private func forEachZip(_ count: Int, _ body: ([Source], AnyPublisher<[Int], TestFailure>) -> Void) {
    for index in zips(of: sources(count)).indices {
      let sources = sources(count)
      body(sources, zips(of: sources)[index])
    }
  }

  /// Two sources zipped, and who receives the pairs.
  private func pair(_ recorder: Recorder = Recorder()) -> (Source, Source, Recorder) {
    let (first, second) = (Source(), Source())
    first.zip(second) { [$0, $1] }.subscribe(recorder)
    return (first, second, recorder)
  }

  // MARK: Values

  @Test(arguments: 1...5)
  func sendsTuplesInOrder(_ count: Int) {
    forEachZip(count) { sources, zip in
      let recorder = Recorder()
      zip.subscribe(recorder)
      for (index, source) in sources.enumerated() {
        #expect(source.send(batch: [index, index + 10]) == .none)
      }
      #expect(
        recorder.events == [
          .subscription("Zip"), .value(Array(0..<count)), .value(Array(10..<10 + count)),
        ])
      #expect(sources.allSatisfy { $0.ledger.requests == [.unlimited] })
    }
  }

  @Test func manyValuesMayWait() {
    let (first, second, recorder) = pair()
    for value in 0..<100 { first.send(value) }
    for value in 0..<50 { second.send(value) }
    first.send(100)
    for value in 50..<100 { second.send(value) }
    #expect(recorder.values == (0..<100).map { [$0, $0] })
  }

  @Test func aValueSentWithinADeliveryWaits() {
    let (first, second, recorder) = pair()
    recorder.onValue = { _ in
      #expect(first.send(3) == .none)
      return .none
    }
    first.send(1)
    #expect(second.send(2) == .none)
    #expect(recorder.values == [[1, 2]])
    second.send(4)
    #expect(recorder.values == [[1, 2], [3, 4]])
  }

  @Test func aTupleCompletedWithinADeliveryIsSentAtOnce() {
    let (first, second, recorder) = pair()
    recorder.onValue = { value in
      if value[0] == 1 { #expect(second.send(4) == .max(2)) }
      return value[0] == 1 ? .max(1) : .max(2)
    }
    first.send(batch: [1, 3])
    #expect(second.send(2) == .max(1))
    #expect(recorder.values == [[1, 2], [3, 4]])
  }

  // MARK: Demand

  @Test(arguments: 2...4)
  func requestsTheDemandFromEverySource(_ count: Int) {
    forEachZip(count) { sources, zip in
      let recorder = Recorder(initialDemand: .max(3))
      zip.subscribe(recorder)
      for source in sources { #expect(source.send(1) == .none) }
      recorder.request(.max(2))
      #expect(sources.allSatisfy { $0.ledger.requests == [.max(3), .max(2)] })
    }
  }

  @Test(arguments: 2...4)
  func returnedDemandGoesToAllSources(_ count: Int) {
    forEachZip(count) { sources, zip in
      zip.subscribe(Recorder(initialDemand: .max(1)) { _ in .max(7) })
      let demands = sources.map { $0.send(1) }
      #expect(demands == Array(repeating: .none, count: count - 1) + [.max(7)])
      for source in sources.dropLast() { #expect(source.ledger.requests == [.max(1), .max(7)]) }
      #expect(sources.last?.ledger.requests == [.max(1)])
    }
  }

  /// Ten demanded and one returned twice are twelve tuples.
  @Test(arguments: 2...4)
  func returnedDemandBringsFurtherTuples(_ count: Int) {
    var sequences = (0..<count).map { _ in
      Publishers.Sequence<ClosedRange<Int>, TestFailure>(sequence: 1...100)
    }
    let recorder = Recorder(initialDemand: .max(10)) { $0[0] == 3 || $0[0] == 7 ? .max(1) : .none }
    ZipMany(sequences).subscribe(recorder)
    #expect(recorder.values == (1...12).map { Array(repeating: $0, count: count) })
    let (first, second) = (sequences.removeFirst(), sequences.removeFirst())
    let pairs = Recorder(initialDemand: .max(10)) { $0[0] == 3 || $0[0] == 7 ? .max(1) : .none }
    first.zip(second) { [$0, $1] }.subscribe(pairs)
    #expect(pairs.values == (1...12).map { [$0, $0] })
  }

  @Test func aFilterBelowDoesNotStallUnderLimitedDemand() {
    let recorder = Recorder(initialDemand: .max(1)) { _ in .max(1) }
    (1...100).publisher.setFailureType(to: TestFailure.self)
      .zip((1...).prefix(100).publisher.setFailureType(to: TestFailure.self)) { [$0, $1] }
      .filter { $0[0] % 10 == 0 }
      .subscribe(recorder)
    #expect(recorder.values == (1...10).map { [$0 * 10, $0 * 10] })
    #expect(recorder.completions == [.finished])
  }

  @Test func aFilterAmongTheValuesOfAnAsyncSequenceDoesNotStall() async {
    let zipped = (1...20).publisher.zip((1...20).publisher).filter { $0.0 % 5 == 0 }
    var values: [Int] = []
    for await (value, _) in zipped.values { values.append(value) }
    #expect(values == [5, 10, 15, 20])
  }

  @Test func aRequestWithinADeliveryReachesTheOtherSourcesByRequest() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(10)))
    recorder.onValue = { [unowned recorder] _ in
      recorder.request(.max(5))
      recorder.request(.max(2))
      return .max(1)
    }
    first.send(1)
    #expect(second.send(2) == .max(8))
    #expect(first.ledger.requests == [.max(10), .max(5), .max(2), .max(1)])
    #expect(second.ledger.requests == [.max(10)])
  }

  @Test func valuesBeyondDemandAreSent() {
    let (first, second, recorder) = pair(Recorder(initialDemand: .max(1)))
    first.send(batch: [1, 2])
    second.send(batch: [3, 4])
    #expect(recorder.values == [[1, 3], [2, 4]])
  }

  @Test func aRequestForNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<(Int, Int), Never>()
      PassthroughSubject<Int, Never>().zip(PassthroughSubject<Int, Never>()).subscribe(recorder)
      recorder.request(.none)
    }
  }

  // MARK: The end

  @Test(arguments: 2...4)
  func finishesWhenASourceWithoutValuesFinishes(_ count: Int) {
    forEachZip(count) { sources, zip in
      let recorder = Recorder()
      zip.subscribe(recorder)
      for source in sources.dropFirst() { source.send(1) }
      sources[0].send(completion: .finished)
      sources[0].send(completion: .finished)
      sources[0].send(2)
      #expect(recorder.events == [.subscription("Zip"), .completion(.finished)])
      #expect(sources.map(\.ledger.cancelCount) == [0] + Array(repeating: 1, count: count - 1))
    }
  }

  @Test func aFinishWithinADeliveryIsNoticedAfterwards() {
    let (first, second, recorder) = pair()
    recorder.onValue = { [unowned recorder] _ in
      first.send(completion: .finished)
      #expect(recorder.completions.isEmpty)
      return .none
    }
    first.send(1)
    second.send(2)
    #expect(recorder.events == [.subscription("Zip"), .value([1, 2]), .completion(.finished)])
  }

  @Test func aFailureEndsEverything() {
    let (first, second, recorder) = pair()
    recorder.onCompletion = { _ in #expect(first.ledger.cancelCount == 0) }
    first.send(1)
    second.send(completion: .failure(TestFailure()))
    second.send(completion: .failure(TestFailure()))
    second.send(2)
    first.send(completion: .finished)
    #expect(recorder.events == [.subscription("Zip"), .completion(.failure(TestFailure()))])
    #expect(first.ledger.cancelCount == 1)
    #expect(second.ledger.cancelCount == 1)
  }

  @Test func theSubscriptionComesFirstEvenWhenASourceEndsAtOnce() {
    let recorder = Recorder()
    let second = Source()
    Empty<Int, TestFailure>().zip(second) { [$0, $1] }.subscribe(recorder)
    #expect(recorder.events == [.subscription("Zip"), .completion(.finished)])
    #expect(second.ledger.entries == [.cancelled])

    let other = Recorder()
    Fail<Int, TestFailure>(error: TestFailure()).zip(second) { [$0, $1] }.subscribe(other)
    #expect(other.events == [.subscription("Zip"), .completion(.failure(TestFailure()))])
  }

  @Test func theSubscriptionWaitsForAllSources() {
    let (first, second) = (Source(), Source(sendsSubscription: false))
    let recorder = Recorder()
    first.zip(second) { [$0, $1] }.subscribe(recorder)
    #expect(recorder.events.isEmpty)
    second.sendSubscription()
    #expect(recorder.events == [.subscription("Zip")])
    #expect(first.ledger.requests == [.unlimited])
  }

  // MARK: Cancelling

  @Test func cancellingCancelsAllAndSilences() {
    let (first, second, recorder) = pair()
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .unlimited
    }
    first.send(batch: [1, 2])
    second.send(batch: [3, 4])
    recorder.request(.max(1))
    recorder.cancel()
    first.send(completion: .finished)
    second.send(completion: .failure(TestFailure()))
    #expect(recorder.events == [.subscription("Zip"), .value([1, 3])])
    #expect([first, second].map(\.ledger.cancelCount) == [1, 1])
  }

  @Test func ignoresFurtherSubscriptions() {
    let (first, _, recorder) = pair()
    let (second, third) = (TestSubscription(), TestSubscription())
    first.send(subscription: second)
    recorder.cancel()
    first.send(subscription: third)
    #expect(second.ledger.entries == [.cancelled])
    #expect(third.ledger.entries == [.cancelled])
    #expect(first.ledger.entries == [.requested(.unlimited), .cancelled])
    #expect(recorder.events == [.subscription("Zip")])
  }

  // MARK: Description, lifetime

  @Test func describesItself() {
    let (first, _, recorder) = pair()
    #expect(String(describing: first.subscribers[0]) == "Zip")
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.isEmpty)
  }

  @Test func zipsOfEqualPublishersAreEqual() {
    let (a, b) = (Just(1), Just("a"))
    #expect(a.zip(b) == a.zip(b))
    #expect(a.zip(b) != Just(2).zip(b))
    #expect(a.zip(b, a) == a.zip(b, a))
    #expect(a.zip(b, a, b) != a.zip(b, a, Just("b")))
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func releasesEverythingAfterTheEnd(_ end: String) {
    let lifetimes = LifetimeTracker()
    let sources = [
      PassthroughSubject<LifetimeToken, TestFailure>(), PassthroughSubject<LifetimeToken, TestFailure>(),
    ]
    let cancellable = sources[0].zip(sources[1]).sink(
      receiveCompletion: { [token = lifetimes.token()] _ in token.keep() },
      receiveValue: { [token = lifetimes.token()] _ in token.keep() })
    sources[0].send(lifetimes.token())
    switch end {
    case "cancel": cancellable.cancel()
    case "fail": sources[1].send(completion: .failure(TestFailure()))
    default: sources[1].send(completion: .finished)
    }
    #expect(lifetimes.liveCount == 0)
  }

  // MARK: Threads

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<200 {
      let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder()
      sources[0].zip(sources[1]) { [$0, $1] }.subscribe(recorder)
      race(
        { for value in 0..<40 { sources[0].send(value) } },
        { for value in 0..<40 { sources[1].send(value) } },
        {
          for _ in 0..<10 { recorder.subscriptions[0].request(.max(1)) }
          recorder.cancel()
        })
      #expect(recorder.overlapCount == 0)
      let count = recorder.values.count
      for source in sources { source.send(1) }
      #expect(recorder.values == (0..<count).map { [$0, $0] })
    }
  }

  @Test func nothingIsLostWhenTwoThreadsSend() {
    for _ in 0..<100 {
      let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder()
      sources[0].zip(sources[1]) { [$0, $1] }.subscribe(recorder)
      func send(to source: PassthroughSubject<Int, TestFailure>) {
        for value in 0..<50 { source.send(value) }
        source.send(completion: .finished)
      }
      race({ send(to: sources[0]) }, { send(to: sources[1]) })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values == (0..<50).map { [$0, $0] })
      #expect(recorder.completions == [.finished])
    }
  }

  @Test func subscribingWhileASourceEndsOnAnotherThread() {
    for _ in 0..<200 {
      let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder()
      race(
        { sources[0].zip(sources[1]) { [$0, $1] }.subscribe(recorder) },
        { sources[0].send(completion: .failure(TestFailure())) })
      sources[1].send(completion: .failure(TestFailure()))
      #expect(recorder.overlapCount == 0)
      #expect(recorder.events == [.subscription("Zip"), .completion(.failure(TestFailure()))])
    }
  }
}
