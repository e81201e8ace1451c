@testable import Streams

extension Entry {
  static let severalUpstreams: [Entry] = combinations + merges + successions

  private static let combinations: [Entry] = [
    Entry("zip") { $0.source().zip($0.source()) },
    Entry("zip of 3") { $0.source().zip($0.source(), $0.source()) },
    Entry("zip of 4") { $0.source().zip($0.source(), $0.source(), $0.source()) },
    Entry("zip with a transform") { bench in
      bench.source().zip(bench.source(), bench.tracked { $0 + $1 })
    },
    Entry("ZipMany") { bench in ZipMany((0..<5).map { _ in bench.source() }) },
    Entry("combineLatest") { $0.source().combineLatest($0.source()) },
    Entry("combineLatest of 3") { $0.source().combineLatest($0.source(), $0.source()) },
    Entry("combineLatest of 4") { $0.source().combineLatest($0.source(), $0.source(), $0.source()) },
    Entry("combineLatest with a transform") { bench in
      bench.source().combineLatest(bench.source(), bench.tracked { $0 + $1 })
    },
    Entry("CombineLatestMany") { bench in CombineLatestMany((0..<5).map { _ in bench.source() }) },
  ]

  private static let merges: [Entry] = [
    Entry("merge") { $0.source().merge(with: $0.safeSource().setFailureType(to: TestFailure.self)) },
    Entry("merge of 3") { Publishers.Merge3($0.source(), $0.source(), $0.source()) },
    Entry("merge of 4") { Publishers.Merge4($0.source(), $0.source(), $0.source(), $0.source()) },
    Entry("merge of 5") {
      Publishers.Merge5($0.source(), $0.source(), $0.source(), $0.source(), $0.source())
    },
    Entry("merge of 6") {
      Publishers.Merge6($0.source(), $0.source(), $0.source(), $0.source(), $0.source(), $0.source())
    },
    Entry("merge of 7") {
      Publishers.Merge7(
        $0.source(), $0.source(), $0.source(), $0.source(), $0.source(), $0.source(), $0.source())
    },
    Entry("merge of 8") {
      Publishers.Merge8(
        $0.source(), $0.source(), $0.source(), $0.source(), $0.source(), $0.source(), $0.source(), $0.source()
      )
    },
    Entry("MergeMany") { bench in Publishers.MergeMany((0..<5).map { _ in bench.source() }) },
  ]

  private static let successions: [Entry] = [
    Entry("append") { $0.source().append($0.source()) }.runs("append") { $0.append($1.other) },
    Entry(
      "prepend",
      except: [
        .finishNeedsNoDemand: "the upstream is not subscribed before the prefix is through",
        .failureNeedsNoDemand: "the upstream is not subscribed before the prefix is through",
      ]
    ) { $0.source().prepend(1, 2, 3) }.runs("prepend") { $0.prepend($1.other) },
    Entry("catch", except: .passesLateValuesOn) { bench in
      bench.source().catch(bench.tracked { _ in bench.source() })
    }.runs("catch") { $0.catch(total($1.recover)) },
    Entry("catch that is cancelled at once", except: .passesLateValuesOn) { bench in
      bench.source().catch(bench.tracked { _ in bench.source() }).strict()
    },
    Entry(
      "drop(untilOutputFrom:)", .attached, [.completesWithEach],
      except: [
        .demandAddsUp: dropsDemand, .returnedDemandAddsUp: dropsDemand, .requestInSubscription: dropsDemand,
        .requestInValue: dropsDemand,
        .cancelReachesUpstreams: "the other publisher is not cancelled any more once it has sent a value",
        .cancelInAnyCall: "the other publisher is not cancelled any more once it has sent a value",
        .secondSubscription: "the other publisher may start again once it has sent a value",
        .asksForEverything: "the first value of the other publisher is all that it waits for",
      ] + .hasATrigger
    ) { $0.source().drop(untilOutputFrom: $0.source()) }.runs("drop_until_output") {
      $0.drop(untilOutputFrom: $1.other)
    },
    Entry("drop(untilOutputFrom:) without drops") {
      $0.source().drop(untilOutputFrom: Just(0).setFailureType(to: TestFailure.self))
    },
    Entry("prefix(untilOutputFrom:)") { $0.source().prefix(untilOutputFrom: $0.quietSource()) }.runs(
      "prefix_until_output"
    ) { $0.prefix(untilOutputFrom: $1.other) },
    Entry("flatMap") { bench in bench.source().flatMap(bench.tracked { _ in bench.child() }) }.runs(
      "flat_map"
    ) { upstream, given in
      // Combine has none that throws; one after a mapping that throws is the same.
      let checked = given.fails ? upstream.tryMap(given.transform).eraseToStream() : upstream
      return checked.flatMap(maxPublishers: given.demand, total(given.expand))
    },
    Entry(
      "flatMap(maxPublishers: 1)",
      except: [.asksForEverything: "an argument says how many publishers there may be at a time"]
    ) { bench in
      bench.source().flatMap(maxPublishers: .max(1), bench.tracked { _ in bench.child() })
    },
    Entry("flatMap that cancels its upstream on failure") { bench in
      bench.source().flatMap(bench.tracked { _ in bench.child() }).strict()
    },
    Entry("flatMap of Just") { bench in
      bench.source().flatMap(bench.tracked { Just($0).setFailureType(to: TestFailure.self) })
    },
    Entry("flatMap of arrays") { bench in
      bench.source().flatMap(
        bench.tracked { Publishers.Sequence<[Value], TestFailure>(sequence: [$0, $0 + 1]) })
    },
    Entry(
      "switchToLatest",
      except: [.lateSignalsAfterEnd: "passes on repeated completions of the outer publisher"]
    ) { bench in bench.source().map(bench.tracked { _ in bench.child() }).switchToLatest() }
    .runs("switch_to_latest") { upstream, given in
      let checked = given.fails ? upstream.tryMap(given.transform).eraseToStream() : upstream
      return checked.map(total(given.expand)).switchToLatest()
    },
  ]

  private static let dropsDemand = "a value that is dropped uses up demand"
}
