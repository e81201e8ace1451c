import Streams
import StreamsExtras

/// Operators that make one value of all.
extension Entry {
  static let reductions: [Entry] = [
    Entry("reduce", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().reduce(0, bench.tracked { $0 + $1 })
    }.runs("reduce") { $0.reduce($1.value, total($1.combine)) },
    Entry("tryReduce", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryReduce(0, bench.trackedThrowing { try number($0) + $1 })
    }.runs("reduce", failing: true) { $0.tryReduce($1.value, $1.combine) },
    Entry(
      "collect",
      except: .sendsItsResultWithTheEnd + [
        .callsInRelease: "keeps its values as long as its subscription is kept"
      ]
    ) { $0.source().collect() }.runs("collect") {
      upstream, _ in upstream.collect().map(JSONValue.list)
    },
    Entry("sum", except: .sendsItsResultWithTheEnd) { $0.source().map(\.number).sum() }
      .runs("sum") { upstream, _ in upstream.map(\.int).sum().map(JSONValue.int) },
    Entry("count", except: .sendsItsResultWithTheEnd) { $0.source().count() }.runs("count") {
      upstream, _ in upstream.count().map(JSONValue.int)
    },
    Entry("min", except: .sendsItsResultWithTheEnd) { $0.source().min() }.runs("min") {
      upstream, _ in upstream.min()
    },
    Entry("max", except: .sendsItsResultWithTheEnd) { $0.source().max() }.runs("max") {
      upstream, _ in upstream.max()
    },
    Entry("min(by:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().min(by: bench.tracked { $0 < $1 })
    }.runs("min_by") { $0.min(by: total($1.order)) },
    Entry("max(by:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().max(by: bench.tracked { $0 < $1 })
    }.runs("max_by") { $0.max(by: total($1.order)) },
    Entry("tryMin", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryMin(by: bench.trackedThrowing { try number($0) < $1 })
    }.runs("min_by", failing: true) { $0.tryMin(by: $1.order) },
    Entry("tryMax", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryMax(by: bench.trackedThrowing { try number($0) < $1 })
    }.runs("max_by", failing: true) { $0.tryMax(by: $1.order) },
    Entry("contains", except: .sendsItsResultWithTheEnd) { $0.source().contains(3) }.runs("contains") {
      $0.contains($1.value).map(JSONValue.bool)
    },
    Entry("contains(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().contains(where: bench.tracked { $0 == 3 })
    }.runs("contains_where") { $0.contains(where: total($1.predicate)).map(JSONValue.bool) },
    Entry("tryContains", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryContains(where: bench.trackedThrowing { try number($0) == 3 })
    }.runs("contains_where", failing: true) { $0.tryContains(where: $1.predicate).map(JSONValue.bool) },
    Entry("allSatisfy", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().allSatisfy(bench.tracked { $0 > 0 })
    }.runs("all_satisfy") { $0.allSatisfy(total($1.predicate)).map(JSONValue.bool) },
    Entry("tryAllSatisfy", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryAllSatisfy(bench.trackedThrowing { try number($0) > 0 })
    }.runs("all_satisfy", failing: true) { $0.tryAllSatisfy($1.predicate).map(JSONValue.bool) },
    Entry("first", except: .sendsItsResultWithTheEnd) { $0.source().first() }.runs("first") {
      upstream, _ in upstream.first()
    },
    Entry("first(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().first(where: bench.tracked { $0 == 3 })
    }.runs("first_where") { $0.first(where: total($1.predicate)) },
    Entry("tryFirst(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryFirst(where: bench.trackedThrowing { try number($0) == 3 })
    }.runs("first_where", failing: true) { $0.tryFirst(where: $1.predicate) },
    Entry("last", except: .sendsItsResultWithTheEnd) { $0.source().last() }.runs("last") {
      upstream, _ in upstream.last()
    },
    Entry("last(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().last(where: bench.tracked { $0 < 3 })
    }.runs("last_where") { $0.last(where: total($1.predicate)) },
    Entry("tryLast(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryLast(where: bench.trackedThrowing { try number($0) < 3 })
    }.runs("last_where", failing: true) { $0.tryLast(where: $1.predicate) },
  ]
}

extension Entry.Exceptions {
  fileprivate static let sendsItsResultWithTheEnd: Self =
    sendsOneValue + [.cancelInAnyCall: "the value and the completion are sent in one go"]
}
