import Testing

@testable import Streams

/// Every event in every state of a combineLatest of two.
@Suite struct CombineLatestStateTests {
  typealias Stage = CombineLatestState.Stage

  private static var stages: [Stage] { [.idle, .making, .makingOfReplaced, .delivering] }

  private static func state(empty: Int, _ stage: Stage) -> CombineLatestState {
    var state = CombineLatestState(count: 2)
    state.emptyCount = empty
    state.stage = stage
    return state
  }

  @Test(arguments: [0, 1, 2]) func aValue(_ empty: Int) {
    for (stage, isFirst) in Self.stages.flatMap({ [($0, false), ($0, true)] }) where empty > 0 || !isFirst {
      var state = Self.state(empty: empty, stage)
      #expect(state.isFull == (empty == 0))
      let left = empty - (isFirst ? 1 : 0)
      #expect(state.keep(isFirst: isFirst) == (left == 0 && stage == .idle))
      #expect(state.emptyCount == left)
      #expect(state.stage == stage)
      #expect(state.isQuick == (isFirst && left == 0))
    }
  }

  @Test func aChangeOfTheRow() {
    for stage in Self.stages {
      var state = Self.state(empty: 0, stage)
      #expect(state.replaceRow() == (stage == .making))
      #expect(state.stage == (stage == .making ? .makingOfReplaced : stage))
      #expect(state.isFirstRow == (stage != .making))
    }
  }

  @Test func theQuickWayIsForTheFirstRow() {
    var state = CombineLatestState(count: 1)
    #expect(state.keep(isFirst: true) && state.isQuick)
    for isSecond in [true, false, true] {
      state.beginMaking()
      #expect(state.replaceRow() && state.isFirstRow != isSecond && state.isQuick != isSecond)
    }
  }

  @Test func theQuickWayIsNotForARowWithGaps() {
    var state = Self.state(empty: 1, .making)
    #expect(state.replaceRow() && state.replaceRow() == false && !state.isQuick)
    _ = state.begin()
    _ = state.end()
    #expect(state.keep(isFirst: true) && !state.isQuick)
  }

  @Test func aTuple() {
    for stage in Self.stages {
      var state = Self.state(empty: 0, stage)
      #expect(state.begin() == (stage != .makingOfReplaced))
      #expect(state.stage == .delivering)
      state.beginMaking()
      #expect(state.stage == .making)
    }
  }

  @Test(arguments: [Subscribers.Demand.none, .max(2), .unlimited])
  func aRequestAndTheEndOfADelivery(_ requested: Subscribers.Demand) {
    for stage in Self.stages {
      var state = Self.state(empty: 0, stage)
      let isIdle = stage == .idle
      let areLater = [state.request(requested), state.request(.max(3))]
      #expect(areLater == [!isIdle, !isIdle])
      #expect(state.end() == isIdle)
      #expect(state.stage == .idle)
      #expect(state.takeRequested() == (isIdle ? .none : requested + 3))
      #expect(state.end() && state.takeRequested() == .none)
    }
  }

  /// The first value of another thread amid a delivery makes a tuple for all such values.
  @Test func aValueOfAnotherThread() {
    for (stage, empty) in Self.stages.flatMap({ [($0, 0), ($0, 1)] }) {
      var state = Self.state(empty: empty, stage)
      #expect(state.owe() == (stage != .idle && empty == 0))
      #expect(state.owe() == false)
      #expect(state.pay() == (stage != .idle && empty == 0))
      #expect(state.pay() == false)
    }
  }

  @Test func aFinish() {
    var state = CombineLatestState(count: 2)
    let areFinished = [state.finish(), state.finish()]
    #expect(areFinished == [false, true])
  }
}
