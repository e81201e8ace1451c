import StreamsTesting
import Testing

@testable import Streams

/// Every event in every state.
@Suite struct RetryStateTests {
  typealias State = RetryState<String>

  enum Phase: CaseIterable {
    case unsubscribed, subscribed, resubscribing, failedMeanwhile, resubscribed, ended
  }

  private let first = TestSubscription("first")
  private let second = TestSubscription("second")

  private func state(_ phase: Phase, retries: Int? = 5) -> State {
    var state = State(links: "links", retries: retries)
    if phase == .unsubscribed { return state }
    _ = state.accept(first)
    if phase == .subscribed { return state }
    if phase == .ended {
      _ = state.end()
      return state
    }
    _ = state.fail()
    if phase == .failedMeanwhile { _ = state.fail() }
    if phase == .resubscribed {
      _ = state.accept(second)
      _ = state.needsAnotherRound()
    }
    return state
  }

  private func results<Result>(retries: Int? = 5, _ event: (inout State) -> Result) -> [Result] {
    Phase.allCases.map { phase in
      var state = state(phase, retries: retries)
      return event(&state)
    }
  }

  private func name(_ reaction: State.Reaction) -> String {
    switch reaction {
    case .ignore: "ignore"
    case .resubscribe: "resubscribe"
    case .wait(let number, _): "wait \(number)"
    case .end: "end"
    }
  }

  private func accept(_ state: inout State) -> String {
    switch state.accept(TestSubscription("late")) {
    case .cancel: "cancel"
    case .keep(_, let isFirst, let demand): "\(isFirst ? "first" : "next") \(demand)"
    }
  }

  @Test func keepsOneSubscriptionAnAttempt() {
    #expect(
      results { accept(&$0) } == ["first max(0)", "cancel", "next max(0)", "next max(0)", "cancel", "cancel"])
  }

  @Test func triesAgainOneAfterTheOther() {
    #expect(
      results { name($0.fail().0) } == [
        "resubscribe", "resubscribe", "ignore", "ignore", "resubscribe", "ignore",
      ])
    #expect(results { $0.needsAnotherRound() } == [false, false, false, true, false, false])
  }

  @Test func endsWhenNoAttemptIsLeft() {
    #expect(results(retries: 0) { name($0.fail().0) }[..<2] == ["end", "end"])
    #expect(results(retries: nil) { name($0.fail().0) }.last == "ignore")
    var state = state(.subscribed, retries: 1)
    expectEqual(name(state.fail().0), "resubscribe")
    expectEqual(state.needsAnotherRound(), false)
    expectEqual(name(state.fail().0), "end")
    expectEqual(name(state.fail().0), "ignore")
  }

  @Test func aTimerIsKeptForItsOwnWait() {
    var state = state(.subscribed, retries: nil)
    let timing: RetryTiming = { _ in AnyCancellable {} }
    expectEqual(name(state.fail(timing).0), "wait 1")
    _ = state.goOn()
    expectEqual(name(state.fail(timing).0), "wait 2")
    expectEqual(state.keep(AnyCancellable {}, for: 1), false)
    expectEqual(state.keep(AnyCancellable {}, for: 2), true)
    expectEqual(state.keep(AnyCancellable {}, for: 2), false)
    #expect(state.goOn().timer != nil)
    expectEqual(state.keep(AnyCancellable {}, for: 2), false)
  }

  @Test func handsOutTheSubscriptionOfTheAttempt() {
    let expected = [nil, "first", nil, nil, "second", nil]
    #expect(results { $0.fail().1.map { "\($0)" } } == expected)
    #expect(results { $0.end()?.subscription.map { "\($0)" } } == expected)
    #expect(results { $0.end()?.links } == ["links", "links", "links", "links", "links", nil])
  }

  @Test func demandAddsUpAndIsSpent() {
    let asked = results { $0.add(.max(3)).map { "\($0)" } }
    #expect(asked == [nil, "first", nil, nil, "second", nil])
    let left = results { state in
      _ = state.add(.max(3))
      return state.spend(2) == nil ? nil : state.demand
    }
    #expect(left == [.max(1), .max(1), .max(1), .max(1), .max(1), nil])
  }

  @Test func anEndBetweenTheRoundsStopsThem() {
    var state = state(.failedMeanwhile)
    _ = state.end()
    expectEqual(state.needsAnotherRound(), false)
  }

  @Test func theFirstAttemptIsNotNestedEither() {
    var state = State(links: "links", retries: 5)
    expectEqual(state.begin(), "links")
    expectEqual(name(state.fail().0), "ignore")
    expectEqual(state.needsAnotherRound(), true)
    expectEqual(state.needsAnotherRound(), false)
    expectEqual(name(state.fail().0), "resubscribe")
  }
}
