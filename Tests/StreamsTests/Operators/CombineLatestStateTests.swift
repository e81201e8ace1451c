import Testing

@testable import Streams

/// Every event in every state of a combineLatest of two.
@Suite struct CombineLatestStateTests {
  private static func state(empty: Int, unfinished: Int, requested: Subscribers.Demand?) -> CombineLatestState
  {
    var state = CombineLatestState(count: 2)
    state.emptyCount = empty
    state.unfinishedCount = unfinished
    state.requested = requested
    return state
  }

  @Test(arguments: [0, 1, 2], [nil, Subscribers.Demand.none, .max(2)])
  func aValue(_ empty: Int, _ requested: Subscribers.Demand?) {
    for isFirst in [false, true] where empty > 0 || !isFirst {
      var state = Self.state(empty: empty, unfinished: 2, requested: requested)
      let left = empty - (isFirst ? 1 : 0)
      #expect(state.keep(isFirst: isFirst) == (left == 0 && requested == nil))
      #expect(state.emptyCount == left)
      #expect(state.requested == requested)
    }
  }

  @Test(arguments: [nil, Subscribers.Demand.none, .max(2), .unlimited])
  func aRequestAndTheEndOfADelivery(_ requested: Subscribers.Demand?) {
    var state = Self.state(empty: 0, unfinished: 1, requested: requested)
    #expect(state.request(.max(3)) == (requested != nil))
    #expect(state.requested == requested.map { $0 + 3 })
    #expect(state.end() == (requested.map { $0 + 3 } ?? .none))
    #expect(state.requested == nil)
    state.begin()
    #expect(state.requested == Subscribers.Demand.none)
  }

  @Test func aFinish() {
    var state = CombineLatestState(count: 2)
    let areFinished = [state.finish(), state.finish()]
    #expect(areFinished == [false, true])
  }
}
