import Streams
import StreamsExtras
import StreamsTesting
import Testing

/// What all operators have in common that divide a publisher into inner streams.
@Suite struct FanOutTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Divided = AnyPublisher<AnyPublisher<Int, TestFailure>, TestFailure>

  enum Divider: CaseIterable {
    case groupBy, groupByTwo, windowByCount, windowByBoundaries, windowByTime

    func divide(_ source: Source) -> Divided {
      switch self {
      case .groupBy: Self.erase(source.groupBy(prefetch: .max(2)) { _ in 0 })
      case .groupByTwo: Self.erase(source.groupBy(prefetch: .max(4)) { $0 % 2 })
      case .windowByCount: Self.erase(source.window(count: 9, prefetch: .max(2)))
      case .windowByBoundaries:
        Self.erase(
          source.window(boundaries: Empty<Int, TestFailure>(completeImmediately: false), prefetch: .max(2)))
      case .windowByTime:
        Self.erase(source.window(.byTime(VirtualTimeScheduler(), .seconds(1)), prefetch: .max(2)))
      }
    }

    private static func erase<P: Publisher>(_ publisher: P) -> Divided
    where P.Failure == TestFailure, P.Output: Publisher<Int, TestFailure> {
      publisher.map { $0.eraseToAnyPublisher() }.eraseToAnyPublisher()
    }
  }

  /// How the last stream comes to lose its subscriber, or can no longer get one.
  enum Leaving: CaseIterable { case innerLast, outerLast, unclaimed }

  /// The values that waited make room when their stream closes; nobody is left for what would come.
  @Test(arguments: Divider.allCases.filter { $0 != .groupByTwo }, Leaving.allCases)
  func asksForNothingWhenItsLastStreamClosesWithValuesThatWait(_ divider: Divider, _ leaving: Leaving) {
    let source = Source()
    let inner = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(1))
    let outer = RecordingSubscriber<AnyPublisher<Int, TestFailure>, TestFailure>(initialDemand: .unlimited)
    if leaving != .unclaimed {
      outer.onValue = { stream in
        stream.subscribe(inner)
        return .none
      }
    }
    divider.divide(source).subscribe(outer)
    for value in 0..<10 where source.ledger.outstanding != .none { source.send(value) }
    #expect(leaving == .unclaimed || inner.values == [0])
    let first = leaving == .innerLast ? outer.cancel : inner.cancel
    let last = leaving == .innerLast ? inner.cancel : outer.cancel
    if leaving != .unclaimed { first() }
    let requests = source.ledger.requests
    last()
    #expect(source.ledger.isCancelled && source.ledger.requests == requests)
  }

  /// What subscribes to the inner streams.
  enum Joiner: CaseIterable {
    case flatMap, flatMapOfOne, concatMap, switchToLatest

    func join(_ divided: Divided) -> AnyPublisher<Int, TestFailure> {
      switch self {
      case .flatMap: divided.flatMap { $0 }.eraseToAnyPublisher()
      case .flatMapOfOne: divided.flatMap(maxPublishers: .max(1)) { $0 }.eraseToAnyPublisher()
      case .concatMap: divided.concatMap { $0 }.eraseToAnyPublisher()
      case .switchToLatest: divided.switchToLatest().eraseToAnyPublisher()
      }
    }
  }

  /// Alone, and as an inner stream of another operator that is cancelled.
  enum Outside: CaseIterable { case nothing, flatMap, switchToLatest, merge }

  @Test(arguments: Divider.allCases, Joiner.allCases)
  func asksForNothingWhenWhatJoinsItIsCancelled(_ divider: Divider, _ joiner: Joiner) {
    for outside in Outside.allCases {
      for demand in 1...3 {
        let source = Source()
        let joined = joiner.join(divider.divide(source))
        let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(demand))
        switch outside {
        case .nothing: joined.subscribe(recorder)
        case .flatMap:
          Just(0).setFailureType(to: TestFailure.self).flatMap { _ in joined }.subscribe(recorder)
        case .switchToLatest:
          Just(joined).setFailureType(to: TestFailure.self).switchToLatest().subscribe(recorder)
        case .merge: joined.merge(with: Source()).subscribe(recorder)
        }
        for value in 0..<20 where source.ledger.outstanding != .none { source.send(value) }
        #expect(!recorder.values.isEmpty)
        let total = source.ledger.total
        recorder.cancel()
        #expect(source.ledger.isCancelled && source.ledger.total == total, "\(outside), \(demand)")
      }
    }
  }
}
