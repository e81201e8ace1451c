import Streams
import StreamsShims
import StreamsTesting

extension Rule {
  static func cancelStops(_ entry: Entry, _ findings: Findings) {
    for demand in [.unlimited, .none] as [Subscribers.Demand] {
      for last in 1...3 {
        // One who takes batches looks out for the cancellation itself.
        let probe = Probe(demand: demand, takesBatches: false)
        cancel(probe, at: last, findings) {
          let run = Run(entry, .subjects, probe)
          run.play(rounds: 6)
          probe.request(.max(100))
          run.play(rounds: 6)
          run.finish()
        }
      }
    }
  }

  static func cancelStopsBatches(_ entry: Entry, _ findings: Findings) {
    for last in 1...3 {
      let probe = Probe()
      cancel(probe, at: last, findings) {
        let run = Run(entry, .subjects, probe)
        let batch = (0..<20).map { _ in run.nextValue() }
        for source in run.bench.talkativeSources.reversed() { source.send(batch: batch) }
        run.settle()
        run.finish()
      }
    }
  }

  private static func cancel(_ probe: Probe, at last: Int, _ findings: Findings, during stream: () -> Void) {
    probe.onValue = { probe in
      if probe.valueCount == last { probe.cancel() }
      return .max(1)
    }
    stream()
    findings.expect(probe.valueCount <= last, "values after it was cancelled at number \(last)")
    let isSilent = probe.valueCount < last || probe.completions.isEmpty
    findings.expect(isSilent, "completion after it was cancelled at value \(last)")
    findings.expectOrder(probe)
  }

  static func cancelInSubscription(_ entry: Entry, _ findings: Findings) {
    let probe = Probe()
    probe.onSubscription = { $0.cancel() }
    let run = Run(entry, probe)
    run.play()
    run.finish()
    findings.expect(probe.trace.dropFirst().prefix(4), is: [], "signals after it was cancelled at once")
  }

  static func cancelInCompletion(_ entry: Entry, _ findings: Findings) {
    for end in [{ $0.finish() }, { $0.fail() }] as [(Run) -> Void] {
      let probe = Probe()
      probe.onCompletion = { probe in
        probe.request(.max(1))
        probe.cancel()
        probe.request(.unlimited)
      }
      let run = Run(entry, .subjects, probe)
      run.play(rounds: 3)
      end(run)
      let before = probe.trace
      run.play(rounds: 3)
      if !entry.traits.contains(.neverEnds) { findings.expectSilence(probe, since: before, "after the end") }
      findings.expectOrder(probe)
    }
  }

  static func cancelReachesUpstreams(_ entry: Entry, _ findings: Findings) {
    for rounds in [0, 2] {
      let run = Run(entry)
      run.play(rounds: rounds)
      run.probe.cancel()
      run.settle()
      for (index, source) in run.bench.sources.enumerated() {
        findings.expect(source.isOver, "upstream \(index) goes on after \(rounds) values")
      }
    }
  }

  static func cancelOnce(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry)
    run.play(rounds: 2)
    for _ in 0..<3 { run.probe.cancel() }
    run.settle()
    expectCancelledAtMostOnce(run, findings)
  }

  static func requestAfterCancel(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry, Probe(demand: .max(1)))
    run.play(rounds: 1)
    run.probe.cancel()
    run.settle()
    let before = run.bench.sources.map { $0.ledger?.requests }
    let trace = run.probe.trace
    run.probe.request(.max(3))
    run.settle()
    findings.expect(run.bench.sources.map { $0.ledger?.requests }, is: before, "requests")
    findings.expectSilence(run.probe, since: trace, "after it was cancelled")
  }

  static func lateSignalsAfterCancel(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry)
    run.play(rounds: 3)
    run.probe.cancel()
    run.settle()
    let before = run.probe.trace
    run.sendEverythingLate()
    findings.expectSilence(run.probe, since: before, "after it was cancelled")
  }

  /// Another thread may cancel a stream while a value is on its way, and before the source is told.
  static func refusesAfterCancel(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry)
    run.play(rounds: 3)
    run.probe.cancel()
    run.settle()
    for (index, source) in run.bench.talkativeSources.enumerated() {
      let (refusals, told) = (streams_refusals(), run.probe.valueCount)
      for _ in 0..<4 { source.force(run.nextValue()) }
      let isKnown = streams_refusals() > refusals || run.probe.valueCount > told
      findings.expect(isKnown, "upstream \(index) is not told that its values were refused")
    }
  }

  static func raceOfCancels(_ entry: Entry, _ findings: Findings) {
    for _ in 0..<20 {
      let run = Run(entry, Probe(demand: .max(1)))
      run.play(rounds: 1)
      race({ run.probe.cancel() }, { run.probe.request(.max(1)) }, { run.probe.cancel() })
      run.settle()
      expectCancelledAtMostOnce(run, findings)
      run.play(rounds: 1)
      findings.expectOrder(run.probe)
    }
  }

  private static func expectCancelledAtMostOnce(_ run: Run, _ findings: Findings) {
    for (index, source) in run.bench.sources.enumerated() {
      let count = source.ledger?.cancelCount ?? 0
      findings.expect(count <= 1, "upstream \(index) was cancelled \(count) times")
    }
  }
}
