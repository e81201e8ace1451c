import Testing

@testable import Streams

/// Every event in every state of a flatMap.
@Suite struct FlatMapStateTests {
  private let phases: [FlatMapState.Phase] = [
    .running, .failing(isUpstream: true), .failing(isUpstream: false), .sendingFailure, .ended,
  ]
  private let demands: [Subscribers.Demand] = [.none, .max(1), .max(2), .unlimited]

  private func forEachState(_ body: (FlatMapState) -> Void) {
    for phase in phases {
      for demand in demands {
        for waiting in 0...2 {
          for (depth, isRequesting, areUnlimited) in [
            (0, false, false), (0, false, true), (1, false, false), (1, true, false), (2, true, true),
          ] {
            var state = FlatMapState()
            state.phase = phase
            state.demand = demand
            state.waitingCount = waiting
            state.depth = depth
            state.isRequesting = isRequesting
            state.childrenAreUnlimited = areUnlimited
            body(state)
          }
        }
      }
    }
  }

  @Test func aValue() {
    forEachState { before in
      #expect(before.takesValues == (before.phase == .running || before.phase == .sendingFailure))
      #expect(
        before.passesAll
          == (before.phase == .running && before.demand == .unlimited && before.waitingCount == 0))
      var state = before
      let isTaken = before.demand != .none && !before.isRequesting && before.waitingCount == 0
      #expect(state.takeDemand() == isTaken, "\(before)")
      #expect(state.demand == (isTaken ? before.demand - 1 : before.demand))
      #expect(state.waitingCount == before.waitingCount + (isTaken ? 0 : 1))
    }
  }

  @Test func aFlush() {
    forEachState { before in
      var state = before
      #expect(state.beginFlush() == (before.depth == 0))
      let isTaken = before.phase == .running && before.demand != .none && before.waitingCount > 0
      #expect(state.takeWaiting() == isTaken, "\(before)")
      #expect(state.demand == (isTaken ? before.demand - 1 : before.demand))
      #expect(state.waitingCount == before.waitingCount - (isTaken ? 1 : 0))
      let asks = before.phase == .running && before.demand == .unlimited && !before.childrenAreUnlimited
      #expect(state.endFlush() == asks)
      #expect(state.childrenAreUnlimited == (asks || before.childrenAreUnlimited))
      #expect(state.depth == 0)
    }
  }

  @Test func aSubscriptionOfAChild() {
    forEachState { before in
      var state = before
      let demand: Subscribers.Demand? =
        before.phase != .running ? nil : before.demand == .unlimited ? .unlimited : .max(1)
      #expect(state.begin() == demand)
      #expect(state.childCount == (demand == nil ? 0 : 1))
    }
  }

  @Test func places() {
    forEachState { before in
      var state = before
      state.freePlace()
      state.freePlace()
      #expect(state.takeFreePlaces() == (before.phase == .running ? .max(2) : .none))
      #expect(state.takeFreePlaces() == .none)
    }
  }

  @Test func theEnd() {
    forEachState { before in
      for (isFinished, children, childless, expected) in [
        (false, 0, 0, 0), (true, 0, 0, 0), (true, 1, 0, 0), (true, 0, 1, 0), (true, 0, 0, 1),
      ] {
        var state = before
        state.upstreamIsFinished = isFinished
        state.childCount = children
        state.childlessCount = childless
        let isDone =
          before.phase == .running && isFinished && before.waitingCount + children + childless + expected == 0
        #expect(state.finish(expectedCount: expected) == isDone, "\(state)")
        #expect(state.phase == (isDone ? .ended : before.phase))
      }
    }
  }

  @Test func aStop() {
    for phase in phases {
      forEachState { before in
        var state = before
        state.childCount = 3
        state.freePlaces = 1
        state.stop(phase)
        #expect(state.phase == phase)
        #expect([state.childCount, state.waitingCount, state.freePlaces] == [0, 0, 0])
      }
    }
  }
}
