import Streams
import StreamsTesting
import Testing

@Suite struct SubscriptionsTests {
  @Test func theEmptyOneDoesNothing() {
    let empty = Subscriptions.empty
    empty.request(.max(1))
    empty.request(.none)
    empty.cancel()
    empty.request(.unlimited)
    empty.cancel()
    expectReflection(of: empty, name: "Empty")
  }

  @Test func thereIsOneEmptySubscription() {
    #expect(Subscriptions.empty.combineIdentifier == Subscriptions.empty.combineIdentifier)
    #expect(Subscriptions.empty as AnyObject === Subscriptions.empty as AnyObject)
  }
}
