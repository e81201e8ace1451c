import Streams

extension Rule {
  static func subscriptionComesFirst(_ entry: Entry, _ findings: Findings) {
    for demand in [.none, .max(1), .unlimited] as [Subscribers.Demand] {
      let run = Run(entry, Probe(demand: demand))
      findings.expect(run.probe.subscriptionCount, is: 1, "subscriptions at first")
      run.play()
      run.finish()
      findings.expect(run.probe.subscriptionCount, is: 1, "subscriptions at last")
      findings.expectOrder(run.probe)
    }
  }

  static func subscribersAreEqual(_ entry: Entry, _ findings: Findings) {
    let other = Probe()
    let run = Run(entry, .scripted, Probe(), also: other)
    run.play()
    run.finish()
    findings.expect(run.probe.subscriptionCount, is: 1, "subscriptions of the first subscriber")
    findings.expect(other.trace, is: run.probe.trace, "signals of the second subscriber")
    findings.expectOrder(other)
  }

  static func finishes(_ entry: Entry, _ findings: Findings) {
    for rounds in [0, 1, 24] {
      let run = Run(entry)
      run.play(rounds: rounds)
      run.finish()
      if entry.kind == .fixed {
        findings.expect(run.probe.completions.count, is: 1, "completions")
      } else {
        findings.expect(run.probe.completions, is: ["finished"], "after \(rounds) values")
      }
      findings.expectOrder(run.probe)
    }
  }

  static func fails(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry)
    run.fail()
    findings.expect(run.probe.completions, is: ["failure(failure)"], "at once")
    let late = Run(entry)
    late.play(rounds: 3)
    late.fail()
    findings.expect(late.probe.completions.count, is: 1, "completions after three values")
    findings.expectOrder(late.probe)
  }

  static func endIsFinal(_ entry: Entry, _ findings: Findings) {
    for end in [{ $0.finish() }, { $0.fail() }] as [(Run) -> Void] {
      let run = Run(entry, .subjects)
      run.play(rounds: 5)
      end(run)
      let before = run.probe.trace
      if !entry.traits.contains(.neverEnds) { run.sendEverythingLate() }
      run.probe.request(.max(5))
      run.probe.cancel()
      run.probe.request(.max(5))
      run.settle()
      findings.expectSilence(run.probe, since: before, "after the end")
      findings.expectOrder(run.probe)
    }
  }

  static func lateSignalsAfterEnd(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry)
    run.play(rounds: 5)
    run.finish()
    let before = run.probe.trace
    run.sendEverythingLate()
    findings.expectSilence(run.probe, since: before, "after the end")
  }

  static func finishNeedsNoDemand(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry, Probe(demand: .none))
    run.finish()
    findings.expect(run.probe.completions, is: ["finished"], "without demand")
    findings.expectOrder(run.probe)
  }

  static func failureNeedsNoDemand(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry, Probe(demand: .none))
    run.fail()
    findings.expect(run.probe.completions.count, is: 1, "completions without demand")
    findings.expectOrder(run.probe)
  }
}
