import StreamsTesting
import Testing

@testable import Streams
@testable import StreamsCallbacks

/// Every event in every state.
@Suite struct EmitterStateTests {
  typealias State = EmitterState<Int, TestFailure>

  enum Phase: CaseIterable {
    case opening, openingDemanded, openingCompleted, idle, demanded, keeping, completing, ended, closed
  }

  private func state(_ phase: Phase) -> State {
    var state = State()
    switch phase {
    case .opening: break
    case .openingDemanded: state.add(.max(2))
    case .openingCompleted: _ = state.complete(.finished)
    case .idle: state.open()
    case .demanded, .keeping, .completing:
      state.open()
      state.add(.max(2))
      if phase != .demanded { _ = keep([7], in: &state) }
      if phase == .completing { _ = state.complete(.finished) }
    case .ended, .closed:
      _ = state.cancel()
      if phase == .closed { _ = state.beginClosing() }
    }
    return state
  }

  private func keep(_ values: [Int], in state: inout State) -> State.Grant {
    values.withUnsafeBufferPointer { state.keep($0) }
  }

  private func results<Result>(_ event: (inout State) -> Result) -> [Result] {
    Phase.allCases.map { phase in
      var state = state(phase)
      return event(&state)
    }
  }

  private func name(_ step: State.Step) -> String {
    switch step {
    case .values(let values): "\(values)"
    case .completion(let completion): "\(completion)"
    case .nothing: "nothing"
    }
  }

  @Test func takesWhatIsDemandedUnlessSomethingWaits() {
    #expect(
      results { $0.take(3) } == [
        .noDemand, .granted(2), .terminated, .noDemand, .granted(2), .behind, .terminated, .terminated,
        .terminated,
      ])
  }

  @Test func keepsWhatIsDemanded() {
    #expect(
      results { keep([1, 2, 3], in: &$0) } == [
        .noDemand, .granted(2), .terminated, .noDemand, .granted(2), .granted(1), .terminated, .terminated,
        .terminated,
      ])
  }

  @Test func isFollowedByWhatWaitsThenByTheEnd() {
    let steps = results { state in (0..<3).map { _ in name(state.next()) } }
    let nothing = ["nothing", "nothing", "nothing"]
    #expect(
      steps == [
        nothing, nothing, nothing, nothing, nothing, ["[7]", "nothing", "nothing"],
        ["[7]", "finished", "nothing"], nothing, nothing,
      ])
  }

  @Test func endsOnce() {
    #expect(
      results { $0.complete(.finished) } == [true, true, false, true, true, true, false, false, false])
    #expect(
      results { state in
        _ = state.complete(.finished)
        return state.hasEnded
      } == Phase.allCases.map { _ in true })
  }

  @Test func opensOnceTheSubscriptionHasBeenGiven() {
    let steps = results { state in
      state.open()
      return name(state.next())
    }
    #expect(
      steps == [
        "nothing", "nothing", "finished", "nothing", "nothing", "[7]", "[7]", "nothing", "nothing",
      ])
  }

  @Test func asksForWhatIsDemandedOnceItIsOpen() {
    let asked = results { $0.beginProducing() }
    #expect(asked == [nil, nil, nil, nil, .max(2), .max(1), nil, nil, nil])
    #expect(results { $0.wake() } == [true, true, false, true, true, true, false, false, false])
    let askedForMore = results { state in
      state.add(.max(1))
      return state.beginProducing()
    }
    #expect(askedForMore == [nil, nil, nil, .max(1), .max(3), .max(2), nil, nil, nil])
  }

  @Test func asksAgainOnlyWhenSomethingHasChanged() {
    var state = state(.demanded)
    expectEqual(state.beginProducing(), .max(2))
    expectEqual(state.beginProducing(), nil)
    state.add(.max(1))
    expectEqual(state.beginProducing(), nil)
    expectEqual(state.continueProducing(), .max(3))
    expectEqual(state.continueProducing(), nil)
    expectEqual(state.wake(), true)
    expectEqual(state.beginProducing(), .max(3))
  }

  @Test func aCancellationDropsWhatWaits() {
    let dropped = results { $0.cancel().1 }
    #expect(dropped == [[], [], [], [], [], [7], [7], [], []])
    #expect(
      results { state in
        _ = state.cancel()
        return state.beginClosing()
      } == [true, true, true, true, true, true, true, true, false])
  }

  @Test func closesOnceAfterTheEndAndNotWhileItIsAsked() {
    #expect(
      results { $0.beginClosing() } == [false, false, false, false, false, false, false, true, false])
    var state = state(.demanded)
    _ = state.beginProducing()
    _ = state.cancel()
    expectEqual(state.beginClosing(), false)
    expectEqual(state.continueProducing(), nil)
    expectEqual(state.beginClosing(), true)
    expectEqual(state.beginClosing(), false)
  }
}
