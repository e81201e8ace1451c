import Streams

/// Rules about entries behind operators that break a rule as Combine does, but not towards operators.
extension Rule {
  /// `replaceEmpty` requests everything on behalf of other subscribers.
  static func behindReplaceEmpty(_ entry: Entry, _ findings: Findings) {
    for supply in [.scripted, .sequences(8)] as [Bench.Supply] {
      let probe = Probe(demand: .max(2))
      let run = Run(unsubscribed: entry, supply, probe) { $0.source().replaceEmpty(with: 0) }
      run.subscribe()
      run.play(rounds: 3)
      probe.request(.max(1))
      run.play(rounds: 3)
      run.finish()
      findings.expectOrder(probe)
      let overdraws = entry.exceptions[.demandIsKept] != nil
      findings.expect(overdraws || probe.overdrawn == 0, "\(probe.overdrawn) values without demand")
    }
  }

  /// `prefix(untilOutputFrom:)` finishes before its upstream has sent a subscription.
  static func behindEarlyEnd(_ entry: Entry, _ findings: Findings) {
    let probe = Probe(demand: .max(2))
    let stop = PassthroughSubject<Void, Never>()
    let run = Run(unsubscribed: entry, .scripted, probe) {
      $0.source().subscribe(on: $0.scheduler).prefix(untilOutputFrom: stop)
    }
    run.subscribe()
    stop.send()
    run.settle()
    run.play(rounds: 2)
    run.finish()
    findings.expectOrder(probe)
  }

  /// `subscribe(on:)` requests without a hop.
  static func behindNestedRequests(_ entry: Entry, _ findings: Findings) {
    let probe = Probe(demand: .max(1))
    probe.onValue = { probe in
      probe.request(.max(1))
      return .none
    }
    let run = Run(unsubscribed: entry, .sequences(8), probe) {
      $0.source().subscribe(on: ImmediateScheduler.shared)
    }
    run.subscribe()
    run.settle()
    findings.expectOrder(probe)
  }
}
