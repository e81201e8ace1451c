import StreamsTesting
import Testing

@testable import Streams

/// Every event in every state.
@Suite struct OperatorStateTests {
  typealias State = OperatorState<Int, String, TestFailure>

  enum Phase: CaseIterable {
    case fresh, asked, calling, waiting, draining, ending, ended, closing, closed
  }

  private func state(_ phase: Phase) -> State {
    var state = State()
    switch phase {
    case .fresh: break
    case .asked: _ = state.next(.max(2))
    case .calling: _ = state.receive(.value(1))
    case .waiting: keep(["w"], in: &state)
    case .draining:
      keep(["d", "e"], in: &state)
      _ = state.next(.max(1))
    case .ending:
      keep(["w"], in: &state)
      _ = state.complete(.finished)
    case .ended: _ = state.complete(.finished)
    case .closing:
      _ = state.receive(.value(1))
      _ = state.close()
    case .closed: _ = state.close()
    }
    return state
  }

  private func keep(_ values: [String], in state: inout State) {
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
    case .send(let values): "send \(values)"
    case .complete(let completion): "\(completion)"
    case .request(let demand): "request \(demand)"
    case .rest: "rest"
    }
  }

  private func name(_ next: State.Next) -> String {
    switch next {
    case .call(.value(let value)): "value \(value)"
    case .call(.completion(let completion)): "\(completion)"
    case .close: "close"
    case .rest: "rest"
    }
  }

  @Test func beginsOnce() {
    var state = State()
    #expect(state.begin())
    #expect(!state.begin())
  }

  @Test func callsTheOperatorUnlessItRunsOrIsOver() {
    #expect(
      results { $0.receive(.value(2)) } == [true, true, false, true, true, true, true, false, false])
    #expect(
      results { $0.receive(.completion(.finished)) } == [
        true, true, false, true, true, true, true, false, false,
      ])
  }

  @Test func whatComesFromWithinACallFollowsIt() {
    var state = state(.calling)
    #expect(!state.receive(.value(2)))
    #expect(!state.receive(.completion(.finished)))
    #expect(name(state.next()) == "value 2")
    #expect(name(state.next()) == "finished")
    #expect(name(state.next()) == "rest")
    #expect(state.receive(.value(3)))
  }

  @Test func closesWhenNoCallIsUnderWay() {
    #expect(results { $0.close().isDue } == [true, true, false, true, true, true, true, false, true])
    #expect(
      results { name($0.next()) } == [
        "rest", "rest", "rest", "rest", "rest", "rest", "rest", "close", "close",
      ])
    var state = state(.calling)
    _ = state.receive(.value(2))
    let dropped = state.close().dropped
    #expect(dropped.0.count == 1)
    #expect(name(state.next()) == "close")
  }

  @Test func sendsAtOnceUnlessSomethingWaits() {
    #expect(
      results { state in ["x"].withUnsafeBufferPointer { state.send($0) } } == [
        .now, .now, .now, .later, .later, .refused, .refused, .refused, .refused,
      ])
  }

  @Test func endsAfterWhatWaits() {
    #expect(
      results { $0.complete(.finished) } == [
        .now, .now, .now, .later, .later, .refused, .refused, .refused, .refused,
      ])
  }

  @Test func doesWhatIsDemanded() {
    #expect(
      results { name($0.next(.max(2))) } == [
        "request max(2)", "rest", "request max(2)", "send [\"w\"]", "send [\"e\"]", "send [\"w\"]", "rest",
        "rest",
        "rest",
      ])
    #expect(
      results { name($0.next(.none)) } == [
        "rest", "rest", "rest", "rest", "rest", "rest", "rest", "rest", "rest",
      ])
  }

  @Test func completesOnceWhatWaitsIsSent() {
    var state = state(.ending)
    #expect(name(state.next(.unlimited)) == "send [\"w\"]")
    #expect(name(state.next(.unlimited)) == "finished")
    #expect(name(state.next(.unlimited)) == "rest")
    keep(["late"], in: &state)
    #expect(name(state.next(.unlimited)) == "rest")
  }

  @Test func asksForWhatIsMissing() {
    var state = state(.asked)
    #expect(state.claim(.max(2)) == .none)
    #expect(state.claim(.max(5)) == .max(3))
    _ = state.receive(.value(1))
    _ = state.next()
    #expect(state.claim(.max(5)) == .max(1))
    #expect(state.claim(.unlimited) == .unlimited)
    _ = state.receive(.value(1))
    #expect(state.claim(.unlimited) == .none)
  }
}
