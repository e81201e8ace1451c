import Observation
import Streams
import StreamsExtras

/// What Combine does not have, but for what takes a scheduler.
extension Entry {
  static let extras: [Entry] = [
    Entry("pairwise", except: .passesOn) { $0.source().pairwise() }
      .runs("pairwise") { upstream, _ in upstream.pairwise().map { .list([$0, $1]) } },
    Entry(
      "removeAllDuplicates", except: [.callsInRelease: "keeps all values"]
    ) { $0.source().removeAllDuplicates() }
    .runs("distinct") { upstream, _ in upstream.removeAllDuplicates() },
    Entry("removeAllDuplicates(by:)") { bench in
      bench.source().removeAllDuplicates(by: bench.tracked { $0.number })
    }.runs("distinct_by") { upstream, given in
      // There is none that throws; one after a mapping that throws is the same.
      upstream.tryMap { (key: try given.transform($0), value: $0) }.removeAllDuplicates { $0.key }.map(
        \.value)
    },
    Entry(
      "ObservedPublisher", .hot, [.neverEnds],
      except: [.leftComesFirst: "a change that is left is sent as what the value is by then"]
    ) { bench in
      let model = Model()
      bench.register(ClosureFeed { model.value = $0 })
      return ObservedPublisher { model.value }
    },
    Entry("ReplaySubject", .hot) {
      $0.subject(ReplaySubject<Value, TestFailure>(bufferSize: 3), failure: TestFailure())
    },
    Entry("share(replay:)") { $0.source().share(replay: 2) }
      .runs("share_replay") { $0.share(replay: $1.demand.max ?? .max) },
    Entry("groupBy") { bench in bench.source().groupBy(bench.tracked { $0.number }) }
      .runs("group_by") { upstream, given in
        // There is no public one that throws; one after a mapping that throws is the same.
        upstream.tryMap { (key: try given.transform($0), value: $0) }
          .groupBy(prefetch: given.arguments[0].prefetch) { $0.key }
          .flatMap { group in group.map { .list([group.key, $0.value]) } }
      },
    Entry("groupBy with a function that may throw") { bench in
      let key = bench.tracked { (value: Value) in value.number }
      return TryGroupBy(upstream: bench.source(), prefetch: nil) { value, known throws(TestFailure) in
        known.find(key(value), hash: 0, by: ==).number
      }
    },
    Entry("groupBy, flattened") { bench in
      bench.source().groupBy(bench.tracked { $0.number % 3 }).flatMap { $0 }
    },
    Entry("window(count:)") { $0.source().window(count: 3) }
      .runs("window_by_count") { upstream, given in
        upstream.window(
          count: given.arguments[0].int, skip: given.arguments[1].int, prefetch: given.arguments[2].prefetch
        )
        .flatMap { $0.collect().map(JSONValue.list) }
      },
    Entry("window(count:), flattened") { $0.source().window(count: 3).flatMap { $0 } },
    Entry("window(boundaries:)", except: .waitsForItsWindow + .hasATrigger) {
      $0.source().window(boundaries: $0.source())
    }
    .runs("window") { upstream, given in
      upstream.window(boundaries: given.other, prefetch: given.arguments[1].prefetch)
        .flatMap { $0.collect().map(JSONValue.list) }
    },
    Entry("window(boundaries:), flattened") {
      $0.source().window(boundaries: $0.quietSource()).flatMap { $0 }
    },
    Entry("concatMap") { bench in bench.source().concatMap(bench.tracked { _ in bench.child() }) }
      .runs("concat_map") { upstream, given in
        let checked = given.fails ? upstream.tryMap(given.transform).eraseToStream() : upstream
        return checked.concatMap(total(given.expand))
      },
    Entry("materialize", except: .sendsItsEndAsAValue) { $0.source().materialize() }
      .runs("materialize") { upstream, _ in upstream.materialize().map(\.json) },
    Entry("dematerialize", except: .sendsItsEndAsAValue) { $0.source().materialize().dematerialize() }
      .runs("dematerialize") { upstream, _ in
        upstream.map(\.event).catch { Just(.failure($0)) }.dematerialize()
      },
    Entry("amb") { $0.source().amb(with: $0.quietSource()) },
    Entry(
      "sample(on:)",
      except: [.boundedRecursion: "a sequence has ended before there is a value to sample"] + .hasATrigger
    ) { $0.source().sample(on: $0.source()) }
    .runs("sample") { $0.sample(on: $1.other) },
    Entry("zip of a collection") { bench in (0..<3).map { _ in bench.source() }.zip() },
    Entry("repeat") { $0.source().repeat(2) }
      .runs("repeat") { $0.repeat($1.demand.max) },
    Entry("tracked", except: .passesLateValuesOn) { $0.source().tracked { _ in } }
      .runs("track") { Tracker($0, Tracking($1.text, .c, to: $1.lines.writeLine)) },
    Entry("withLatestFrom", except: .hasATrigger) { $0.source().withLatestFrom($0.source()) }
      .runs("with_latest_from") { $0.withLatestFrom($1.other) { .list([$0, $1]) } },
    Entry("withLatestFrom with a result selector", except: .hasATrigger) { bench in
      bench.source().withLatestFrom(bench.source(), resultSelector: bench.tracked { $0 + $1 })
    }.runs("with_latest_from_with") { upstream, given in
      upstream.withLatestFrom(given.other) { [$0, $1] }
        .tryMap { try Functions.combine(given.arguments.last!, $0) }
    },
    Entry("withLatestFrom with a function that may throw", except: .hasATrigger) { bench in
      let combine = bench.tracked { (first: Value, second: Value) in first + second }
      let selecting = SelectedPair { (first, second) throws(TestFailure) in combine(first, second) }
      return TryWithLatestFrom(upstream: bench.source(), other: bench.source(), selecting: selecting)
    },
  ]

  /// An observable object that any thread may use.
  private final class Model: Observable {
    private let registrar = ObservationRegistrar()
    private let stored = Lock<Value>(0)

    var value: Value {
      get {
        registrar.access(self, keyPath: \.value)
        return stored.withLock { $0 }
      }
      set {
        // The value before is released when it has been replaced.
        var replaced = newValue
        registrar.withMutation(of: self, keyPath: \.value) { stored.withLock { swap(&$0, &replaced) } }
      }
    }
  }
}

extension Entry.Exceptions {
  static let waitsForItsWindow: Self = [
    .finishNeedsNoDemand: "there is a window first",
    .failureNeedsNoDemand: "there is a window first",
  ]
  static let hasEmptyWindows =
    waitsForItsWindow + [.subscribersAreEqual: "who is told the end later has had more windows"]

  fileprivate static let sendsItsEndAsAValue: Self = [
    .finishNeedsNoDemand: "the end is a value first",
    .failureNeedsNoDemand: "the end is a value first",
  ]
}

extension Event<JSONValue, CaseFailure> {
  fileprivate var json: JSONValue {
    switch self {
    case .value(let value): .list(["value", value])
    case .failure(let failure): .list(["failed", .string(failure.message)])
    case .finished: .list(["finished"])
    }
  }
}

extension JSONValue {
  fileprivate var event: Event<JSONValue, CaseFailure> {
    switch list[0] {
    case "value": .value(list[1])
    case "failed": .failure(CaseFailure(message: list[1].string))
    default: .finished
    }
  }
}
