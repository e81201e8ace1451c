import StreamsTesting
import Testing

@testable import Streams

/// Every event in every state.
@Suite struct BufferStateTests {
  typealias State = BufferState<Int, TestFailure>

  enum Phase: CaseIterable {
    case awaiting, empty, demanded, full, fullDemanded, finishing, finishingEmpty, failing, overflowing, ended
  }

  private let upstream = TestSubscription("upstream")

  private func state(_ phase: Phase) -> State {
    var state = State()
    if phase == .awaiting { return state }
    _ = state.subscribe(upstream)
    if [.full, .fullDemanded, .finishing, .failing, .overflowing].contains(phase) {
      for value in 1...2 { _ = state.store(value, size: 2, whenFull: .dropNewest) }
    }
    switch phase {
    case .demanded, .fullDemanded: _ = state.request(.max(1))
    case .finishing, .finishingEmpty: _ = state.complete(.finished)
    case .failing: _ = state.complete(.failure(TestFailure()))
    case .overflowing: _ = state.store(3, size: 2, whenFull: .customError { TestFailure() })
    case .ended: _ = state.cancel()
    default: break
    }
    // The thread that makes the error is another one here: on this one, a value would be a recursion that traps.
    if phase == .overflowing { state.failingThread = .max }
    return state
  }

  private func results<Result>(_ event: (inout State) -> Result) -> [Result] {
    Phase.allCases.map { phase in
      var state = state(phase)
      return event(&state)
    }
  }

  private func store(
    _ state: inout State, _ whenFull: Publishers.BufferingStrategy<TestFailure>
  ) -> String {
    let (outcome, dropped) = state.store(3, size: 2, whenFull: whenFull)
    let dropping = dropped.map { ", drops \($0)" } ?? ""
    return switch outcome {
    case .stored(let isDue): "\(isDue ? "due" : "stored")\(dropping)"
    case .ignored: "ignored"
    case .overflow: "overflow"
    }
  }

  private func name(_ step: State.Step) -> String {
    switch step {
    case .values(let values): "\(values)"
    case .completion(let completion, _): "\(completion)"
    case .nothing: "nothing"
    }
  }

  @Test func takesOneSubscription() {
    #expect(
      results { $0.subscribe(TestSubscription()) } == Phase.allCases.map { $0 == .awaiting })
  }

  @Test func storesWhatFits() {
    #expect(
      results { store(&$0, .dropNewest) } == [
        "ignored", "stored", "due", "stored, drops 3", "due, drops 3", "due, drops 3", "due", "ignored",
        "ignored", "ignored",
      ])
    #expect(
      results { store(&$0, .dropOldest) } == [
        "ignored", "stored", "due", "stored, drops 1", "due, drops 1", "due, drops 1", "due", "ignored",
        "ignored", "ignored",
      ])
    #expect(
      results { store(&$0, .customError { TestFailure() }) } == [
        "ignored", "stored", "due", "overflow", "overflow", "overflow", "due", "ignored", "ignored",
        "ignored",
      ])
  }

  @Test func passesWhatNeedNotBeStored() {
    #expect(results { $0.spend(1) } == Phase.allCases.map { $0 == .demanded })
    #expect(results { $0.spend(2) }.contains(true) == false)
  }

  @Test func theFirstCompletionCounts() {
    #expect(
      results { $0.complete(.finished) } == [
        false, true, true, true, true, false, false, false, true, false,
      ])
  }

  @Test func delivers() {
    #expect(
      results { name($0.next()) } == [
        "nothing", "nothing", "nothing", "nothing", "[1]", "nothing", "nothing",
        "failure(failure)", "nothing", "nothing",
      ])
    let steps = results { state in
      _ = state.request(.unlimited)
      return (0..<3).map { _ in name(state.next()) }
    }
    let nothing = ["nothing", "nothing", "nothing"]
    #expect(
      steps == [
        nothing, nothing, nothing, ["[1, 2]", "nothing", "nothing"], ["[1, 2]", "nothing", "nothing"],
        ["[1, 2]", "finished", "nothing"], ["finished", "nothing", "nothing"],
        ["[1, 2]", "failure(failure)", "nothing"], ["[1, 2]", "nothing", "nothing"], nothing,
      ])
  }

  @Test func aFailureNeedNotWait() {
    let failures = results { state in state.fail().map { "\($0.0) \($0.1)" } }
    #expect(
      failures == [nil, nil, nil, nil, nil, nil, nil, "failure(failure) upstream", nil, nil])
  }

  @Test func anOverflowFailsAndCancels() {
    var state = state(.overflowing)
    expectEqual(state.overflow(with: TestFailure()).map { "\($0)" }, "upstream")
    expectEqual(name(state.next()), "failure(failure)")
    expectEqual(state.overflow(with: TestFailure()) == nil, true)
  }

  @Test func requestsAndCancelsWhileItIsSubscribed() {
    let expected = Phase.allCases.map { [.awaiting, .ended].contains($0) ? nil : "upstream" }
    #expect(results { $0.request(.max(1)).map { "\($0)" } } == expected)
    #expect(results { $0.cancel().0.map { "\($0)" } } == expected)
    let dropped = results { $0.cancel().1 }
    #expect(dropped == [[], [], [], [1, 2], [1, 2], [1, 2], [], [1, 2], [1, 2], []])
  }
}
