import StreamsTesting
import Testing

@testable import Streams

@Suite struct UpstreamStateTests {
  /// Every state, by what leads to it.
  private enum Stage: CaseIterable {
    case awaiting, subscribed, completing, abandoned, ended

    func make(_ subscription: TestSubscription) -> UpstreamState {
      var state = UpstreamState.awaiting
      if self == .awaiting { return state }
      check(state.subscribe(subscription))
      switch self {
      case .completing: check(state.complete())
      case .abandoned: check(state.abandon() as AnyObject === subscription)
      case .ended: check(state.end() as AnyObject === subscription)
      case .awaiting, .subscribed: break
      }
      return state
    }
  }

  private let subscription = TestSubscription()

  @Test(arguments: Stage.allCases) private func everyEventInEveryState(_ stage: Stage) {
    let state = stage.make(subscription)
    check(state.isSubscribed == (stage == .subscribed))
    check(state.isOpen == [.subscribed, .completing, .abandoned].contains(stage))
    let isKept = stage == .subscribed || stage == .completing
    check((state.subscription as AnyObject? === subscription) == isKept)

    var next = state
    check(next.subscribe(TestSubscription()) == (stage == .awaiting))
    next = state
    check(next.complete() == (stage == .subscribed))
    check(!next.isSubscribed)
    check(next.isOpen == state.isOpen)
    next = state
    check((next.abandon() != nil) == (stage == .subscribed))
    check(next.isOpen == state.isOpen)
    if stage == .subscribed { check(next.subscription == nil) }
    next = state
    check((next.release() as AnyObject? === subscription) == (stage == .completing))
    check(next.isOpen == state.isOpen)
    check((next.subscription != nil) == (stage == .subscribed))
    next = state
    check((next.end() != nil) == isKept)
    check(!next.isOpen)
    // What has not begun does not end: a subscription that comes later is still taken.
    check(next.subscribe(TestSubscription()) == (stage == .awaiting))
  }
}
