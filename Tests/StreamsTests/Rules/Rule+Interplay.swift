import Streams

/// Rules about calls that come while something else is being done.
extension Rule {
  /// Those upstreams that are still there signal while another is being cancelled, whatever that is done for.
  static func signalsInCancel(_ entry: Entry, _ findings: Findings) {
    let causes: [(name: String, perform: (Run) -> Void)] = [
      ("a cancellation", { $0.probe.cancel() }),
      ("the failure of the first", { $0.bench.sources.first?.fail() }),
      ("the failure of the last", { $0.bench.sources.last?.fail() }),
      ("the finish of the first", { $0.bench.sources.first?.finish() }),
      ("the finish of the last", { $0.bench.sources.last?.finish() }),
    ]
    let signals: [(name: String, send: (Run, any Feed) -> Void)] = [
      ("values", { $1.send($0.nextValue()) }), ("finishes", { $1.finish() }), ("failures", { $1.fail() }),
    ]
    for cause in causes {
      for signal in signals {
        let run = Run(entry)
        run.play(rounds: 2)
        run.bench.onCancel = { [unowned run] cancelled in
          for other in run.bench.sources where other !== cancelled && !other.isOver {
            signal.send(run, other)
          }
        }
        let before = run.probe.trace
        cause.perform(run)
        run.settle()
        let situation = "with \(signal.name) in the cancellations for \(cause.name)"
        if cause.name == "a cancellation" { findings.expectSilence(run.probe, since: before, situation) }
        run.play(rounds: 2)
        run.finish()
        findings.expectOrder(run.probe, situation)
      }
    }
  }

  /// Cancels in one of the calls that come, whichever it is: of the subscriber, of a closure, of an upstream. What a
  /// closure or the cancellation of an upstream has to do with may still come: a value, or the end.
  static func cancelInAnyCall(_ entry: Entry, _ findings: Findings) {
    for number in 1...40 {
      let probe = Probe(demand: .max(3))
      let run = Run(unsubscribed: entry, .scripted, probe)
      var callCount = 0
      var valueCount: Int?
      var completionCount = 0
      func call(isDecided: Bool = false) {
        callCount += 1
        guard callCount >= number, valueCount == nil, probe.subscriptionCount > 0 else { return }
        valueCount = probe.valueCount
        completionCount = probe.completions.count + (isDecided ? 1 : 0)
        probe.cancel()
      }
      probe.onSubscription = { _ in call() }
      probe.onValue = { _ in
        call()
        return .max(1)
      }
      probe.onCompletion = { _ in call() }
      run.bench.onClosure = { _ in call(isDecided: true) }
      run.bench.onRequest = { _ in call() }
      run.bench.onCancel = { _ in call(isDecided: true) }
      run.subscribe()
      run.settle()
      run.play(rounds: 4)
      if valueCount == nil { run.finish() }
      findings.expectOrder(probe, "cancelled at call \(number)")
      guard let valueCount else { return }
      for (index, source) in run.bench.sources.enumerated() {
        findings.expect(source.isOver, "upstream \(index) goes on, cancelled at call \(number)")
      }
      run.finish()
      findings.expect(probe.valueCount <= valueCount + 1, "values after it was cancelled at call \(number)")
      findings.expect(
        probe.completions.count <= completionCount, "a completion after it was cancelled at call \(number)")
    }
  }

  /// Somebody calls while a value, a closure or an upstream's subscription is released, whichever it is: signals stay in
  /// order and within the demand, the stream still ends, and a cancellation is the last that is heard.
  static func callsInRelease(_ entry: Entry, _ findings: Findings) {
    let calls: [(name: String, perform: (Run) -> Void)] = [
      ("a request", { $0.probe.request(.max(1)) }),
      ("a cancellation", { $0.probe.cancel() }),
      ("values", { run in for source in run.bench.talkativeSources { source.send(run.nextValue()) } }),
      ("finishes", { run in for source in run.bench.sources where !source.isOver { source.finish() } }),
      ("failures", { run in for source in run.bench.sources where !source.isOver { source.fail() } }),
    ]
    for call in calls {
      var number = 1
      let cancels = call.name == "a cancellation"
      while number <= 40,
        performs(
          call.perform, cancels, inRelease: number, entry, findings, "with \(call.name) in release \(number)")
      {
        number += 1
      }
      findings.expect(number > 1 || entry.traits.contains(.sendsNoValues), "nothing was released")
    }
  }

  /// Whether there are so many releases.
  private static func performs(
    _ call: @escaping (Run) -> Void, _ cancels: Bool, inRelease number: Int, _ entry: Entry,
    _ findings: Findings,
    _ situation: String
  ) -> Bool {
    let probe = Probe(demand: .max(3), takesBatches: false)
    probe.onValue = { _ in .max(1) }
    let run = Run(unsubscribed: entry, .scripted, probe)
    var count = 0
    var cancelled: [String]?
    run.bench.onRelease = { [weak run] in
      count += 1
      guard count == number, let run else { return }
      call(run)
      if cancels { cancelled = probe.trace }
    }
    run.subscribe()
    run.settle()
    run.play(rounds: 4)
    run.finish()
    probe.request(.unlimited)
    run.finish()
    findings.expectOrder(probe, situation)
    if let cancelled {
      findings.expectSilence(probe, since: cancelled, situation)
    } else {
      let isComplete = probe.completions.count == 1 || entry.traits.contains(.neverEnds)
      findings.expect(isComplete, "no completion \(situation): \(probe.trace)")
    }
    if entry.exceptions[.demandIsKept] == nil {
      findings.expect(probe.overdrawn, is: 0, "values without demand \(situation)")
    }
    return count >= number
  }

  /// The upstreams answer each request at once, also one that comes from within the subscription.
  static func answersInSubscription(_ entry: Entry, _ findings: Findings) {
    for requests in [[.max(2)], [.max(1), .max(1)], [.unlimited]] as [[Subscribers.Demand]] {
      let probe = Probe(demand: .none)
      let run = Run(unsubscribed: entry, .scripted, probe)
      probe.onSubscription = { probe in for request in requests { probe.request(request) } }
      run.bench.onRequest = { [unowned run] source in
        guard run.bench.talkativeSources.contains(where: { $0 === source }) else { return }
        for _ in 0..<3 where !source.isOver { source.send(run.nextValue()) }
      }
      run.subscribe()
      run.settle()
      let situation = "with requests of \(requests) in the subscription"
      findings.expectOrder(probe, situation)
      if entry.exceptions[.demandIsKept] == nil {
        findings.expect(probe.overdrawn, is: 0, "values without demand \(situation)")
      }
      probe.request(.max(100))
      run.play(rounds: 12)
      run.finish()
      probe.request(.unlimited)
      run.finish()
      findings.expectOrder(probe, situation)
      let mayStayOpen = entry.traits.contains(.neverEnds)
      findings.expect(mayStayOpen || probe.completions.count == 1, "no completion \(situation)")
      let mayBeEmpty = entry.traits.contains(.sendsNoValues)
      findings.expect(mayBeEmpty || probe.valueCount > 0, "no values \(situation)")
    }
  }
}
