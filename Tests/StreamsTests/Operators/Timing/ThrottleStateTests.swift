import StreamsTesting
import Testing

@testable import Streams

@Suite struct ThrottleStateTests {
  private typealias State = ThrottleState<Int, TestFailure, Int>
  private enum Stage: CaseIterable {
    case awaiting, subscribed, keeping, completing, completingWithValue, ended
  }

  private func make(_ stage: Stage, latest: Bool = true) -> State {
    var state = State(
      downstream: Downstream(RecordingSubscriber<Int, TestFailure>()), interval: 10, latest: latest)
    if stage == .awaiting { return state }
    check(state.subscribe(TestSubscription()) != nil)
    state.request(.max(2))
    if stage == .keeping || stage == .completingWithValue { check(state.receive(1, at: 0).0 == .emitNow) }
    if stage == .completing { check(state.receive(.finished)) }
    if stage == .completingWithValue { check(!state.receive(.finished)) }
    if stage == .ended { check(state.end().subscription != nil) }
    return state
  }

  @Test(arguments: Stage.allCases) private func everyEventInEveryState(_ stage: Stage) {
    let isSubscribed = stage == .subscribed || stage == .keeping
    let isCompleting = stage == .completing || stage == .completingWithValue
    let hasValue = stage == .keeping || stage == .completingWithValue
    var state = make(stage)
    check(state.isSubscribed == isSubscribed)
    check(state.isLastEmission == (isCompleting ? true : isSubscribed ? false : nil))
    check((state.subscribe(TestSubscription()) != nil) == (stage == .awaiting))

    for latest in [true, false] {
      state = make(stage, latest: latest)
      let (plan, dropped) = state.receive(5, at: 0)
      check(plan == (stage == .subscribed ? .emitNow : .nothing))
      check(dropped == (stage == .keeping ? 1 : nil))
      let expected = stage == .keeping ? (latest ? 5 : 1) : stage == .subscribed ? 5 : hasValue ? 1 : nil
      check(state.takeValue(at: 0)?.value == expected)
    }

    state = make(stage)
    check(state.receive(.failure(TestFailure())) == (stage == .subscribed))

    state = make(stage)
    let taken = state.takeValue(at: 3)
    check(taken?.value == (hasValue ? 1 : nil))
    check(taken?.isLast == (hasValue ? isCompleting : nil))
    check(state.takeValue(at: 3) == nil)

    state = make(stage)
    let end = state.takeCompletion()
    check((end != nil) == isCompleting)
    check((end?.ended.subscription != nil) == isCompleting)
    check(state.takeCompletion() == nil)

    state = make(stage)
    let ended = state.end()
    check((ended.subscription != nil) == (isSubscribed || isCompleting))
    check(ended.kept == (hasValue ? 1 : nil))
    check(state.isLastEmission == nil)
    check(state.takeValue(at: 0) == nil)
    check(state.takeCompletion() == nil)
    check(state.subscribe(TestSubscription()) == nil)
  }

  @Test func theNextValueComesAnIntervalAfterTheLast() {
    var state = make(.keeping)
    check(state.takeValue(at: 100)?.value == 1)
    check(state.receive(2, at: 109).0 == .emitLater(110))
    check(state.takeValue(at: 110)?.value == 2)
    // The demand for two values is spent.
    check(state.receive(3, at: 120).0 == .drop)
    state.request(.max(1))
    check(state.receive(4, at: 120).0 == .emitNow)
  }

  /// Whether that value came at once or at the end of an interval.
  @Test func everyIntervalBeginsWithTheLastValueThatWasSent() {
    var state = make(.subscribed)
    state.request(.unlimited)
    check(state.receive(1, at: 0).0 == .emitNow)
    check(state.takeValue(at: 0)?.value == 1)
    check(state.receive(2, at: 4).0 == .emitLater(10))
    // The scheduler was late.
    check(state.takeValue(at: 12)?.value == 2)
    check(state.receive(3, at: 13).0 == .emitLater(22))
    check(state.takeValue(at: 22)?.value == 3)
    check(state.receive(4, at: 40).0 == .emitNow)
    check(state.takeValue(at: 40)?.value == 4)
    check(state.receive(5, at: 49).0 == .emitLater(50))
  }
}
