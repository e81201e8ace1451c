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

extension Rule {
  /// What another thread leaves in an array is what it leaves one by one, whatever a subscriber does amid one of the values.
  static func leftArrays(_ entry: Entry, _ findings: Findings) {
    for act in ActAmidLeft.allCases {
      for place in 2...4 {
        let alone = LeavingValues(entry, act, place, together: false)
        guard alone.hasLeft else { continue }
        let together = LeavingValues(entry, act, place, together: true)
        findings.expect(together.trace, is: alone.trace, "what was left together; \(act) amid value \(place)")
      }
    }
  }
}

/// What a subscriber does amid what another thread has left.
enum ActAmidLeft: CaseIterable {
  case sends, sendsTwice, finishes, fails, requests, subscribes, nothing
  /// The other thread has left the end, too.
  case requestsBeforeTheEnd, subscribesBeforeTheEnd

  var leavesTheEnd: Bool { self == .requestsBeforeTheEnd || self == .subscribesBeforeTheEnd }
}

/// A run in which another thread leaves four values to the one that delivers the first.
private final class LeavingValues {
  private let run: Run
  private let probe = Probe()
  private(set) var hasLeft = false

  init(_ entry: Entry, _ act: ActAmidLeft, _ place: Int, together: Bool) {
    run = Run(unsubscribed: entry, .subjects, probe)
    probe.onValue = { [unowned self] probe in
      guard let source = run.bench.talkativeSources.first(where: { !$0.isOver }) else { return .max(1) }
      if probe.valueCount == 1 {
        hasLeft = true
        byWayOfAnother({ Self.leave(to: source, together, withEnd: act.leavesTheEnd) }, then: {})
      } else if probe.valueCount == place {
        perform(act, source)
      }
      return .max(1)
    }
    run.subscribe()
    run.settle()
    run.play(rounds: 6)
    run.finish()
  }

  private static func leave(to source: any Feed, _ together: Bool, withEnd: Bool) {
    let values: [Value] = [101, 103, 105, 107]
    if together { source.send(batch: values) } else { values.forEach(source.send) }
    if withEnd { source.finish() }
  }

  private func perform(_ act: ActAmidLeft, _ source: any Feed) {
    switch act {
    case .sends: source.send(201)
    case .sendsTwice:
      source.send(201)
      source.send(203)
    case .finishes: source.finish()
    case .fails: source.fail()
    case .requests, .requestsBeforeTheEnd: probe.request(.max(2))
    case .subscribes, .subscribesBeforeTheEnd: run.subscribe(Probe())
    case .nothing: break
    }
  }

  var trace: [String] { probe.trace }
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
