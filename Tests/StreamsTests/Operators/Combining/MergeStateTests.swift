import Testing

@testable import Streams

/// Every event in every state of a merge.
@Suite struct MergeStateTests {
  private struct Situation: CustomTestStringConvertible {
    var demand: Subscribers.Demand
    var waiting: Int
    var depth: Int
    var isRequesting: Bool
    var upstreamsAreUnlimited: Bool

    var testDescription: String { "\(self)" }

    var state: MergeState {
      var state = MergeState(count: 3)
      state.demand = demand
      state.waitingCount = waiting
      state.depth = depth
      state.isRequesting = isRequesting
      state.upstreamsAreUnlimited = upstreamsAreUnlimited
      return state
    }

    static let all: [Situation] = [.none, .max(1), .max(2), .unlimited].flatMap { demand in
      (0...3).flatMap { waiting in
        [0, 1, 2].flatMap { depth in
          [false, true].flatMap { isRequesting in
            [false, true].map {
              Situation(
                demand: demand, waiting: waiting, depth: depth, isRequesting: isRequesting,
                upstreamsAreUnlimited: $0)
            }
          }
        }
      }
    }
  }

  @Test func aValue() {
    for situation in Situation.all {
      for isOtherWaiting in [false, true] where situation.waiting > 0 || !isOtherWaiting {
        var state = situation.state
        let isDelivered = !isOtherWaiting && situation.demand != .none && !situation.isRequesting
        #expect((state.arrive(isOtherWaiting: isOtherWaiting) == .deliver) == isDelivered, "\(situation)")
        #expect(state.demand == (isDelivered ? situation.demand - 1 : situation.demand))
        #expect(state.depth == situation.depth + (isDelivered ? 1 : 0))
        #expect(state.waitingCount == situation.waiting + (isDelivered || isOtherWaiting ? 0 : 1))
        guard isDelivered else { continue }
        state.end(returning: .max(3))
        #expect(state.depth == situation.depth)
        #expect(state.demand == situation.demand - 1 + 3)
      }
      #expect(situation.state.passesAll == (situation.demand == .unlimited && situation.waiting == 0))
    }
  }

  @Test func aFlush() {
    for situation in Situation.all {
      var state = situation.state
      #expect(state.beginFlush() == (situation.depth == 0))
      #expect(state.depth == max(1, situation.depth))
      let isTaken = situation.demand != .none && situation.waiting > 0
      #expect(state.takeWaiting() == isTaken)
      #expect(state.waitingCount == situation.waiting - (isTaken ? 1 : 0))
      #expect(state.demand == (isTaken ? situation.demand - 1 : situation.demand))
      let asks = situation.demand == .unlimited && !situation.upstreamsAreUnlimited
      #expect(state.endFlush() == asks)
      #expect(state.upstreamsAreUnlimited == (asks || situation.upstreamsAreUnlimited))
      #expect(state.depth == 0)
      #expect(state.initialDemand == (situation.demand == .unlimited ? .unlimited : .max(1)))
    }
  }

  @Test func theEnd() {
    for unfinished in 0...2 {
      for waiting in 0...2 {
        var state = MergeState(count: unfinished)
        state.waitingCount = waiting
        #expect(state.isDone == (unfinished == 0 && waiting == 0))
      }
    }
  }
}
