import Streams
import StreamsTesting
import Testing

@Suite struct TestSubscriptionTests {
  @Test func writesDownWhatIsAskedOfIt() {
    let subscription = TestSubscription()
    subscription.request(.max(2))
    subscription.record(.delivered(1))
    subscription.cancel()
    #expect(subscription.ledger.entries == [.requested(.max(2)), .delivered(1), .cancelled])
    #expect("\(subscription)" == "TestSubscription")
    #expect("\(TestSubscription("mine"))" == "mine")
  }

  /// The closures see the event in the ledger.
  @Test func doesWhatItIsTold() {
    let subscription = TestSubscription()
    var log: [String] = []
    subscription.onRequest = { demand in
      log.append("\(demand) of \(subscription.ledger.requests)")
      if demand == .max(1) { subscription.request(.max(2)) }
    }
    subscription.onCancel = { log.append("cancelled \(subscription.ledger.cancelCount)") }
    subscription.request(.max(1))
    subscription.cancel()
    #expect(log == ["max(1) of [max(1)]", "max(2) of [max(1), max(2)]", "cancelled 1"])
  }

  @Test func mayBeUsedFromManyThreads() {
    let subscription = TestSubscription()
    race(rounds: 1000, { subscription.request(.max(1)) }, { subscription.request(.max(2)) })
    #expect(subscription.ledger.total == .max(3000))
    #expect(subscription.ledger.entries.count == 2000)
  }
}
