import StreamsTesting
import Testing

@testable import Streams

/// Every event in every state.
@Suite struct DropStateTests {
  @Test func aStrictOneCancelsWhatComesLate() {
    var states = [DropState(), DropState()]
    for index in states.indices {
      states[index].endAttaching()
      check(states[index].cancel() == nil)
    }
    check(states[0].accept(TestSubscription(), dropping: 0) == .request(.none))
    check(states[1].accept(TestSubscription(), dropping: 0, isStrict: true) == .cancel)
  }

  enum Phase: CaseIterable {
    case awaiting, demanding, subscribed, cancelledEarly, cancelledDemanding, completed, cancelled
  }

  private let subscription = TestSubscription("first")
  private let late = TestSubscription("late")

  private func state(_ phase: Phase) -> DropState {
    var state = DropState()
    switch phase {
    case .awaiting: break
    case .demanding: _ = state.request(.max(3))
    case .cancelledEarly: _ = state.cancel()
    case .cancelledDemanding:
      _ = state.request(.max(3))
      _ = state.cancel()
    case .subscribed, .completed, .cancelled:
      _ = state.accept(subscription, dropping: 1)
      if phase == .completed { _ = state.complete() }
      if phase == .cancelled { _ = state.cancel() }
    }
    return state
  }

  private func results<Result>(_ event: (inout DropState) -> Result) -> [Result] {
    Phase.allCases.map { phase in
      var state = state(phase)
      return event(&state)
    }
  }

  private func name(_ subscription: (any Subscription)?) -> String? { subscription.map { "\($0)" } }

  @Test func asksForWhatIsRequestedAndDropped() {
    #expect(
      results { $0.accept(late, dropping: 2) } == [
        .request(.max(2)), .request(.max(5)), .cancel, .cancel, .cancel, .request(.max(2)), .cancel,
      ])
  }

  @Test func leavesALateSubscriptionAloneThatThereIsNothingToAskFor() {
    #expect(
      results { $0.accept(late, dropping: 0) } == [
        .request(.none), .request(.max(3)), .cancel, .cancel, .cancel, .request(.none), .cancel,
      ])
    let lateResults = results { state in
      state.endAttaching()
      return state.accept(late, dropping: 0)
    }
    #expect(
      lateResults == [
        .request(.none), .request(.max(3)), .cancel, .request(.none), .cancel, .request(.none), .cancel,
      ])
  }

  @Test func takesOneSubscriptionAtATime() {
    let again = results { state in
      _ = state.accept(late, dropping: 2)
      return state.accept(late, dropping: 2)
    }
    #expect(again == Phase.allCases.map { _ in .cancel })
  }

  @Test func requestsAddUpWhereNobodyCanBeAsked() {
    #expect(results { name($0.request(.max(1))) } == [nil, nil, "first", nil, nil, nil, nil])
    let asked = results { state in
      _ = state.request(.max(1))
      return state.accept(late, dropping: 2)
    }
    #expect(
      asked == [
        .request(.max(3)), .request(.max(6)), .cancel, .cancel, .cancel, .request(.max(3)), .cancel,
      ])
  }

  @Test func endsWithWhatItHas() {
    let expected = [nil, nil, "first", nil, nil, nil, nil]
    #expect(results { name($0.complete()) } == expected)
    #expect(results { name($0.cancel()) } == expected)
    let cancelled = results { state in
      _ = state.cancel()
      return state.isCancelled
    }
    #expect(cancelled == [true, true, false, true, true, false, false])
  }
}
