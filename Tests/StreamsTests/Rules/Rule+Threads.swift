import Dispatch
import Foundation
import Streams

extension Rule {
  private static let rounds = 20

  /// Runs the closure on a thread of its own, while two others send, or request where there is nothing to send, and
  /// the clock goes on.
  private static func raceSenders(
    _ run: Run, requesting: Bool = true, then end: @escaping (any Feed, Int) -> Void = { _, _ in },
    against third: @escaping () -> Void
  ) {
    func send(_ thread: Int) {
      for round in 0..<40 {
        let sources = run.bench.talkativeSources
        let index = (2 * round + thread) % max(1, sources.count)
        if !sources.isEmpty {
          sources[index].send(Value(round))
        } else if requesting {
          run.probe.request(.max(1))
        }
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

  static func raceOfSubscription(_ entry: Entry, _ findings: Findings) {
    for round in 0..<rounds {
      let probe = Probe(demand: .max(3))
      let run = Run(unsubscribed: entry, .subjects, probe)
      raceSenders(
        run, requesting: false,
        then: { source, thread in
          if round % 2 == 0 { source.finish() } else if thread == 0 { source.fail() }
        }
      ) { run.subscribe() }
      run.finish()
      probe.request(.unlimited)
      run.finish()
      findings.expect(probe.subscriptionCount, is: 1, "subscriptions")
      // Whoever subscribes between the last value and the end has upstreams that end without a value.
      if entry.traits.contains(.completesWithEach), probe.completions.count == 2 { continue }
      let isComplete = probe.completions.count == 1 || entry.traits.contains(.neverEnds)
      findings.expect(isComplete, "no completion: \(probe.trace.suffix(4))")
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

  /// While one thread is in a call of the entry's, another must be able to request and to cancel. What it sends has its
  /// turn afterwards.
  static func noLocks(_ entry: Entry, _ findings: Findings) {
    for place in ["receive(subscription:)", "receive(_:)", "receive(completion:)", "a closure"] {
      let probe = Probe()
      let run = Run(unsubscribed: entry, .subjects, probe)
      var isOver = false
      // A value waits for its turn, and has it.
      var sending: OtherCall?
      func callFromAnotherThread() {
        if isOver { return }
        isOver = true
        sending = OtherCall { if let source = run.bench.sources.last { source.send(1) } }
        for (name, call) in [("request", { probe.request(.max(1)) }), ("cancel", { probe.cancel() })] {
          findings.expect(OtherCall(call).returns(), "\(name) waits for the end of \(place)")
        }
      }
      switch place {
      case "receive(subscription:)": probe.onSubscription = { _ in callFromAnotherThread() }
      case "receive(completion:)": probe.onCompletion = { _ in callFromAnotherThread() }
      case "a closure": run.bench.onClosure = { _ in callFromAnotherThread() }
      default:
        probe.onValue = { _ in
          callFromAnotherThread()
          return .none
        }
      }
      run.subscribe()
      run.play(rounds: 6)
      run.finish()
      findings.expect(sending?.returns() != false, "send does not return after the end of \(place)")
    }
  }

  static func endInValueIsSerial(_ entry: Entry, _ findings: Findings) {
    for end in [{ $0.finish() }, { $0.fail() }] as [(any Feed) -> Void] {
      let probe = Probe(demand: .max(1))
      var run: Run?
      var calls: [OtherCall] = []
      probe.onValue = { probe in
        guard probe.valueCount == 1, let run else { return .max(1) }
        run.bench.sources.filter { !$0.isOver }.forEach(end)
        calls.append(OtherCall { probe.request(.unlimited) })
        calls.append(OtherCall { for source in run.bench.sources where !source.isOver { source.send(1) } })
        // They wait for the value, or have been quick.
        for call in calls { _ = call.returns(within: .milliseconds(20)) }
        return .max(1)
      }
      run = Run(entry, .subjects, probe)
      run?.play(rounds: 6)
      findings.expect(calls.allSatisfy { $0.returns() }, "a call does not return after the value")
      run?.finish()
      findings.expectOrder(probe)
      run = nil
    }
  }

  static func greetingIsSerial(_ entry: Entry, _ findings: Findings) {
    let probe = Probe(demand: .none)
    let run = Run(unsubscribed: entry, .subjects, probe)
    var sending: OtherCall?
    probe.onSubscription = { probe in
      findings.expect(OtherCall { probe.request(.unlimited) }.returns(), "request waits for the end")
      sending = OtherCall { for source in run.bench.talkativeSources { source.send(1) } }
      // It waits for its turn, or has been quick.
      _ = sending?.returns(within: .milliseconds(20))
    }
    run.subscribe()
    findings.expect(sending?.returns() != false, "send does not return after the end")
    run.settle()
    run.play()
    run.finish()
    findings.expectOrder(probe)
    findings.expect(
      (probe.valueCount == 0) == entry.traits.contains(.sendsNoValues), "\(probe.valueCount) values")
    requestAfterEndInHandshake(entry, findings)
  }

  /// What is owed after the end, another thread may ask for while the subscription is being given.
  private static func requestAfterEndInHandshake(_ entry: Entry, _ findings: Findings) {
    let probe = Probe(demand: .none)
    let run = Run(unsubscribed: entry, .subjects, probe)
    probe.onSubscription = { probe in
      run.finish()
      findings.expect(OtherCall { probe.request(.unlimited) }.returns(), "request waits for the end")
    }
    run.subscribe()
    run.settle()
    findings.expectOrder(probe)
  }
}

/// A call on another thread.
final class OtherCall {
  private let isDone = DispatchSemaphore(value: 0)

  init(_ call: @escaping () -> Void) {
    nonisolated(unsafe) let call = call
    Thread.detachNewThread { [isDone] in
      call()
      isDone.signal()
    }
  }

  /// Whether it returns, while this thread waits.
  func returns(within limit: DispatchTimeInterval = .seconds(5)) -> Bool {
    let returns = isDone.wait(timeout: .now() + limit) == .success
    if returns { isDone.signal() }
    return returns
  }
}
