import StreamsTesting
import Testing

@testable import Streams

@Suite struct SuccessionTests {
  /// Expectations copy what they look into: this keeps the state in one place.
  private final class Shared {
    var state = Succession.awaitingFirst

    var subscription: (any Subscription)? { state.subscription }
    func acceptFirst(_ subscription: any Subscription) -> Bool { state.acceptFirst(subscription) }
    func acceptSecond(_ subscription: any Subscription) -> Bool { state.acceptSecond(subscription) }
    func endFirst() -> (any Subscription)? { state.endFirst() }
    func moveOn() -> (any Subscription)? { state.moveOn() }
    func endSecond() -> (any Subscription)? { state.endSecond() }
    func end() -> (any Subscription)? { state.end() }
  }

  private let shared = Shared()
  private let first = TestSubscription("first")
  private let second = TestSubscription("second")

  private func name(_ subscription: (any Subscription)?) -> String? { subscription.map { "\($0)" } }

  @Test func goesOnFromOneToTheOther() {
    #expect(shared.subscription == nil)
    #expect(shared.acceptFirst(first))
    #expect(name(shared.subscription) == "first")
    #expect(name(shared.moveOn()) == "first")
    #expect(shared.subscription == nil)
    #expect(shared.acceptSecond(second))
    #expect(name(shared.subscription) == "second")
    #expect(name(shared.endSecond()) == "second")
    #expect(shared.subscription == nil)
    #expect(name(shared.end()) == nil)
  }

  @Test func takesNoSubscriptionOutOfTurn() {
    #expect(!shared.acceptSecond(second))
    #expect(shared.acceptFirst(first))
    #expect(!shared.acceptFirst(second))
    #expect(!shared.acceptSecond(second))
    _ = shared.moveOn()
    #expect(!shared.acceptFirst(first))
    #expect(shared.acceptSecond(second))
    #expect(!shared.acceptSecond(first))
  }

  @Test func takesNoCompletionOutOfTurn() {
    #expect(shared.endFirst() == nil && shared.moveOn() == nil && shared.endSecond() == nil)
    #expect(shared.acceptFirst(first))
    #expect(shared.endSecond() == nil)
    _ = shared.moveOn()
    #expect(shared.endFirst() == nil && shared.moveOn() == nil && shared.endSecond() == nil)
    #expect(shared.acceptSecond(second))
    #expect(shared.endFirst() == nil && shared.moveOn() == nil)
    #expect(name(shared.subscription) == "second")
  }

  @Test func endsWhereverItIs() {
    #expect(shared.end() == nil)
    #expect(!shared.acceptFirst(first))
    shared.state = .first(first)
    #expect(name(shared.endFirst()) == "first")
    #expect(!shared.acceptFirst(first) && !shared.acceptSecond(second))
    shared.state = .awaitingSecond
    #expect(shared.end() == nil)
    #expect(!shared.acceptSecond(second))
    shared.state = .second(second)
    #expect(name(shared.end()) == "second")
    #expect(shared.end() == nil)
  }
}
