import Streams
import Testing

/// Chains of operators, put together at random, take an array for what as many single sends are.
///
///     FUZZ_EXAMPLES=100000 FUZZ_SEED=5 swift test --filter ArrayChainTests
@Suite struct ArrayChainTests {
  @Test(.timeLimit(.minutes(60))) func anArrayIsWhatSingleSendsAre() {
    Self.forEachChain(Fuzzing.examples(or: 300)) { chain, generator, findings in
      for _ in 0..<3 { Rule.compareArrays(chain, ArrayPlan(using: &generator), findings) }
    }
  }

  /// Somebody acts when a value or a result is released. What then comes first is open.
  @Test(.timeLimit(.minutes(60))) func whoeverActsInAReleaseAmidAnArrayKeepsTheOrder() {
    Self.forEachChain(Fuzzing.examples(or: 300)) { chain, generator, findings in
      for _ in 0..<3 { Rule.actInReleases(chain, ArrayPlan(using: &generator), findings) }
    }
  }

  private static func forEachChain(
    _ count: Int, _ check: (Entry, inout SplitMix, Findings) -> Void
  ) {
    var generator = SplitMix(state: Fuzzing.seed)
    let links = Entry.all.filter { $0.kind == .attached }
    let lastLinks = links.filter { $0.exceptions[.demandIsKept] == nil }
    let joins = Entry.severalUpstreams.filter { join in lastLinks.contains { $0.name == join.name } }
    for _ in 0..<count {
      // Often another subject joins further down: closures send to that, too.
      let isJoined = Bool.random(using: &generator)
      let count = Int.random(in: 2...4, using: &generator)
      let chain = Entry(
        chain: (0..<count).map { index in
          (index > 0 && isJoined ? joins : index == count - 1 ? lastLinks : links)
            .randomElement(using: &generator)!
        })
      let findings = Findings()
      check(chain, &generator, findings)
      if let violation = findings.violations.first { Issue.record("\(chain.name): \(violation)") }
    }
  }
}

extension Entry {
  /// Operators behind each other, of which each has the one before for its first upstream.
  fileprivate init(chain links: [Entry]) {
    self.init(links.map(\.name).joined(separator: " → ")) { bench in
      for link in links { bench.upstream = link.make(bench).asValues }
      return bench.source()
    }
  }
}

extension Publisher {
  /// Its values and failures are those of the rule kit.
  fileprivate var asValues: AnyPublisher<Value, TestFailure> {
    if let connectable = self as? any ConnectablePublisher { return connectable.autoconnected }
    if let same = self as? any Publisher<Value, TestFailure> { return same.erased }
    return map { ($0 as? Value) ?? Value("\($0)".utf8.reduce(0) { ($0 * 31 + Int($1)) % 1000 }) }
      .mapError { _ in TestFailure() }.eraseToAnyPublisher()
  }
}

extension ConnectablePublisher {
  fileprivate var autoconnected: AnyPublisher<Value, TestFailure> { autoconnect().asValues }
}

extension Publisher<Value, TestFailure> {
  fileprivate var erased: AnyPublisher<Value, TestFailure> { eraseToAnyPublisher() }
}
