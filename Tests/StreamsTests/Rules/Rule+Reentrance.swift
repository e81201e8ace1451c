import Streams

extension Rule {
  /// Values sent while one is being delivered are delivered within or after it, and no more than demanded.
  static func sendInValue(_ entry: Entry, _ findings: Findings) {
    for demand in [.unlimited, .max(3)] as [Subscribers.Demand] {
      let probe = Probe(demand: demand)
      var run: Run?
      probe.onValue = { probe in
        guard probe.valueCount <= 2, let run else { return .none }
        let value = run.nextValue()
        for source in run.bench.talkativeSources { source.send(value) }
        return .none
      }
      run = Run(entry, .subjects, probe)
      run?.play()
      run?.finish()
      findings.expect(probe.valueCount > 0, "no values arrived")
      findings.expect(probe.overdrawn, is: 0, "values without demand")
      findings.expectOrder(probe)
      run = nil
    }
  }

  /// Cancels at the first call of a closure. The value that the closure has to do with may still come.
  static func callsInClosure(_ entry: Entry, _ findings: Findings) {
    for end in [{ $0.finish() }, { $0.fail() }] as [(Run) -> Void] {
      let probe = Probe(demand: .max(2))
      let run = Run(entry, .subjects, probe)
      var count: Int?
      run.bench.onClosure = { _ in
        guard count == nil else { return }
        count = probe.valueCount
        probe.request(.max(1))
        probe.cancel()
      }
      run.play(rounds: 6)
      end(run)
      findings.expectOrder(probe)
      guard let count else { continue }
      findings.expect(probe.valueCount <= count + 1, "values after it was cancelled")
      findings.expect(probe.completions, is: [], "after it was cancelled")
    }
  }

  static func endInValue(_ entry: Entry, _ findings: Findings, _ end: @escaping (any Feed) -> Void) {
    for demand in [.unlimited, .max(2)] as [Subscribers.Demand] {
      let probe = Probe(demand: demand)
      var run: Run?
      probe.onValue = { probe in
        guard probe.valueCount == 1, let run else { return .none }
        for source in run.bench.sources where !source.isOver { end(source) }
        return .none
      }
      run = Run(entry, .subjects, probe)
      run?.play(rounds: 6)
      run?.finish()
      probe.request(.unlimited)
      // Some upstreams come only now.
      run?.finish()
      findings.expect(probe.valueCount > 0, "no values arrived")
      let isComplete = probe.completions.count == 1 || entry.traits.contains(.neverEnds)
      findings.expect(isComplete, "no completion: \(probe.trace)")
      findings.expectOrder(probe)
      run = nil
    }
  }
}
