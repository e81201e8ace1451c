import StreamsTesting
import Testing

@testable import Streams

@Suite struct ReplacementTests {
  /// Expectations copy what they look into: this keeps the state in one place.
  private final class Shared {
    var state = Replacement()

    func accept(_ subscription: any Subscription) -> Bool { state.accept(subscription) }
    func cancel() -> (any Subscription)? { state.cancel() }
    func end(isReplaced: Bool) -> Replacement.End { state.end(isReplaced: isReplaced).end }
    func isDue(afterRequesting demand: Subscribers.Demand) -> Bool { state.request(demand).isDue }
  }

  private let shared = Shared()
  private let subscription = TestSubscription()

  @Test func keepsItsFirstSubscription() {
    #expect(!shared.state.isSubscribed)
    #expect(shared.cancel() == nil)
    #expect(shared.accept(subscription))
    #expect(!shared.accept(TestSubscription()))
    #expect(shared.state.isSubscribed)
    #expect(shared.cancel() as? TestSubscription === subscription)
    #expect(shared.cancel() == nil)
    #expect(!shared.accept(subscription))
  }

  @Test func passesRequestsOnWhileItIsSubscribed() {
    #expect(shared.state.request(.max(1)).subscription == nil)
    #expect(shared.accept(subscription))
    let answer = shared.state.request(.max(2))
    #expect(answer.subscription as? TestSubscription === subscription && !answer.isDue)
    #expect(shared.state.demand == .max(3))
    #expect(shared.end(isReplaced: false) == .passedOn)
    #expect(shared.state.request(.max(1)).subscription == nil)
  }

  @Test func replacesAtOnceWhenThereIsDemand() {
    #expect(shared.accept(subscription))
    #expect(!shared.isDue(afterRequesting: .max(1)))
    #expect(shared.end(isReplaced: true) == .replaced)
    #expect(shared.end(isReplaced: true) == .ignored)
    #expect(!shared.isDue(afterRequesting: .max(1)))
  }

  @Test func owesTheReplacementUntilThereIsDemand() {
    #expect(shared.accept(subscription))
    #expect(shared.end(isReplaced: true) == .ignored)
    #expect(!shared.state.isSubscribed)
    #expect(shared.isDue(afterRequesting: .max(1)))
    #expect(!shared.isDue(afterRequesting: .max(1)))
  }

  @Test func owesNothingAfterACancellation() {
    #expect(shared.accept(subscription))
    #expect(shared.end(isReplaced: true) == .ignored)
    #expect(shared.cancel() == nil)
    #expect(!shared.isDue(afterRequesting: .max(1)))
  }

  /// It is not released under the lock of its owner.
  @Test func handsOutTheSubscriptionAtTheEnd() {
    #expect(shared.end(isReplaced: true) == .ignored)
    #expect(shared.accept(subscription))
    #expect(shared.state.end(isReplaced: false).released as? TestSubscription === subscription)
    #expect(shared.state.end(isReplaced: false).released == nil)
  }
}
