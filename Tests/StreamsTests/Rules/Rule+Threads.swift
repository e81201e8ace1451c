import Streams

extension Rule {
  private static let rounds = 20

  /// Runs the closure on a thread of its own, while two others send, or request where there is nothing to send, and
  /// the clock goes on.
  private static func raceSenders(
    _ run: Run, then end: @escaping (any Feed, Int) -> Void = { _, _ in }, against third: @escaping () -> Void
  ) {
    func send(_ thread: Int) {
      for round in 0..<40 {
        let sources = run.bench.talkativeSources
        let index = (2 * round + thread) % max(1, sources.count)
        if sources.isEmpty { run.probe.request(.max(1)) } else { sources[index].send(round) }
      }
      for source in run.bench.sources { end(source, thread) }
    }
    race(
      { send(0) }, { send(1) }, third,
      { for _ in 0..<20 { run.settle() } })
  }

  /// What an entry does not keep to with one thread, it cannot be asked for with several.
  private static func expectDemandIsKept(_ entry: Entry, _ probe: Probe, _ findings: Findings) {
    guard entry.exceptions[.demandIsKept] == nil else { return }
    findings.expect(probe.overdrawn, is: 0, "values without demand")
  }

  static func raceOfCancel(_ entry: Entry, _ findings: Findings) {
    for _ in 0..<rounds {
      let run = Run(entry, .subjects)
      raceSenders(run) { run.probe.cancel() }
      let before = run.probe.trace
      run.play(rounds: 2)
      run.finish()
      findings.expectSilence(run.probe, since: before, "after it was cancelled")
      findings.expectOrder(run.probe)
    }
  }

  static func raceOfRequest(_ entry: Entry, _ findings: Findings) {
    for round in 0..<rounds {
      let probe = Probe(demand: .max(1))
      probe.onValue = { $0.valueCount % 4 == 0 ? .max(1) : .none }
      let run = Run(entry, .subjects, probe)
      raceSenders(run) { for _ in 0..<40 { probe.request(.max(1 + round % 3)) } }
      run.settle()
      expectDemandIsKept(entry, probe, findings)
      findings.expectOrder(probe)
    }
  }

  static func raceOfEnd(_ entry: Entry, _ findings: Findings) {
    for _ in 0..<rounds {
      let probe = Probe(demand: .max(1))
      let run = Run(entry, .subjects, probe)
      raceSenders(run, then: { source, thread in if thread == 0 { source.finish() } else { source.fail() } })
      {
        for _ in 0..<40 { probe.request(.max(1)) }
      }
      run.finish()
      probe.request(.unlimited)
      run.settle()
      let isComplete = probe.completions.count == 1 || entry.traits.contains(.neverEnds)
      findings.expect(isComplete, "no completion: \(probe.trace.suffix(4))")
      expectDemandIsKept(entry, probe, findings)
      findings.expectOrder(probe)
    }
  }
}
