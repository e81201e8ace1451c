import StreamsTesting
import Testing

@testable import Streams

@Suite struct ScheduledSignalsTests {
  private typealias Signals = ScheduledSignals<Int, TestFailure>

  private func subscribed() -> Signals {
    var signals = Signals()
    check(signals.upstream.subscribe(TestSubscription()))
    return signals
  }

  /// What the actions deliver, as text.
  private func deliveries(_ signals: inout Signals) -> [String] {
    var texts: [String] = []
    while let (signal, released) = signals.next() {
      switch signal {
      case .value(let value): texts.append("\(value)")
      case .completion(.finished): texts.append("finished" + (released == nil ? "" : ", released"))
      case .completion(.failure): texts.append("failed" + (released == nil ? "" : ", released"))
      }
    }
    return texts
  }

  @Test func takesNothingBeforeTheSubscription() {
    var signals = Signals()
    check(!signals.receive(1))
    check(!signals.receive(completion: .finished))
    signals.append(.finished)
    check(deliveries(&signals) == [])
    check(signals.cancel().subscription == nil)
    check(signals.upstream.subscribe(TestSubscription()))
  }

  @Test func keepsSignalsInOrderWithTheCompletionLast() {
    var signals = subscribed()
    check(signals.receive(1))
    check(signals.receive(2))
    check(signals.receive(completion: .failure(TestFailure())))
    check(!signals.receive(3))
    check(!signals.receive(completion: .finished))
    check(signals.upstream.isOpen)
    check(deliveries(&signals) == ["1", "2", "failed, released"])
    check(!signals.upstream.isOpen)
  }

  @Test func anAbandonedUpstreamIsCompletedByItsOperator() {
    var signals = subscribed()
    check(signals.receive(1))
    check(signals.upstream.abandon() != nil)
    check(!signals.receive(2))
    check(!signals.receive(completion: .finished))
    signals.append(.finished)
    check(deliveries(&signals) == ["1", "finished"])
    signals.append(.finished)
    check(deliveries(&signals) == [])
  }

  @Test(arguments: [false, true]) func aCancellationTakesEverythingOut(_ isCompleting: Bool) {
    var signals = subscribed()
    check(signals.receive(1))
    if isCompleting { check(signals.receive(completion: .finished)) }
    let ended = signals.cancel()
    check(ended.subscription != nil)
    var dropped = ended.dropped
    check(dropped.removeAll().count == (isCompleting ? 2 : 1))
    check(deliveries(&signals) == [])
    check(!signals.receive(2))
    check(!signals.receive(completion: .finished))
    check(signals.cancel().subscription == nil)
  }
}
