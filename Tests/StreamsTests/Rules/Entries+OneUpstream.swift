import Streams

extension Entry {
  static let oneUpstream: [Entry] = transformations + selections + observers

  private static let transformations: [Entry] = [
    Entry("map", except: .passesOn) { bench in bench.source().map(bench.tracked { $0 + 1 }) }.runs("map") {
      $0.map(total($1.transform))
    },
    Entry("map.map", except: .passesOn) { bench in
      bench.source().map(bench.tracked { $0 + 1 }).map(bench.tracked { "\($0)" })
    },
    Entry("map(keyPath)", except: .passesOn) { $0.source().map(\.description) },
    Entry("map(2 keyPaths)", except: .passesOn) { $0.source().map(\.description, \.hashValue) },
    Entry("map(3 keyPaths)", except: .passesOn) { $0.source().map(\.description, \.self, \.magnitude) },
    Entry(
      "mapError", except: .passesOn + [.callsInClosure: "the cancellation goes to the upstream directly"]
    ) { bench in bench.source().mapError(bench.tracked { $0 as any Error })
    }.runs("map_error") { $0.mapError($1.rename) },
    Entry("replaceNil", except: .passesOn) { $0.source().map { $0 % 2 == 0 ? nil : $0 }.replaceNil(with: 0) }
      .runs(
        "replace_nil"
      ) { upstream, given in upstream.map { $0 == .null ? nil : $0 }.replaceNil(with: given.value) },
    Entry("setFailureType", except: .passesOn + [.fails: "its upstream cannot fail"]) {
      $0.safeSource().setFailureType(to: TestFailure.self)
    },
    Entry("scan", except: .passesOn) { bench in bench.source().scan(0, bench.tracked { $0 + $1 }) }.runs(
      "scan"
    ) { $0.scan($1.value, total($1.combine)) },
    Entry(
      "collect(2)",
      except: [
        .lateSignalsAfterEnd: "passes on completions", .lateSignalsAfterCancel: "passes on completions",
      ]
    ) { $0.source().collect(2) }.runs("collect_count") { $0.collect($1.count).map(JSONValue.list) },
    Entry(
      "CollectByCountInto",
      except: [
        .lateSignalsAfterEnd: "passes on completions", .lateSignalsAfterCancel: "passes on completions",
      ]
    ) { CollectByCountInto(ArrayGatherer<Value, TestFailure>.self, upstream: $0.source(), count: 2) },
    Entry("encode") { $0.source().encode(encoder: TestCoder()) }.runs("encode") { $0.encode(encoder: $1) },
    Entry("decode") { $0.source().map(\.number).decode(type: String.self, decoder: TestCoder()) }.runs(
      "decode"
    ) { $0.decode(type: JSONValue.self, decoder: $1) },
    Entry(
      "replaceEmpty",
      except: .ignoresDemand + [
        .finishNeedsNoDemand: "the replacement waits for demand"
      ]
    ) { $0.source().replaceEmpty(with: 0) },
    Entry(
      "replaceEmpty within demand", except: [.finishNeedsNoDemand: "the replacement waits for demand"]
    ) { $0.source().replaceEmpty(with: 0).strict() }.runs("replace_empty") {
      $0.replaceEmpty(with: $1.value).strict()
    },
    Entry(
      "replaceError",
      except: [
        .failureNeedsNoDemand: "the replacement waits for demand"
      ]
    ) { $0.source().replaceError(with: 0) }.runs("replace_error") { $0.replaceError(with: $1.value) },
    Entry(
      "buffer(byRequest)",
      except: [.finishNeedsNoDemand: "the completion waits with the values"]
    ) {
      $0.source().buffer(size: 100, prefetch: .byRequest, whenFull: .dropNewest)
    }.runs("buffer") { $0.buffer(size: $1.count, prefetch: $1.prefetch, whenFull: $1.whenFull) },
    Entry(
      "buffer(keepFull)",
      except: [.finishNeedsNoDemand: "the completion waits with the values"]
    ) {
      $0.source().buffer(size: 4, prefetch: .keepFull, whenFull: .dropOldest)
    },
    Entry(
      "buffer(customError)",
      except: [.finishNeedsNoDemand: "the completion waits with the values"]
    ) {
      bench in
      bench.source().buffer(
        size: 200, prefetch: .byRequest, whenFull: .customError(bench.tracked { TestFailure() }))
    }.runs("buffer_or_fail") {
      $0.buffer(size: $1.count, prefetch: $1.prefetch, whenFull: .customError($1.makeFailure))
    },
    Entry("retry") { $0.source().retry(2) }.runs("retry") { $0.retry($1.count) },
  ]

  private static let selections: [Entry] = [
    Entry("filter", except: .passesOn) { bench in bench.source().filter(bench.tracked { $0 % 2 == 1 }) }.runs(
      "filter"
    ) { $0.filter(total($1.predicate)) },
    Entry("compactMap", except: .passesOn) { bench in
      bench.source().compactMap(bench.tracked { $0 % 2 == 1 ? "\($0)" : nil })
    }.runs("compact_map") { $0.compactMap(total($1.compacting)) },
    Entry("removeDuplicates") { $0.source().map { $0 / 2 }.removeDuplicates() }.runs("remove_duplicates") {
      upstream, _ in upstream.removeDuplicates()
    },
    Entry("removeDuplicates(by:)") { bench in
      bench.source().removeDuplicates(by: bench.tracked { $0 / 2 == $1 / 2 })
    }.runs("remove_duplicates_by") { $0.removeDuplicates(by: total($1.compare)) },
    Entry("ignoreOutput", .attached, [.sendsNoValues], except: .passesOn) { $0.source().ignoreOutput() }.runs(
      "ignore_output"
    ) { upstream, _ in upstream.ignoreOutput().map { never -> JSONValue in } },
    Entry(
      "dropFirst",
      except: .passesLateValuesOn
    ) { $0.source().dropFirst(3) }.runs("drop_first") { $0.dropFirst($1.count) },
    Entry("drop(while:)") { bench in bench.source().drop(while: bench.tracked { $0 < 3 }) }.runs(
      "drop_while"
    ) { $0.drop(while: total($1.predicate)) },
    Entry("prefix(10)", except: .passesLateValuesOn) { $0.source().prefix(10) }.runs("prefix") {
      $0.prefix($1.count)
    },
    Entry("prefix(while:)") { bench in bench.source().prefix(while: bench.tracked { $0 < 10 }) }.runs(
      "prefix_while"
    ) { $0.prefix(while: total($1.predicate)) },
    Entry("output(at:)") { $0.source().output(at: 2) }.runs("output_at") { $0.output(at: $1.count) },
    Entry("output(in:)", except: .passesLateValuesOn) { $0.source().output(in: 1..<10) }.runs(
      "output_in"
    ) { $0.output(in: $1.count..<$1.arguments[1].int) },
  ]

  private static let observers: [Entry] = [
    Entry("assertNoFailure", except: .passesOn) { $0.safeSource().assertNoFailure() }.runs(
      "assert_no_failure"
    ) {
      $0.assertNoFailure($1.text)
    },
    Entry("breakpoint", except: .passesOn) {
      bench in
      bench.source().breakpoint(
        receiveSubscription: bench.tracked { _ in false }, receiveOutput: bench.tracked { _ in false },
        receiveCompletion: bench.tracked { _ in false })
    }.runs("breakpoint") { upstream, _ in upstream.breakpoint(receiveSubscription: { _ in false }) },
    Entry("breakpointOnError", except: .passesOn) { $0.safeSource().breakpointOnError() }.runs(
      "breakpoint_on_error"
    ) { upstream, _ in upstream.breakpointOnError() },
    Entry("print", except: .passesLateValuesOn) { $0.source().print("", to: Silence()) }.runs("print") {
      $0.print($1.text, to: $1.lines)
    },
    Entry("handleEvents", except: .passesLateValuesOn) { bench in
      bench.source().handleEvents(
        receiveSubscription: bench.tracked { _ in }, receiveOutput: bench.tracked { _ in },
        receiveCompletion: bench.tracked { _ in }, receiveCancel: bench.tracked {},
        receiveRequest: bench.tracked { _ in })
    },
    Entry("multicast(subject:)", except: .hasAConnection) {
      $0.source().multicast(subject: PassthroughSubject())
    }.runs("multicast") { $1.multicast($0) },
    Entry("multicast(_:)", except: .hasAConnection) { bench in
      bench.source().multicast(bench.tracked { PassthroughSubject<Value, TestFailure>() })
    },
    Entry("makeConnectable", except: .hasAConnection) {
      $0.safeSource().makeConnectable()
    }.runs("make_connectable") { $1.connections.stream(Publishers.MakeConnectable(upstream: $0)) },
    Entry("autoconnect") {
      $0.safeSource().makeConnectable().autoconnect()
    }.runs("autoconnect") { $1.connections.autoconnected() },
    Entry("share") { $0.source().share() }.runs("share") { upstream, _ in upstream.share() },
  ]

  /// Swallows what is printed.
  private struct Silence: TextOutputStream {
    mutating func write(_ string: String) {}
  }
}

extension Entry.Exceptions {
  fileprivate static let hasAConnection: Self = [
    .cancelReachesUpstreams: "the connection has to be cancelled",
    .cancelInAnyCall: "the connection has to be cancelled",
    .refusesAfterCancel: "the connection has to be cancelled",
  ]
}
