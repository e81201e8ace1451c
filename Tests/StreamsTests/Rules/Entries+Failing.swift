import Streams

/// Operators whose closures may throw.
extension Entry {
  static let failing: [Entry] = [
    Entry("tryMap", except: .passesLateValuesOn) { bench in
      bench.source().tryMap(bench.trackedThrowing { try number($0) })
    }.runs("map", failing: true) { $0.tryMap($1.transform) },
    Entry("tryMap that throws", except: .passesLateValuesOn + .throwsEarly) { bench in
      bench.source().tryMap(bench.trackedThrowing { try number($0, limit: 7) })
    },
    Entry("tryScan", except: .passesLateValuesOn) { bench in
      bench.source().tryScan(0, bench.trackedThrowing { $0 + (try number($1)) })
    }.runs("scan", failing: true) { $0.tryScan($1.value, $1.combine) },
    Entry("tryScan that throws", except: .passesLateValuesOn + .throwsEarly) { bench in
      bench.source().tryScan(0, bench.trackedThrowing { $0 + (try number($1, limit: 7)) })
    },
    Entry("TryScanPairs", except: .passesLateValuesOn) { bench in
      TryScanPairs(
        upstream: bench.source(), initialResult: 0,
        nextPartialResult: ValuePair(bench.trackedThrowing { $0 + (try number($1)) }))
    },
    Entry("TryScanPairs that throws", except: .passesLateValuesOn + .throwsEarly) { bench in
      TryScanPairs(
        upstream: bench.source(), initialResult: 0,
        nextPartialResult: ValuePair(bench.trackedThrowing { $0 + (try number($1, limit: 7)) }))
    },
    Entry("tryFilter") { bench in bench.source().tryFilter(bench.trackedThrowing { try number($0) % 2 == 1 })
    }.runs("filter", failing: true) { $0.tryFilter($1.predicate) },
    Entry("tryFilter that throws", except: .throwsEarly) { bench in
      bench.source().tryFilter(bench.trackedThrowing { try number($0, limit: 7) % 2 == 1 })
    },
    Entry("tryCompactMap") { bench in
      bench.source().tryCompactMap(bench.trackedThrowing { try number($0) % 2 == 1 ? "\($0)" : nil })
    }.runs("compact_map", failing: true) { $0.tryCompactMap($1.compacting) },
    Entry("tryCompactMap that throws", except: .throwsEarly) { bench in
      bench.source().tryCompactMap(
        bench.trackedThrowing { try number($0, limit: 7) % 2 == 1 ? "\($0)" : nil })
    },
    Entry("tryRemoveDuplicates") { bench in
      bench.source().tryRemoveDuplicates(by: bench.trackedThrowing { try number($0) / 2 == $1 / 2 })
    }.runs("remove_duplicates_by", failing: true) { $0.tryRemoveDuplicates(by: $1.compare) },
    Entry("tryRemoveDuplicates that throws", except: .throwsEarly) { bench in
      bench.source().tryRemoveDuplicates(by: bench.trackedThrowing { try number($0, limit: 7) == $1 })
    },
    Entry("TryRemoveDuplicatePairs") { bench in
      TryRemoveDuplicatePairs(
        upstream: bench.source(),
        predicate: ValuePair(bench.trackedThrowing { try number($0) / 2 == $1 / 2 }))
    },
    Entry("TryRemoveDuplicatePairs that throws", except: .throwsEarly) { bench in
      TryRemoveDuplicatePairs(
        upstream: bench.source(),
        predicate: ValuePair(bench.trackedThrowing { try number($0, limit: 7) == $1 }))
    },
    Entry("tryDrop(while:)") { bench in
      bench.source().tryDrop(while: bench.trackedThrowing { try number($0) < 3 })
    }.runs("drop_while", failing: true) { $0.tryDrop(while: $1.predicate) },
    Entry("tryDrop(while:) that throws", .attached, [.sendsNoValues], except: .throwsEarly) { bench in
      bench.source().tryDrop(while: bench.trackedThrowing { try number($0, limit: 7) < 9 })
    },
    Entry("tryPrefix(while:)") { bench in
      bench.source().tryPrefix(while: bench.trackedThrowing { try number($0) < 10 })
    }.runs("prefix_while", failing: true) { $0.tryPrefix(while: $1.predicate) },
    Entry("tryPrefix(while:) that throws", except: .throwsEarly) { bench in
      bench.source().tryPrefix(while: bench.trackedThrowing { try number($0, limit: 7) < 10 })
    },
    Entry("encode that throws", except: .throwsEarly) { bench in
      bench.source().map { $0 > 7 ? "x" : "\($0)" }.encode(encoder: TestCoder())
    },
    Entry("decode that throws", except: .throwsEarly) { bench in
      bench.source().map { 7 - $0.number }.decode(type: String.self, decoder: TestCoder())
    },
    Entry("tryCatch", except: .passesLateValuesOn) { bench in
      bench.source().tryCatch(bench.trackedThrowing { _ in bench.source() })
    }.runs("catch", failing: true) { $0.tryCatch($1.recover) },
    Entry("tryCatch that throws", except: .passesLateValuesOn) { bench in
      bench.source().tryCatch(
        bench.trackedThrowing { (error: TestFailure) -> AnyPublisher<Value, TestFailure> in throw error })
    },
  ]

  /// The value, unless it is beyond the limit.
  static func number(_ value: Value, limit: Value = Value(.max)) throws -> Value {
    if value > limit { throw TestFailure() }
    return value
  }
}

extension Entry.Exceptions {
  fileprivate static let throwsEarly: Self = [.finishes: "its closure throws before the upstream finishes"]
}
