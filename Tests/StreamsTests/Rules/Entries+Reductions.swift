import Streams

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
    Entry("count", except: .sendsItsResultWithTheEnd) { $0.source().count() },
    Entry("min", except: .sendsItsResultWithTheEnd) { $0.source().min() },
    Entry("max(by:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().max(by: bench.tracked { $0 < $1 })
    },
    Entry("tryMin", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryMin(by: bench.trackedThrowing { try number($0) < $1 })
    },
    Entry("tryMax", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryMax(by: bench.trackedThrowing { try number($0) < $1 })
    },
    Entry("contains", except: .sendsItsResultWithTheEnd) { $0.source().contains(3) },
    Entry("contains(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().contains(where: bench.tracked { $0 == 3 })
    },
    Entry("tryContains", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryContains(where: bench.trackedThrowing { try number($0) == 3 })
    },
    Entry("allSatisfy", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().allSatisfy(bench.tracked { $0 > 0 })
    },
    Entry("tryAllSatisfy", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryAllSatisfy(bench.trackedThrowing { try number($0) > 0 })
    },
    Entry("first", except: .sendsItsResultWithTheEnd) { $0.source().first() },
    Entry("first(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().first(where: bench.tracked { $0 == 3 })
    },
    Entry("tryFirst(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryFirst(where: bench.trackedThrowing { try number($0) == 3 })
    },
    Entry("last", except: .sendsItsResultWithTheEnd) { $0.source().last() },
    Entry("last(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().last(where: bench.tracked { $0 < 3 })
    },
    Entry("tryLast(where:)", except: .sendsItsResultWithTheEnd) { bench in
      bench.source().tryLast(where: bench.trackedThrowing { try number($0) < 3 })
    },
  ]
}

extension Entry.Exceptions {
  fileprivate static let sendsItsResultWithTheEnd: Self =
    sendsOneValue + [.cancelInAnyCall: "the value and the completion are sent in one go"]
}
