import StreamsExtras
import StreamsTesting

@testable import Streams

typealias Numbers = AnyPublisher<Value, TestFailure>

/// An operator in a form that passes each value on, once and in order.
struct PassingOperator: Sendable {
  enum Trait {
    /// Several subscribers have one subscription to its upstream.
    case isShared
    /// It tells a new subscriber something at once.
    case replays
  }

  let name: String
  let traits: Set<Trait>
  private let apply: @Sendable (Numbers, ChainStage) -> any Publisher<Value, TestFailure>

  init<P: Publisher<Value, TestFailure>>(
    _ name: String, _ traits: Set<Trait> = [], _ apply: @escaping @Sendable (Numbers, ChainStage) -> P
  ) {
    (self.name, self.traits) = (name, traits)
    self.apply = apply
  }

  func callAsFunction(_ upstream: Numbers, _ stage: ChainStage) -> Numbers {
    AnyPublisher(apply(upstream, stage))
  }

  static let families = [
    transformations, throwing, selections, observers, buffers, joins, inners, groups, shared, timed,
  ]
}

extension PassingOperator {
  private static let transformations: [PassingOperator] = [
    PassingOperator("map") { upstream, stage in upstream.map { stage.passed($0) } },
    PassingOperator("map") { upstream, stage in upstream.map { stage.passed($0) }.map { stage.passed($0) } },
    PassingOperator("map") { upstream, _ in upstream.map(\.self) },
    PassingOperator("map") { upstream, _ in upstream.map(\.self, \.number).map(\.0) },
    PassingOperator("mapError") { upstream, _ in upstream.mapError { $0 } },
    PassingOperator("replaceNil") { upstream, _ in upstream.map(Optional.some).replaceNil(with: 0) },
    PassingOperator("replaceEmpty") { upstream, _ in upstream.dropFirst(0).replaceEmpty(with: 0) },
    PassingOperator("replaceError") { upstream, _ in upstream.replaceError(with: 0).mayFail },
    PassingOperator("setFailureType") { upstream, _ in upstream.mayNotFail.mayFail },
    PassingOperator("assertNoFailure") { upstream, _ in upstream.assertNoFailure().mayFail },
    PassingOperator("scan") { upstream, stage in upstream.scan(0) { stage.passed($1) } },
    PassingOperator("collect") { upstream, _ in
      upstream.collect(1).flatMap { $0.publisher.mayFail }
    },
    PassingOperator("CollectByCountInto") { upstream, _ in
      CollectByCountInto(ArrayGatherer<Value, TestFailure>.self, upstream: upstream, count: 1)
        .flatMap { $0.publisher.mayFail }
    },
    PassingOperator("encode") { upstream, _ in
      upstream.encode(encoder: TestCoder()).map { Value($0) }.failsTested
    },
    PassingOperator("decode") { upstream, _ in
      upstream.map(\.number).decode(type: String.self, decoder: TestCoder()).map { Value(Int($0)!) }
        .failsTested
    },
    PassingOperator("materialize") { upstream, _ in upstream.materialize().dematerialize() },
    PassingOperator("dematerialize") { upstream, stage in
      upstream.materialize().map { event in
        if case .value(let value) = event { _ = stage.passed(value) } else { stage.occur(.closure) }
        return event
      }.dematerialize()
    },
    PassingOperator("pairwise") { upstream, _ in upstream.prepend(0).pairwise().map(\.1) },
  ]

  private static let throwing: [PassingOperator] = [
    PassingOperator("tryMap") { upstream, stage in upstream.tryMap { stage.passed($0) }.failsTested },
    PassingOperator("tryScan") { upstream, stage in
      upstream.tryScan(0) { stage.passed($1) }.failsTested
    },
    PassingOperator("TryScanPairs") { upstream, stage in
      TryScanPairs(
        upstream: upstream, initialResult: 0, nextPartialResult: ValuePair { stage.passed($1) })
    },
    PassingOperator("tryFilter") { upstream, stage in
      upstream.tryFilter { stage.isPassed($0) }.failsTested
    },
    PassingOperator("tryCompactMap") { upstream, stage in
      upstream.tryCompactMap { stage.passed($0) }.failsTested
    },
    PassingOperator("tryRemoveDuplicates") { upstream, stage in
      upstream.tryRemoveDuplicates { !stage.isPassed($1) || $0 == $1 }.failsTested
    },
    PassingOperator("TryRemoveDuplicatePairs") { upstream, stage in
      TryRemoveDuplicatePairs(
        upstream: upstream, predicate: ValuePair { !stage.isPassed($1) || $0 == $1 })
    },
    PassingOperator("tryDrop") { upstream, stage in
      upstream.tryDrop { !stage.isPassed($0) }.failsTested
    },
    PassingOperator("tryPrefix") { upstream, stage in
      upstream.tryPrefix { stage.isPassed($0) }.failsTested
    },
    PassingOperator("tryCatch") { upstream, _ in
      upstream.tryCatch { _ in Empty<Value, TestFailure>() }.failsTested
    },
  ]

  private static let selections: [PassingOperator] = [
    PassingOperator("filter") { upstream, stage in upstream.filter { stage.isPassed($0) } },
    PassingOperator("compactMap") { upstream, stage in upstream.compactMap { stage.passed($0) } },
    PassingOperator("removeDuplicates") { upstream, _ in upstream.removeDuplicates() },
    PassingOperator("removeDuplicates") { upstream, stage in
      upstream.removeDuplicates { !stage.isPassed($1) || $0 == $1 }
    },
    PassingOperator("removeAllDuplicates") { upstream, _ in upstream.removeAllDuplicates(by: \.copy) },
    PassingOperator("dropFirst") { upstream, _ in upstream.dropFirst(0) },
    PassingOperator("drop") { upstream, stage in upstream.drop { !stage.isPassed($0) } },
    PassingOperator("drop") { upstream, _ in upstream.drop(untilOutputFrom: Just(0).mayFail) },
    PassingOperator("prefix") { upstream, _ in upstream.prefix(1_000_000) },
    PassingOperator("prefix") { upstream, stage in upstream.prefix { stage.isPassed($0) } },
    PassingOperator("prefix") { upstream, _ in upstream.prefix(untilOutputFrom: never) },
    PassingOperator("output") { upstream, _ in upstream.output(in: 0...) },
  ]

  private static let observers: [PassingOperator] = [
    PassingOperator("breakpoint") { upstream, stage in
      upstream.breakpoint(receiveOutput: { !stage.isPassed($0) })
    },
    PassingOperator("breakpointOnError") { upstream, _ in upstream.breakpointOnError() },
    PassingOperator("print") { upstream, _ in upstream.print("", to: Silence()) },
    PassingOperator("handleEvents") { upstream, stage in
      upstream.handleEvents(
        receiveSubscription: { _ in stage.occur(.closure) }, receiveOutput: { _ = stage.passed($0) },
        receiveCancel: { stage.occur(.cancellation) }, receiveRequest: { _ in stage.occur(.closure) })
    },
    PassingOperator("AnyPublisher") { upstream, _ in upstream.eraseToAnyPublisher() },
    PassingOperator("Deferred") { upstream, stage in
      Deferred {
        stage.occur(.closure)
        return upstream
      }
    },
    PassingOperator("tracked") { upstream, _ in upstream.tracked { _ in } },
  ]

  private struct Silence: TextOutputStream {
    mutating func write(_ string: String) {}
  }

  fileprivate static var failed: Fail<Value, TestFailure> { Fail(error: TestFailure()) }
  fileprivate static var never: Empty<Value, TestFailure> { Empty(completeImmediately: false) }
}

extension PassingOperator {
  private static let buffers: [PassingOperator] = [
    PassingOperator("buffer") { upstream, _ in upstream.unlimited },
    PassingOperator("buffer") { upstream, _ in
      // It demands what there is room for.
      upstream.unlimited.buffer(size: 1_000_000, prefetch: .keepFull, whenFull: .dropOldest)
    },
    PassingOperator("buffer") { upstream, _ in
      upstream.buffer(size: 1_000_000, prefetch: .byRequest, whenFull: .customError { TestFailure() })
    },
  ]

  private static let joins: [PassingOperator] = [
    PassingOperator("append") { upstream, _ in upstream.append(Empty()) },
    PassingOperator("append") { upstream, _ in Empty().append(upstream) },
    PassingOperator("prepend") { upstream, _ in upstream.prepend(Empty()) },
    PassingOperator("merge") { upstream, _ in upstream.merge(with: Empty()) },
    PassingOperator("merge") { upstream, _ in Empty().merge(with: upstream, Empty(), Empty()) },
    PassingOperator("MergeMany") { upstream, _ in
      Publishers.MergeMany([upstream, Empty().eraseToAnyPublisher()])
    },
    PassingOperator("zip") { upstream, _ in [upstream].zip().map(\.[0]) },
    PassingOperator("amb") { upstream, _ in upstream.amb(with: never) },
    PassingOperator("catch") { upstream, _ in upstream.catch { _ in Empty() } },
    PassingOperator("catch") { upstream, _ in failed.catch { _ in upstream } },
    PassingOperator("tryCatch") { upstream, _ in failed.tryCatch { _ in upstream }.failsTested },
    PassingOperator("switchToLatest") { upstream, _ in once.map { _ in upstream }.switchToLatest() },
    PassingOperator("retry") { upstream, _ in upstream.retry(2) },
    PassingOperator("retry") { upstream, stage in
      upstream.retry(Backoff(retries: 2, delay: .seconds(1)), scheduler: stage.clock)
    },
    PassingOperator("repeat") { upstream, _ in upstream.repeat(1) },
    PassingOperator("withLatestFrom") { upstream, stage in
      upstream.withLatestFrom(Just(0).mayFail) { value, _ in stage.passed(value) }
    },
  ]

  private static let inners: [PassingOperator] = [
    PassingOperator("flatMap") { upstream, stage in upstream.flatMap { Just(stage.passed($0)).mayFail } },
    PassingOperator("flatMap") { upstream, stage in
      upstream.unlimited.flatMap(maxPublishers: .max(1)) {
        CollectionOfOne(stage.passed($0)).publisher.mayFail
      }
    },
    PassingOperator("flatMap") { upstream, _ in once.flatMap { _ in upstream } },
    PassingOperator("flatMap") { upstream, stage in
      upstream.flatMap { value in Future { $0(.success(stage.passed(value))) }.mayFail }
    },
    PassingOperator("flatMap") { upstream, stage in
      upstream.flatMap { [stage.passed($0)].publisher.mayFail }
    },
    PassingOperator("flatMap") { upstream, stage in
      upstream.flatMap { stage.passed($0).publisher.delay(for: 1, scheduler: stage.clock) }
    },
    PassingOperator("concatMap") { upstream, _ in once.concatMap { _ in upstream } },
    PassingOperator("concatMap") { upstream, stage in
      upstream.concatMap { value in
        Future { promise in stage.clock.schedule { promise(.success(stage.passed(value))) } }.mayFail
      }
    },
    PassingOperator("concatMap") { upstream, stage in upstream.concatMap { Just(stage.passed($0)).mayFail } },
    PassingOperator("concatMap") { upstream, stage in
      upstream.concatMap { [stage.passed($0)].publisher.mayFail }
    },
    PassingOperator("concatMap") { upstream, stage in
      upstream.concatMap { stage.passed($0).publisher.delay(for: 1, scheduler: stage.clock) }
    },
  ]

  private static var once: Publishers.SetFailureType<Just<Int>, TestFailure> { Just(0).mayFail }

  /// Where demand may be limited, values of several groups or windows come in any order.
  private static let groups: [PassingOperator] = [
    PassingOperator("groupBy") { upstream, stage in
      upstream.groupBy { stage.passed($0).number % 3 }.flatMap { $0 }.unlimited
    },
    PassingOperator("groupBy") { upstream, stage in
      upstream.groupBy(\.number).flatMap { group in group.map { stage.passed($0) } }.unlimited
    },
    PassingOperator("window") { upstream, stage in upstream.window(count: 2).flatMap { $0 }.unlimited },
    PassingOperator("window") { upstream, _ in upstream.window(boundaries: never).flatMap { $0 }.unlimited },
    PassingOperator("window") { upstream, stage in
      upstream.window(.byTimeOrCount(stage.clock, 5, 3)).flatMap { window in window.map { stage.passed($0) } }
        .unlimited
    },
  ]

  private static let shared: [PassingOperator] = [
    PassingOperator("share", [.isShared]) { upstream, _ in upstream.share() },
    PassingOperator("share", [.isShared, .replays]) { upstream, _ in upstream.share(replay: 1) },
    PassingOperator("multicast", [.isShared]) { upstream, _ in
      upstream.multicast { PassthroughSubject() }.autoconnect()
    },
    PassingOperator("autoconnect", [.isShared]) { upstream, _ in
      upstream.mayNotFail.makeConnectable().autoconnect().mayFail
    },
    PassingOperator("makeConnectable", [.isShared]) { upstream, stage in
      upstream.mayNotFail.makeConnectable().autoconnect().map { stage.passed($0) }.mayFail
    },
  ]

  private static let timed: [PassingOperator] = [
    PassingOperator("delay") { upstream, stage in upstream.delay(for: 1, scheduler: stage.clock) },
    PassingOperator("delay") { upstream, stage in
      upstream.delay(for: 1, scheduler: HandingOver(clock: stage.clock, handover: .together))
    },
    PassingOperator("receive") { upstream, stage in upstream.receive(on: stage.clock) },
    PassingOperator("receive") { upstream, _ in upstream.receive(on: ImmediateScheduler.shared) },
    PassingOperator("receive") { upstream, stage in
      upstream.receive(on: HandingOver(clock: stage.clock, handover: .together))
    },
    PassingOperator("subscribe") { upstream, _ in upstream.subscribe(on: ImmediateScheduler.shared) },
    PassingOperator("timeout") { upstream, stage in upstream.timeout(3600, scheduler: stage.clock) },
    PassingOperator("collect") { upstream, stage in
      upstream.collect(.byTimeOrCount(stage.clock, 5, 2)).flatMap { $0.publisher.mayFail }
    },
  ]
}

extension Value {
  /// A key that does not keep what the value keeps.
  fileprivate var copy: Int { number }

  fileprivate var publisher: Publishers.SetFailureType<Just<Value>, TestFailure> { Just(self).mayFail }
}

extension Publisher where Failure == Never {
  fileprivate var mayFail: Publishers.SetFailureType<Self, TestFailure> {
    setFailureType(to: TestFailure.self)
  }
}

extension Publisher where Failure == TestFailure {
  /// Demands everything, whatever the demand is.
  fileprivate var unlimited: Publishers.Buffer<Self> {
    buffer(size: 1_000_000, prefetch: .byRequest, whenFull: .dropNewest)
  }

  fileprivate var mayNotFail: Publishers.Catch<Self, Empty<Output, Never>> { self.catch { _ in Empty() } }
}

extension Publisher where Failure == any Error {
  fileprivate var failsTested: Publishers.MapError<Self, TestFailure> { mapError { _ in TestFailure() } }
}
