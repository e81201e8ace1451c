import Foundation
import StreamsUI
import Testing

private struct Screen: View {
  @ObservedObject var part: Part

  var body: some View { Children(part: part).environmentObject(part) }
}

/// What is known about a counter that is there.
private struct Known {
  /// Nil while it has not been shown.
  var serial: Int?
  var count = 0
}

/// A host and its expectation, side by side.
@MainActor private struct Comparison {
  let host: ViewHost
  let expectation: Expectation
  let census: ScreenCensus
  var known: [String: Known] = [:]

  /// What is wrong; nil if nothing is.
  mutating func check(_ root: Part) -> String? {
    if let fault = census.faults.first { return fault }
    expectation.update(root)
    let counters = expectation.tokens.compactMap(\.counter)
    known = known.filter { known in counters.contains { $0.path == known.key } }
    for counter in counters where known[counter.path] == nil { known[counter.path] = Known() }
    let shown = host.tree.all.compactMap(\.token)
    let expected = expectation.tokens.filter { !$0.isHidden }.enumerated().map { index, token in
      token.counter.map { title(of: $0, index < shown.count ? shown[index] : "") } ?? token.text
    }
    if shown != expected {
      let place = zip(shown, expected).prefix { $0 == $1 }.count
      return
        "\(shown.dropFirst(place).prefix(4)) are shown, and \(expected.dropFirst(place).prefix(4)) expected"
    }
    let serials = known.values.compactMap(\.serial)
    if Set(serials).count < serials.count { return "two counters have one state" }
    if counters.count != census.appeared.count {
      return "\(census.appeared.count) of \(counters.count) counters have appeared"
    }
    if counters.count != census.alive["life"] ?? 0 { return "\(census.alive) are kept" }
    if host.tree.description != host.treeMadeAnew.description { return "the nodes are not those made anew" }
    return nil
  }

  /// A counter that is shown for the first time tells who it is.
  private mutating func title(of counter: Expectation.Counter, _ shown: String) -> String {
    let serial = known[counter.path]?.serial ?? shown.split(separator: "|").last.flatMap { Int($0) } ?? -1
    known[counter.path]?.serial = serial
    let count = known[counter.path]?.count ?? 0
    return counterTitle(counter.name, counter.text, counter.level, count, serial)
  }

  mutating func count(_ serial: Int) {
    for (path, known) in known where known.serial == serial { self.known[path]?.count += 1 }
  }
}

/// Screens of all kinds of views, changed by a program and used by a user, at random, against what they must show by hand.
///
///     FUZZ_EXAMPLES=1000 FUZZ_SEED=5 swift test --filter RandomScreenTests
@MainActor @Suite struct RandomScreenTests {
  private static func number(_ name: String, or usual: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
  }

  @Test(.timeLimit(.minutes(60))) func aScreenIsThatOfAFreshEvaluation() throws {
    let first = Self.number("FUZZ_SEED", or: 1)
    for seed in first..<first + Self.number("FUZZ_EXAMPLES", or: 5) {
      if let fault = try run(UInt64(seed)) { Issue.record("seed \(seed), \(fault)") }
    }
  }

  private func run(_ seed: UInt64) throws -> String? {
    var editor = ScreenEditor(seed: seed)
    let (root, census) = (editor.root, editor.census)
    let host = ViewHost(Screen(part: root))
    var comparison = Comparison(host: host, expectation: Expectation(root), census: census)
    try host.update()
    if let fault = comparison.check(root) { return "at first: \(fault)" }
    for step in 0..<200 {
      if editor.random(2) == 0 {
        if let serial = editor.act(on: host, comparison.expectation) { comparison.count(serial) }
      } else {
        editor.edit(comparison.expectation)
      }
      // Several changes in one update.
      while editor.random(3) == 0 { editor.edit(comparison.expectation) }
      try host.update()
      if let fault = comparison.check(root) { return "step \(step): \(fault)" }
    }
    host.unmount()
    if !census.appeared.isEmpty { return "\(census.appeared) have not disappeared" }
    if census.alive["life"] != 0 || census.alive["model"] ?? 0 != 0 { return "\(census.alive) are left" }
    editor.removeAll()
    comparison.expectation.update(root)
    if census.alive["part"] != 1 || census.alive["note"] != 1 {
      return "\(census.alive) are left of the program"
    }
    return nil
  }
}
