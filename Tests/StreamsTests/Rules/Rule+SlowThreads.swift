import Dispatch
import Streams
import Synchronization

/// Rules about threads that are slow in what they do.
extension Rule {
  /// Whoever asks for everything relies on no other thread that does so too: that may be slow, and what is sent after the
  /// request would be lost.
  static func asksBesideSlowThread(_ entry: Entry, _ findings: Findings) {
    for (isSlowBefore, isInValue) in [(true, false), (false, false), (true, true), (false, true)] {
      let slowCall = SlowCall()
      let probe = Probe(demand: .none)
      let run = Run(unsubscribed: entry, .scripted, probe) { bench in
        bench.source().handleEvents(receiveRequest: { _ in if isSlowBefore { slowCall.wait() } })
      }
      run.bench.onRequest = { _ in if !isSlowBefore { slowCall.wait() } }
      run.subscribe()
      run.play(rounds: 2)
      func outstanding() -> [Subscribers.Demand?] { run.bench.sources.map { $0.ledger?.outstanding } }
      let request = slowCall.begin { probe.request(.unlimited) }
      var hasRequested = true
      if isInValue { hasRequested = requestsWithinValue(run) } else { probe.request(.unlimited) }
      // What was requested within a value may still come value by value.
      let asked = outstanding().map { isInValue ? $0 != Subscribers.Demand.none : $0 == .unlimited }
      slowCall.end()
      findings.expect(request.returns(), "the slow request does not return")
      let relied = zip(asked, outstanding()).contains { !$0 && $1 == .unlimited }
      findings.expect(!relied || !hasRequested, "it is left to a slow thread to ask for everything")
    }
  }

  /// Whether a value comes, within which everything is requested.
  private static func requestsWithinValue(_ run: Run) -> Bool {
    let hasRequested = Atomic(false)
    run.probe.onValue = { probe in
      probe.request(.unlimited)
      hasRequested.store(true, ordering: .relaxed)
      return .none
    }
    let sending = OtherCall { for source in run.bench.sources { source.send(1) } }
    // It waits for its turn, or is quick.
    _ = sending.returns(within: .milliseconds(100))
    return hasRequested.load(ordering: .relaxed)
  }

  /// A thread that sends amid the subscribing of another relies on nothing that this one has not done yet: once an upstream
  /// is asked for values, all that it sends are asked for.
  static func sendsBesideSlowThread(_ entry: Entry, _ findings: Findings) {
    // What an entry does not ask for with one thread, it does not with several.
    if entry.exceptions[.asksForEverything] != nil { return }
    let slowCall = SlowCall()
    let run = Run(unsubscribed: entry, .scripted, Probe()) { bench in
      bench.source().handleEvents(receiveRequest: { if $0 == .unlimited { slowCall.wait() } })
    }
    let subscribing = slowCall.begin { run.subscribe() }
    let asked = run.bench.talkativeSources.filter { $0.ledger?.outstanding != Subscribers.Demand.none }
    let lostCount = Atomic(0)
    let sending = OtherCall {
      for _ in 0..<300 {
        for source in asked where !source.isOver {
          if source.ledger?.outstanding == Subscribers.Demand.none {
            lostCount.wrappingAdd(1, ordering: .relaxed)
          }
          source.send(1)
        }
      }
    }
    // It waits for its turn, or is quick.
    _ = sending.returns(within: .milliseconds(100))
    slowCall.end()
    findings.expect(subscribing.returns() && sending.returns(), "a call does not return")
    findings.expect(lostCount.load(ordering: .relaxed), is: 0, "values that were not asked for")
  }
}

/// A call on another thread that waits somewhere, for the end.
private final class SlowCall: Sendable {
  private enum Phase: UInt8, AtomicRepresentable { case before, begun, waiting }
  private let phase = Atomic(Phase.before)
  private let isWaiting = DispatchSemaphore(value: 0)
  private let mayGoOn = DispatchSemaphore(value: 0)

  /// Returns when the call waits, or is over.
  func begin(_ call: @escaping () -> Void) -> OtherCall {
    phase.store(.begun, ordering: .relaxed)
    let other = OtherCall { [isWaiting] in
      call()
      isWaiting.signal()
    }
    isWaiting.wait()
    return other
  }

  /// Waits if a call has begun, and has not waited.
  func wait() {
    guard phase.compareExchange(expected: .begun, desired: .waiting, ordering: .relaxed).exchanged
    else { return }
    isWaiting.signal()
    mayGoOn.wait()
  }

  func end() { mayGoOn.signal() }
}
