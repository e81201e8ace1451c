import Streams

extension Rule {
  private static let ends: [(name: String, end: @Sendable (Run) -> Void)] = [
    ("cancellation", { $0.probe.cancel() }), ("finish", { $0.finish() }), ("failure", { $0.fail() }),
  ]

  /// Runs each kind of end, in the middle of a stream.
  private static func forEachEnd(
    _ entry: Entry, _ supply: Bench.Supply, _ check: (_ name: String, _ run: Run, _ end: () -> Void) -> Void
  ) {
    for (name, end) in ends where name == "cancellation" || !entry.traits.contains(.neverEnds) {
      let run = Run(entry, supply, Probe(demand: .max(100)))
      run.play(rounds: 3)
      check(name, run) {
        end(run)
        run.settle()
      }
    }
  }

  static func releasesDownstream(_ entry: Entry, _ findings: Findings) {
    forEachEnd(entry, .subjects) { name, run, end in
      findings.expect(run.probe.lifetimes.liveCount, is: 1, "subscribers before the \(name)")
      end()
      run.probe.forget()
      findings.expect(run.probe.lifetimes.liveCount, is: 0, "subscribers after the \(name)")
    }
  }

  static func releasesClosures(_ entry: Entry, _ findings: Findings) {
    forEachEnd(entry, .subjects) { name, run, end in
      end()
      run.forgetPublisher()
      run.probe.forget()
      findings.expect(run.bench.closures.liveCount, is: 0, "closures after the \(name)")
    }
  }

  /// The subscriber may keep its subscription for as long as it likes.
  static func releasesUpstreams(_ entry: Entry, _ findings: Findings) {
    forEachEnd(entry, .scripted) { name, run, end in
      findings.expect(run.bench.subscriptions.liveCount > 0, "no upstreams before the \(name)")
      end()
      run.forgetPublisher()
      run.bench.forgetSources()
      findings.expect(run.bench.subscriptions.liveCount, is: 0, "upstream subscriptions after the \(name)")
    }
  }
}
