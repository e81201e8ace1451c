import StreamsTesting
import Testing

@testable import Streams
@testable import StreamsCallbacks

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
    let begun = [state.begin(), state.begin()]
    #expect(begun == [true, false])
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
    let calls = [state.receive(.value(2)), state.receive(.completion(.finished))]
    let next = (0..<3).map { _ in name(state.next()) }
    let isFree = state.receive(.value(3))
    #expect(calls == [false, false])
    #expect(next == ["value 2", "finished", "rest"])
    #expect(isFree)
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
    let next = name(state.next())
    #expect(dropped.0.count == 1)
    #expect(next == "close")
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
    var steps = (0..<3).map { _ in name(state.next(.unlimited)) }
    keep(["late"], in: &state)
    steps.append(name(state.next(.unlimited)))
    #expect(steps == ["send [\"w\"]", "finished", "rest", "rest"])
  }

  @Test func asksForWhatIsMissing() {
    var state = state(.asked)
    var claims = [state.claim(.max(2)), state.claim(.max(5))]
    _ = state.receive(.value(1))
    _ = state.next()
    claims += [state.claim(.max(5)), state.claim(.unlimited)]
    _ = state.receive(.value(1))
    claims.append(state.claim(.unlimited))
    #expect(claims == [.none, .max(3), .max(1), .unlimited, .none])
  }
}
