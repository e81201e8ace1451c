import StreamsTesting
import Testing

@testable import Streams

/// Every event in every state.
@Suite struct DropStateTests {
  enum Phase: CaseIterable { case awaiting, demanding, subscribed, cancelledEarly, cancelledDemanding, ended }

  private let subscription = TestSubscription("first")
  private let late = TestSubscription("late")

  private func state(_ phase: Phase) -> DropState {
    var state = DropState()
    switch phase {
    case .awaiting: break
    case .demanding: _ = state.request(.max(3))
    case .subscribed: _ = state.accept(subscription, dropping: 1)
    case .cancelledEarly: _ = state.cancel()
    case .cancelledDemanding:
      _ = state.request(.max(3))
      _ = state.cancel()
    case .ended:
      _ = state.accept(subscription, dropping: 1)
      _ = state.cancel()
    }
    return state
  }

  private func results<Result>(_ event: (inout DropState) -> Result) -> [Result] {
    Phase.allCases.map { phase in
      var state = state(phase)
      return event(&state)
    }
  }

  private func accept(_ state: inout DropState, dropping count: Int) -> String {
    switch state.accept(late, dropping: count) {
    case .cancel: "cancel"
    case .request(let demand): "\(demand)"
    }
  }

  @Test func asksForWhatIsRequestedAndDropped() {
    #expect(
      results { accept(&$0, dropping: 2) } == ["max(2)", "max(5)", "cancel", "cancel", "cancel", "cancel"])
  }

  @Test func leavesASubscriptionAloneThatThereIsNothingToAskFor() {
    #expect(
      results { accept(&$0, dropping: 0) } == ["max(0)", "max(3)", "cancel", "max(0)", "cancel", "cancel"])
  }

  @Test func passesRequestsOnWhileItIsSubscribed() {
    let expected = [nil, nil, "first", nil, nil, nil]
    #expect(results { $0.request(.max(1)).map { "\($0)" } } == expected)
  }

  @Test func endsAndCancelsWhatItHas() {
    let expected = [nil, nil, "first", nil, nil, nil]
    #expect(results { $0.end().map { "\($0)" } } == expected)
    #expect(results { $0.cancel().map { "\($0)" } } == expected)
    #expect(
      results { state in
        _ = state.cancel()
        return state.isCancelled
      } == [true, true, false, true, true, false])
  }

  @Test func requestsAddUp() {
    var state = state(.demanding)
    _ = state.request(.max(4))
    expectEqual(accept(&state, dropping: 0), "max(7)")
    expectEqual(accept(&state, dropping: 0), "cancel")
  }
}
