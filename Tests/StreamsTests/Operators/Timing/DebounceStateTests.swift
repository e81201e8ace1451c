import StreamsTesting
import Testing

@testable import Streams

@Suite struct DebounceStateTests {
  private enum Stage: CaseIterable { case awaiting, idle, waiting, timed, ended }

  private func make(_ stage: Stage) -> DebounceState<Int> {
    var state = DebounceState<Int>()
    if stage == .awaiting { return state }
    check(state.subscribe(TestSubscription()))
    if stage == .idle { return state }
    check(state.receive(1)?.generation == 1)
    if stage == .timed { check(state.keep(AnyCancellable {}, for: 1)) }
    if stage == .ended { check(state.end() != nil) }
    return state
  }

  @Test(arguments: Stage.allCases) private func everyEventInEveryState(_ stage: Stage) {
    let isOpen = [.idle, .waiting, .timed].contains(stage)
    let hasValue = stage == .waiting || stage == .timed
    var state = make(stage)
    check(state.isSubscribed == isOpen)
    check(state.waiting?.value == (hasValue ? 1 : nil))
    check(state.subscribe(TestSubscription()) == (stage == .awaiting))

    state = make(stage)
    let received = state.receive(2)
    check(received?.generation == (hasValue ? 2 : isOpen ? 1 : nil))
    check(received?.replaced?.value == (hasValue ? 1 : nil))
    check((received?.replaced?.timer != nil) == (stage == .timed))
    if hasValue { check(state.takeValue(of: 1) == nil) }
    check(state.waiting?.value == (isOpen ? 2 : nil))

    state = make(stage)
    check(!state.keep(AnyCancellable {}, for: 9))
    check(state.keep(AnyCancellable {}, for: 1) == hasValue)

    state = make(stage)
    check(state.takeTimer(of: 9) == nil)
    check((state.takeTimer(of: 1) != nil) == (stage == .timed))
    check(state.takeTimer(of: 1) == nil)
    check(state.waiting?.value == (hasValue ? 1 : nil))

    state = make(stage)
    check(state.takeValue(of: 9) == nil)
    let lost = state.takeValue(of: 1)
    check(lost?.waiting.value == (hasValue ? 1 : nil))
    check((lost?.waiting.timer != nil) == (stage == .timed))
    check(lost?.isDemanded != true)
    check(state.takeValue(of: 1) == nil)
    check(!state.keep(AnyCancellable {}, for: 1))

    state = make(stage)
    state.request(.max(2))
    check(state.demand == (isOpen ? .max(2) : .none))
    check(state.takeValue(of: 1)?.isDemanded == (hasValue ? true : nil))
    check(state.demand == (hasValue ? .max(1) : isOpen ? .max(2) : .none))

    state = make(stage)
    let ended = state.end()
    check((ended != nil) == isOpen)
    check(ended?.waiting?.value == (hasValue ? 1 : nil))
    check(state.end() == nil)
    check(state.subscribe(TestSubscription()) == (stage == .awaiting))
  }
}
