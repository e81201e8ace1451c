import StreamsTesting
import Testing

@testable import Streams

/// Every event in every state.
@Suite struct DropUntilOutputStateTests {
  enum Phase: CaseIterable {
    case unsubscribed, dropping, open, endedByUpstream, endedByOther, endedByOtherEarly, openEnded, cancelled
  }

  private let upstream = TestSubscription("upstream")
  private let other = TestSubscription("other")
  private let late = TestSubscription("late")

  private func state(_ phase: Phase) -> DropUntilOutputState {
    var state = DropUntilOutputState()
    _ = state.request(.max(2))
    if phase == .unsubscribed { return state }
    _ = state.acceptOther(other)
    if phase != .endedByOtherEarly { _ = state.acceptUpstream(upstream) }
    if phase == .open || phase == .openEnded { _ = state.trigger() }
    if phase == .endedByUpstream || phase == .openEnded { _ = state.completeUpstream() }
    if phase == .endedByOther || phase == .endedByOtherEarly { _ = state.completeOther() }
    if phase == .cancelled { _ = state.cancel() }
    return state
  }

  private func results<Result>(_ event: (inout DropUntilOutputState) -> Result) -> [Result] {
    Phase.allCases.map { phase in
      var state = state(phase)
      return event(&state)
    }
  }

  private func name(_ subscription: (any Subscription)?) -> String? { subscription.map { "\($0)" } }

  @Test func theUpstreamsSubscriptionIsKeptOnce() {
    let demands = results { $0.acceptUpstream(late) }
    #expect(demands == [.max(2), nil, nil, nil, nil, .max(2), nil, nil])
    let kept = results { state in
      _ = state.acceptUpstream(late)
      return name(state.currentUpstream)
    }
    #expect(kept == ["late", "upstream", "upstream", nil, nil, "late", nil, nil])
  }

  @Test func theUpstreamsCompletionPassesOnceUnlessTheOthersHas() {
    #expect(
      results { $0.completeUpstream().isPassed } == [true, true, true, false, false, true, false, false])
    let released = results { name($0.completeUpstream().released) }
    #expect(released == [nil, "upstream", "upstream", nil, nil, nil, nil, nil])
    // In turn, with a subscription, it does not pass after the other's either.
    var early = state(.endedByOtherEarly)
    _ = early.acceptUpstream(upstream)
    expectEqual(early.completeUpstream().isPassed, false)
  }

  @Test func theOthersSubscriptionIsKeptWhileThereIsNone() {
    #expect(results { $0.acceptOther(late) } == [true, false, true, false, true, true, true, false])
  }

  @Test func theOthersValueOpens() {
    #expect(results { $0.trigger().opens } == [true, true, true, false, true, true, false, false])
    let released = results { name($0.trigger().released) }
    #expect(released == [nil, "other", nil, "other", nil, nil, nil, nil])
  }

  @Test func theOthersCompletionPassesOnceBeforeItsValue() {
    // Without a subscription of the other's it is out of turn, and passes as in Combine.
    let passed = results { $0.completeOther().isPassed }
    #expect(passed == [true, true, false, false, true, true, false, false])
    let unwanted = results { name($0.completeOther().unwanted) }
    #expect(unwanted == [nil, "upstream", nil, nil, nil, nil, nil, nil])
    let released = results { name($0.completeOther().released) }
    #expect(released == [nil, "other", nil, "other", nil, nil, nil, nil])
  }

  @Test func anUpstreamThatComesAfterTheOthersEndIsLeft() {
    let left = results { state in
      _ = state.acceptUpstream(late)
      return name(state.leaveUpstreamIfEnded())
    }
    #expect(left == [nil, nil, nil, nil, nil, "late", nil, nil])
  }

  @Test func requestsAddUpAndGoToTheUpstream() {
    let recipients = results { name($0.request(.max(3))) }
    #expect(recipients == [nil, "upstream", "upstream", nil, nil, nil, nil, nil])
    var state = state(.dropping)
    _ = state.request(.max(3))
    state.drop(4)
    #expect(state.demand == .max(1))
  }

  @Test func cancellingTakesWhatThereIs() {
    let cancelled = results { state in
      let (upstream, other) = state.cancel()
      return [name(upstream), name(other)]
    }
    #expect(
      cancelled == [
        [nil, nil], ["upstream", "other"], ["upstream", nil], [nil, "other"], [nil, nil], [nil, nil],
        [nil, nil], [nil, nil],
      ])
  }
}
