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

  /// Sends a value at one call of a closure: what the closure does for that, such as to throw, it may do for its own, too.
  /// The closure is one of its own or, with shared subjects, also one before it.
  static func sendsInClosure(_ entry: Entry, _ findings: Findings) {
    for supply in [.subjects, .shared(.passthrough, isMapped: true)] as [Bench.Supply] {
      for number in 1...8 { sendsInClosure(entry, supply, number: number, findings) }
    }
  }

  private static func sendsInClosure(
    _ entry: Entry, _ supply: Bench.Supply, number: Int, _ findings: Findings
  ) {
    let probe = Probe(demand: .unlimited)
    let run = Run(entry, supply, probe)
    var callCount = 0
    run.bench.onClosure = { _ in
      callCount += 1
      guard callCount == number else { return }
      let value = run.nextValue()
      for source in run.bench.talkativeSources where !source.isOver { source.send(value) }
    }
    run.play(rounds: 10)
    run.finish()
    findings.expect(probe.completions.count <= 1, "completions \(probe.completions) with \(number)")
    findings.expect(probe.overlapCount, is: 0, "overlapping signals with \(number)")
  }

  /// Ends an upstream at one call of a closure, which may throw afterwards.
  static func endsInClosure(_ entry: Entry, _ findings: Findings) {
    for supply in [.scripted, .subjects, .shared(.passthrough, isMapped: true)] as [Bench.Supply] {
      for number in 1...8 {
        for (name, end) in [("finish", { $0.finish() }), ("failure", { $0.fail() })]
          as [(String, (any Feed) -> Void)]
        {
          let run = Run(entry, supply, Probe(demand: .unlimited))
          var callCount = 0
          run.bench.onClosure = { [unowned run] _ in
            callCount += 1
            guard callCount == number else { return }
            for source in run.bench.talkativeSources where !source.isOver { end(source) }
          }
          run.play(rounds: 10)
          run.finish()
          findings.expect(
            run.probe.completions.count <= 1,
            "completions \(run.probe.completions), \(name) in call \(number)")
          findings.expect(run.probe.overlapCount, is: 0, "overlapping signals, \(name) in call \(number)")
        }
      }
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
