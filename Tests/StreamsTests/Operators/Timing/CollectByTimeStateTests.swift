import StreamsTesting
import Testing

@testable import Streams

@Suite struct CollectByTimeStateTests {
  private typealias State = CollectByTimeState<Int, TestFailure>
  private enum Stage: CaseIterable { case awaiting, subscribed, gathering, full, finishing, failing, ended }

  private func make(_ stage: Stage, count: Int? = 2) -> State {
    var state = State(count: count)
    if stage == .awaiting { return state }
    check(state.subscribe(TestSubscription()))
    check(state.keep(AnyCancellable {}))
    if stage == .subscribed { return state }
    for value in 1...(stage == .gathering ? 1 : 3) { _ = state.receive(value) }
    if stage == .finishing { check(state.receive(.finished).timer != nil) }
    if stage == .failing { check(state.receive(.failure(TestFailure())).isDue) }
    if stage == .ended { check(state.end().values == [1, 2, 3]) }
    return state
  }

  /// All that is sent on an occasion, as text.
  private func steps(_ state: inout State, _ occasion: CollectByTimeOccasion) -> [String] {
    var texts: [String] = []
    while true {
      switch state.next(occasion) {
      case .nothing: return texts
      case .group(let group): texts.append("\(group)")
      case .completion(.finished, let ended): texts.append("finished \(ended.values)")
      case .completion(.failure, let ended): texts.append("failed \(ended.values)")
      }
    }
  }

  @Test(arguments: Stage.allCases) private func everyEventInEveryState(_ stage: Stage) {
    let isSubscribed = [.subscribed, .gathering, .full].contains(stage)
    let isOpen = isSubscribed || stage == .finishing || stage == .failing
    var state = make(stage)
    check(state.subscribe(TestSubscription()) == (stage == .awaiting))
    state = make(stage)
    check(state.keep(AnyCancellable {}) == isSubscribed)

    let byCount = state.receive(9)
    check(byCount?.demand == (isSubscribed ? Subscribers.Demand.none : nil))
    check(byCount?.isDue == (isSubscribed ? stage != .subscribed : nil))
    state = make(stage, count: nil)
    let byTime = state.receive(9)
    check(byTime?.demand == (isSubscribed ? .max(1) : nil))
    check(byTime?.isDue != true)

    state = make(stage)
    let completed = state.receive(.finished)
    check(completed.isDue == isSubscribed)
    check((completed.timer != nil) == isSubscribed)

    state = make(stage)
    check(state.request(.max(1)) == [.full, .finishing, .failing].contains(stage))
    check(state.upstreamRequest(for: .max(3))?.demand == (isSubscribed ? .max(6) : nil))
    state = make(stage, count: nil)
    check(state.upstreamRequest(for: .max(3))?.demand == (isSubscribed ? .max(1) : nil))
    check(state.upstreamRequest(for: .unlimited)?.demand == (isSubscribed ? .unlimited : nil))

    state = make(stage)
    let ended = state.end()
    check((ended.subscription != nil) == isOpen)
    check((ended.timer != nil) == isSubscribed)
    check(steps(&state, .due) == [])
    check(!state.request(.unlimited))
    check(state.subscribe(TestSubscription()) == (stage == .awaiting))
  }

  @Test(
    arguments: [
      (Stage.awaiting, [], [], [], []), (.subscribed, [], [], [], []), (.gathering, [], ["[1]"], [], ["[1]"]),
      (.full, ["[1, 2]"], ["[1, 2]", "[3]"], [], ["[1, 2, 3]"]),
      (
        .finishing, ["[1, 2]", "[3]", "finished []"], ["[1, 2]", "[3]", "finished []"],
        ["[1, 2, 3]", "finished []"], ["[1, 2, 3]", "finished []"]
      ),
      (
        .failing, ["[1, 2]", "failed [3]"], ["[1, 2]", "failed [3]"], ["failed [1, 2, 3]"],
        ["failed [1, 2, 3]"]
      ),
      (.ended, [], [], [], []),
    ] as [(Stage, [String], [String], [String], [String])])
  private func whatIsSentInEveryState(
    _ stage: Stage, byCount: [String], byCountAtTheTick: [String], byTime: [String], byTimeAtTheTick: [String]
  ) {
    for (count, occasion, expected) in [
      (2, .due, byCount), (2, .tick, byCountAtTheTick), (nil, .due, byTime), (nil, .tick, byTimeAtTheTick),
    ] as [(Int?, CollectByTimeOccasion, [String])] {
      var state = make(stage, count: count)
      state.add(.unlimited)
      check(steps(&state, occasion) == expected)
    }
  }

  @Test(arguments: Stage.allCases) private func withoutDemandOnlyAFailureIsSent(_ stage: Stage) {
    for occasion in [CollectByTimeOccasion.due, .tick] {
      var state = make(stage)
      check(steps(&state, occasion) == (stage == .failing ? ["failed [1, 2, 3]"] : []))
    }
  }

  @Test func eachArraySpendsDemand() {
    var state = make(.finishing)
    state.add(.max(1))
    check(steps(&state, .due) == ["[1, 2]"])
    check(state.request(.max(1)))
    check(steps(&state, .due) == ["[3]", "finished []"])
  }

  @Test func aFinishWithNothingLeftNeedsNoDemand() {
    var state = make(.subscribed)
    _ = state.receive(.finished)
    check(steps(&state, .due) == ["finished []"])
  }
}
