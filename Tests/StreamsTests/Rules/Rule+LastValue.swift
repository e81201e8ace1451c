import Streams

extension Rule {
  /// Whether the entry, in one of the runs, finishes as soon as a value of its own has been received.
  static func finishesWithItsLastValue(_ entry: Entry) -> Bool {
    LastValue.scripts.contains { LastValue($0).run(entry) }
  }

  /// Who finishes as soon as its last value has been received does so also if upstreams end or send while it is received.
  ///
  /// Which value that is, and what the end, comes from a run in which they do nothing. An upstream that ends first, in
  /// another run, makes the last value of others.
  static func endsInLastValue(_ entry: Entry, _ findings: Findings) {
    for script in LastValue.scripts {
      let plain = LastValue(script)
      guard plain.run(entry), let last = plain.lastValue else { continue }
      for (name, act) in LastValue.acts {
        let disturbed = LastValue(script)
        _ = disturbed.run(entry, during: last, act)
        findings.expect(
          disturbed.probe.trace, is: plain.probe.trace, "after \(last) values, \(name) in the last, \(script)"
        )
      }
    }
  }
}

/// A run in which upstreams send values, and one of them may finish first.
private final class LastValue {
  struct Script: CustomStringConvertible {
    /// In which round an upstream finishes after its value, before others send theirs, and which.
    var ending: (round: Int, source: Int)?
    var isBatch: Bool
    var description: String {
      (ending.map { "upstream \($0.source) finishes in round \($0.round)" } ?? "none finishes before")
        + (isBatch ? ", in batches" : "")
    }
  }

  static let scripts = [false, true].flatMap { isBatch in
    [Script(isBatch: isBatch)]
      + [0, 1, 3].flatMap { round in (0...1).map { Script(ending: (round, $0), isBatch: isBatch) } }
  }

  /// What upstreams do while the last value is received.
  static var acts: [(String, (any Feed, Run) -> Void)] {
    let send = { (feed: any Feed, run: Run) in feed.send(run.nextValue()) }
    return [
      ("a failure", { feed, _ in feed.fail() }), ("the end", { feed, _ in feed.finish() }),
      ("a value", send),
      (
        "a value and a failure",
        { (feed, run) in
          send(feed, run)
          feed.fail()
        }
      ),
    ]
  }

  let probe = Probe()
  private let script: Script
  /// How many values had come when the stream finished in the same call as the last of them.
  private(set) var lastValue: Int?

  init(_ script: Script) { self.script = script }

  /// Sends values to all upstreams until the stream is over. Returns whether it ended with a value.
  func run(
    _ entry: Entry, during last: Int? = nil, _ act: @escaping (any Feed, Run) -> Void = { _, _ in }
  ) -> Bool {
    let run = Run(entry, .subjects, probe)
    probe.onValue = { probe in
      guard probe.valueCount == last else { return .none }
      for source in run.bench.sources where !source.isOver { act(source, run) }
      return .none
    }
    defer { probe.onValue = { _ in .none } }
    for round in 0..<12 where probe.completions.isEmpty {
      for source in run.bench.talkativeSources.reversed() where !source.isOver && probe.completions.isEmpty {
        step { send(to: source, run) }
        run.settle()
        if let ending = script.ending, ending.round == round, run.bench.sources.count > ending.source,
          source === run.bench.sources[ending.source], !source.isOver
        {
          step { source.finish() }
          run.settle()
        }
      }
    }
    return lastValue != nil && probe.completions == ["finished"]
  }

  private func send(to source: any Feed, _ run: Run) {
    if script.isBatch {
      source.send(batch: [run.nextValue(), run.nextValue(), run.nextValue()])
    } else {
      source.send(run.nextValue())
    }
  }

  private func step(_ body: () -> Void) {
    let (count, isOpen) = (probe.valueCount, probe.completions.isEmpty)
    body()
    if isOpen, !probe.completions.isEmpty, probe.valueCount > count { lastValue = probe.valueCount }
  }
}
