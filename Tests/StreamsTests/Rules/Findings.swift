import Streams

/// What a rule found to be wrong with an entry.
final class Findings {
  private(set) var violations: [String] = []

  /// Notes a violation unless `isKept`.
  func expect(_ isKept: Bool, _ violation: @autoclosure () -> String) {
    if !isKept { violations.append(violation()) }
  }

  /// Notes a violation unless both are equal.
  func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: @autoclosure () -> String) {
    expect(value == expected, "\(what()): \(value), not \(expected)")
  }

  /// What must hold for every stream at any time: the subscription first and once, at most one completion and
  /// nothing after it, and signals that do not overlap.
  func expectOrder(_ probe: Probe, _ situation: @autoclosure () -> String = "") {
    let trace = probe.trace
    let isComplete = !probe.completions.isEmpty
    expect(
      trace.first?.hasPrefix("subscription(") != false, "no subscription at first \(situation()): \(trace)")
    expect(probe.subscriptionCount <= 1, "\(probe.subscriptionCount) subscriptions \(situation())")
    expect(probe.completions.count <= 1, "completions \(probe.completions) \(situation())")
    expect(
      !isComplete || trace.last == probe.completions.last, "a signal after the completion \(situation())")
    expect(probe.overlapCount, is: 0, "overlapping signals \(situation())")
  }

  /// Notes a violation if the probe has received anything since its trace was `before`.
  func expectSilence(_ probe: Probe, since before: [String], _ situation: @autoclosure () -> String) {
    expect(probe.trace.dropFirst(before.count).prefix(4), is: [], "signals \(situation())")
  }
}
