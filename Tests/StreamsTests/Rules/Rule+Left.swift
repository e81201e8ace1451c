import Streams

extension Rule {
  /// A thread sends one value by way of another thread, which cannot wait and leaves it, and then one itself, from within
  /// what it delivers. Subscribers get what they would get if it had sent both itself.
  static func leftComesFirst(_ entry: Entry, _ findings: Findings) {
    for place in 1...3 {
      for picksLast in [true, false] {
        let sent = SendingAmidAValue(entry, place, picksLast: picksLast) { first, second in
          first()
          second()
        }
        // There is no such value, or nobody to send to.
        guard sent.hasSent else { continue }
        let left = SendingAmidAValue(entry, place, picksLast: picksLast) { byWayOfAnother($0, then: $1) }
        findings.expect(left.trace(beside: sent), is: sent.trace, "what was left amid value \(place)")
      }
    }
  }
}

/// A run in which two values are sent to an upstream from within a value.
private final class SendingAmidAValue {
  private let run: Run
  private let probe = Probe()
  private(set) var hasSent = false
  /// Whether the subscriber was told anything while it sent.
  private var isAnswered = false

  /// `order` is called with what sends the one and the other.
  init(
    _ entry: Entry, _ place: Int, picksLast: Bool,
    _ order: @escaping (_ first: @escaping () -> Void, _ second: @escaping () -> Void) -> Void
  ) {
    run = Run(unsubscribed: entry, .subjects, probe)
    probe.onValue = { [unowned self] probe in
      let sources = run.bench.talkativeSources.filter { !$0.isOver }
      guard probe.valueCount == place, !hasSent, let source = picksLast ? sources.last : sources.first
      else { return .none }
      hasSent = true
      order({ source.send(101) }, { source.send(103) })
      isAnswered = probe.valueCount > place
      return .none
    }
    run.subscribe()
    run.settle()
    run.play(rounds: 6)
    run.finish()
  }

  var trace: [String] { probe.trace }

  /// The trace beside that of a run in which the subscriber sent both values itself. Where these make no value, as in
  /// combineLatest, another thread's makes one all the same.
  func trace(beside sent: SendingAmidAValue) -> [String] {
    let others = trace.filter(sent.trace.contains)
    return !sent.isAnswered && others.count + 1 == trace.count ? others : trace
  }
}
