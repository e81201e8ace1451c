import Streams

extension Rule {
  static func demandIsKept(_ entry: Entry, _ findings: Findings) {
    for (initial, returned) in [(0, 0), (1, 0), (1, 1), (2, 0), (3, 1), (0, 2)] {
      let probe = Probe(demand: .max(initial))
      // Every other value brings more demand, up to a limit.
      probe.onValue = { $0.valueCount < 12 && $0.valueCount % 2 == 1 ? .max(returned) : .none }
      let run = Run(entry, probe)
      for step in 1...3 {
        run.play(rounds: 6)
        probe.request(.max(step))
      }
      run.play(rounds: 6)
      run.finish()
      findings.expect(
        probe.overdrawn, is: 0, "values without demand (\(initial) at first, returned \(returned))")
      findings.expectOrder(probe)
    }
  }

  /// The values that arrive while all are demanded.
  private static func allValues(_ entry: Entry, _ findings: Findings) -> [String] {
    let run = Run(entry)
    run.play()
    run.finish()
    let values = run.probe.values
    findings.expect(values.isEmpty == entry.traits.contains(.sendsNoValues), "\(values.count) values arrived")
    return values
  }

  static func demandAddsUp(_ entry: Entry, _ findings: Findings) {
    let all = allValues(entry, findings)
    for requests in [[5], [2, 3], [1, 1, 3], [1, 1, 1, 1, 1]] {
      let run = Run(entry, Probe(demand: .none))
      for request in requests { run.probe.request(.max(request)) }
      run.play()
      run.finish()
      findings.expect(run.probe.valueCount, is: min(5, all.count), "values after requests of \(requests)")
    }
  }

  static func returnedDemandAddsUp(_ entry: Entry, _ findings: Findings) {
    let all = allValues(entry, findings)
    for (limit, demand) in [(2, 2), (4, 1), (.max, 1)] {
      let probe = Probe(demand: .max(1))
      probe.onValue = { $0.valueCount <= limit ? .max(demand) : .none }
      let run = Run(entry, probe)
      run.play()
      run.finish()
      let expected = limit == .max ? all.count : min(5, all.count)
      findings.expect(probe.valueCount, is: expected, "values with \(demand) more demanded by each")
      findings.expect(probe.overdrawn, is: 0, "values without demand")
    }
  }

  /// Each value demands one more, the first one after it has ended the upstreams: the same comes of it, whether the demand
  /// is returned or requested.
  static func demandOfLastValueCounts(_ entry: Entry, _ findings: Findings) {
    for end in [{ $0.finish() }, { $0.fail() }] as [(any Feed) -> Void] {
      func trace(_ demandOne: @escaping (Probe) -> Subscribers.Demand) -> (Int, [String]) {
        let probe = Probe(demand: .max(1))
        var run: Run?
        probe.onValue = { probe in
          if probe.valueCount == 1 { run?.bench.sources.filter { !$0.isOver }.forEach(end) }
          return demandOne(probe)
        }
        run = Run(entry, .subjects, probe)
        run?.play(rounds: 6)
        run?.finish()
        defer { run = nil }
        return (probe.valueCount, probe.completions)
      }
      let returned = trace { _ in .max(1) }
      let requested = trace { probe in
        probe.request(.max(1))
        return .none
      }
      findings.expect(
        returned.0, is: requested.0, "values where demand is returned, and where it is requested")
      findings.expect(
        returned.1, is: requested.1, "completions where demand is returned, and where it is requested")
    }
  }

  static func unlimitedStaysUnlimited(_ entry: Entry, _ findings: Findings) {
    let all = allValues(entry, findings)
    for requests in [[.max(.max), .max(.max)], [.unlimited, .max(3)], [.max(3), .unlimited]]
      as [[Subscribers.Demand]]
    {
      let probe = Probe(demand: .none)
      probe.onSubscription = { probe in for request in requests { probe.request(request) } }
      probe.onValue = { $0.valueCount == 1 ? .max(.max) : .unlimited }
      let run = Run(entry, probe)
      run.play(rounds: 12)
      probe.request(.max(.max))
      run.play(rounds: 12)
      run.finish()
      findings.expect(probe.values, is: all, "values after requests of \(requests)")
    }
  }

  /// Whatever an upstream sends from now on, at once and however much, there is demand for it: behind what cannot wait,
  /// such as a subject or a hand-over to another thread, nothing is lost.
  static func asksForEverything(_ entry: Entry, _ findings: Findings) {
    let run = Run(entry)
    var lostCount = 0
    for _ in 0..<300 {
      let value = run.nextValue()
      // No time passes, in which more could be asked for.
      for source in run.bench.talkativeSources.reversed() where !source.isOver {
        if source.ledger?.outstanding == Subscribers.Demand.none { lostCount += 1 }
        source.send(value)
      }
    }
    findings.expect(lostCount, is: 0, "values that were not asked for")
  }

  static func requestInSubscription(_ entry: Entry, _ findings: Findings) {
    let probe = Probe(demand: .none)
    probe.onSubscription = { probe in
      probe.request(.max(1))
      probe.request(.max(2))
    }
    let run = Run(entry, probe)
    run.play()
    run.finish()
    findings.expect(probe.valueCount, is: min(3, allValues(entry, findings).count), "values")
    findings.expect(probe.overdrawn, is: 0, "values without demand")
    findings.expectOrder(probe)
  }

  static func requestInValue(_ entry: Entry, _ findings: Findings) {
    let probe = Probe(demand: .max(1))
    probe.onValue = { probe in
      probe.request(.max(1))
      return .none
    }
    let run = Run(entry, probe)
    run.play()
    run.finish()
    findings.expect(probe.values, is: allValues(entry, findings), "values with one more requested by each")
    findings.expect(probe.overdrawn, is: 0, "values without demand")
    findings.expectOrder(probe)
  }

  static func boundedRecursion(_ entry: Entry, _ findings: Findings) {
    var valueCount = 0
    // Two thousand calls that nest take far more than the bound, and overflow no stack. Where nothing is demanded at
    // first, operators that ask for everything have a backlog when it is.
    for (count, demand) in [(200, 0), (200, 1), (2000, 0), (2000, 1)] {
      for isRequested in [true, false] {
        var stack = StackDepth()
        let probe = Probe(demand: .max(demand))
        probe.onValue = { probe in
          stack.measure()
          guard isRequested else { return .max(1) }
          probe.request(.max(1))
          return .none
        }
        let run = Run(entry, .sequences(count), probe)
        probe.request(.max(1))
        run.settle()
        valueCount += probe.valueCount
        // The operators of an entry and what is between them take some kilobytes, once: 50 at most, where a request
        // goes through five upstreams one inside the other, and AddressSanitizer pads each frame.
        let bound = 96 << 10
        findings.expect(
          stack.depth < bound, "\(count) values, one more at each, took \(stack.depth) bytes of stack")
        if stack.depth >= bound { return }
      }
    }
    findings.expect(valueCount > 0, "no values arrived")
  }
}

/// How far the stack has grown between several points.
private struct StackDepth {
  private var lowest = UInt.max
  private var highest = UInt.min

  var depth: UInt { highest > lowest ? highest - lowest : 0 }

  @inline(never)
  mutating func measure() {
    var local = 0
    let address = withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    lowest = min(lowest, address)
    highest = max(highest, address)
  }
}
