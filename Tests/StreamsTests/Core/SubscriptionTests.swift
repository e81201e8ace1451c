import Streams
import StreamsTesting
import Testing

@Suite struct SubscriptionTests {
  private struct Value: Subscription, CustomStringConvertible {
    let base: TestSubscription
    var combineIdentifier: CombineIdentifier { base.combineIdentifier }
    var description: String { "a value" }
    func request(_ demand: Subscribers.Demand) { base.request(demand) }
    func cancel() { base.cancel() }
  }

  private let subscription = TestSubscription()

  @Test func anObjectStandsForItself() {
    #expect(subscription._subscriptionObject() === subscription)
  }

  @Test func anObjectStandsForAValue() {
    let object = Value(base: subscription)._subscriptionObject()
    object.request(.max(2))
    object.cancel()
    #expect(subscription.ledger.entries == [.requested(.max(2)), .cancelled])
    #expect(object.combineIdentifier == subscription.combineIdentifier)
    #expect("\(object)" == "a value")
  }

  /// A publisher of one's own may send a subscription that is a value, through any operator.
  @Test func aValueServesOperators() {
    let upstream = TestPublisher<Int, Never>(sendsSubscription: false)
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
    upstream.filter { $0 > 0 }.prefix(5).map { $0 * 2 }.subscribe(recorder)
    upstream.send(subscription: Value(base: subscription))
    upstream.send(1)
    recorder.cancel()
    #expect(recorder.values == [2])
    #expect(subscription.ledger.entries == [.requested(.max(1)), .cancelled])
  }
}
