import Streams
import StreamsTesting

extension Rule {
  static func secondSubscription(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry, Probe(demand: .max(2)))
    run.play(rounds: 1)
    for (index, source) in run.bench.sources.enumerated() where !source.isOver {
      let second = TestSubscription()
      source.send(subscription: second)
      findings.expect(second.ledger.entries, is: [.cancelled], "upstream \(index)'s second subscription was")
      findings.expect(!source.isOver, "upstream \(index)'s first subscription was cancelled")
    }
    findings.expect(run.probe.subscriptionCount, is: 1, "subscriptions passed on")
    run.play(rounds: 2)
    findings.expectOrder(run.probe)
  }

  static func obeysUpstreams(_ entry: Entry, _ findings: Findings) {
    for end in [{ $0.finish() }, { $0.fail() }, { $0.probe.cancel() }] as [(Run) -> Void] {
      let probe = Probe(demand: .max(2))
      probe.onValue = { $0.valueCount % 3 == 1 ? .max(2) : .none }
      let run = Run(entry, probe)
      run.play(rounds: 3)
      probe.request(.max(1))
      end(run)
      run.settle()
      let before = run.bench.sources.map { $0.ledger?.requests ?? [] }
      if probe.completions.isEmpty { continue }
      probe.request(.max(4))
      run.settle()
      for (index, source) in run.bench.sources.enumerated() {
        guard let ledger = source.ledger else { continue }
        let requestsAfterCancel = ledger.entries.drop { $0 != .cancelled }
          .filter { if case .requested = $0 { true } else { false } }
        findings.expect(requestsAfterCancel, is: [], "requests to upstream \(index) after its cancellation")
        findings.expect(ledger.requests, is: before[index], "requests to upstream \(index) after its end")
      }
    }
  }

  /// Sends the same values singly and in batches of several sizes, with as much demand: all that can be seen from
  /// either side must be the same.
  static func batches(_ entry: Entry, _ findings: Findings) {
    for (demand, returned) in [(.unlimited, 0), (.max(3), 1), (.max(90), 0)] as [(Subscribers.Demand, Int)] {
      let (single, batched) = (Run(entry, probe(demand, returned)), Run(entry, probe(demand, returned)))
      for size in [1, 3, 2, 5, 100, 1] {
        sendSingly(single, size)
        let batch = (0..<size).map { _ in batched.nextValue() }
        for source in batched.bench.talkativeSources.reversed() where !source.isOver {
          source.send(batch: batch)
        }
        for run in [single, batched] { run.settle() }
        expectSame(batched, single, findings, "after a batch of \(size)")
      }
      for run in [single, batched] { run.finish() }
      expectSame(batched, single, findings, "at the end")
      findings.expect(batched.probe.overdrawn, is: single.probe.overdrawn, "values without demand")
    }
  }

  private static func probe(_ demand: Subscribers.Demand, _ returned: Int) -> Probe {
    let probe = Probe(demand: demand)
    probe.onValue = { _ in .max(returned) }
    return probe
  }

  /// Each upstream gets as many of the values as it has demand for at the beginning, as it would in a batch.
  private static func sendSingly(_ run: Run, _ size: Int) {
    let batch = (0..<size).map { _ in run.nextValue() }
    for source in run.bench.talkativeSources.reversed() where !source.isOver {
      let count = source.ledger?.outstanding.max ?? size
      for value in batch.prefix(count) where !source.isOver { source.force(value) }
    }
  }

  private static func expectSame(
    _ run: Run, _ other: Run, _ findings: Findings, _ situation: @autoclosure () -> String
  ) {
    findings.expect(run.probe.trace, is: other.probe.trace, "signals \(situation())")
    let (ours, theirs) = (run.bench.sources, other.bench.sources)
    findings.expect(ours.count, is: theirs.count, "upstreams \(situation())")
    for (index, pair) in zip(ours, theirs).enumerated() where !pair.1.isOver {
      let (demand, expected) = (pair.0.ledger?.outstanding, pair.1.ledger?.outstanding)
      findings.expect(demand, is: expected, "demand at upstream \(index) \(situation())")
    }
  }
}
