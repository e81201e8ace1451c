import StreamsTesting
import Testing

@testable import Streams

/// Every event in every state.
@Suite struct SuccessionTests {
  enum Phase: CaseIterable { case awaitingFirst, first, choosing, awaitingSecond, second, handedOver, ended }

  private let first = TestSubscription("first")
  private let second = TestSubscription("second")
  private let host = TestSubscription("host")
  private let late = TestSubscription("late")

  private func succession(_ phase: Phase) -> Succession {
    var state = Succession()
    if phase == .awaitingFirst { return state }
    _ = state.acceptFirst(first)
    if phase == .first { return state }
    if phase == .ended {
      _ = state.end()
      return state
    }
    _ = state.moveOn()
    if phase == .choosing { return state }
    if phase == .handedOver {
      state.delegate(to: host)
      return state
    }
    _ = state.choose()
    if phase == .second { _ = state.acceptSecond(second) }
    return state
  }

  private func name(_ state: Succession) -> String {
    switch state.phase {
    case .awaitingFirst: "awaitingFirst"
    case .first(let subscription): "first(\(subscription))"
    case .choosing: "choosing"
    case .awaitingSecond: "awaitingSecond"
    case .second(let subscription): "second(\(subscription))"
    case .handedOver(let host): "handedOver(\(host))"
    case .ended: "ended"
    }
  }

  /// What an event returns and where it leads to, in each phase in which it is not ignored.
  private func expect(
    _ event: (inout Succession) -> String?, _ expected: [Phase: (String, String)],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for phase in Phase.allCases {
      var state = succession(phase)
      let before = name(state)
      let result = event(&state)
      let (expectedResult, expectedPhase) = expected[phase] ?? ("nothing", before)
      #expect(result ?? "nothing" == expectedResult, "\(phase)", sourceLocation: sourceLocation)
      #expect(name(state) == expectedPhase, "\(phase)", sourceLocation: sourceLocation)
    }
  }

  private func name(_ subscription: (any Subscription)?) -> String? { subscription.map { "\($0)" } }
  private func name(_ isAccepted: Bool) -> String? { isAccepted ? "yes" : nil }

  @Test func theFirstSubscriptionIsKeptOnce() {
    expect({ name($0.acceptFirst(late)) }, [.awaitingFirst: ("yes", "first(late)")])
  }

  @Test func theFirstCompletionEndsIt() {
    expect({ name($0.endFirst()) }, [.first: ("first", "ended")])
  }

  @Test func itMovesOnFromTheFirst() {
    expect({ name($0.moveOn()) }, [.first: ("first", "choosing")])
  }

  @Test func theSecondIsChosenOnce() {
    expect({ name($0.choose()) }, [.choosing: ("yes", "awaitingSecond")])
  }

  @Test func theSecondSubscriptionIsKeptOnce() {
    expect({ name($0.acceptSecond(late)) }, [.awaitingSecond: ("yes", "second(late)")])
  }

  @Test func theSecondCompletionEndsIt() {
    expect({ name($0.endSecond()) }, [.second: ("second", "ended")])
  }

  @Test func anotherMayTakeTheSecondsPlaceThanWhoseItIs() {
    expect({ name($0.replaceSecond(second)) }, [.second: ("second", "choosing")])
    expect({ name($0.replaceSecond(late)) }, [:])
  }

  @Test func theChoiceMayBeHandedOver() {
    expect(
      {
        $0.delegate(to: late)
        return nil
      }, [.choosing: ("nothing", "handedOver(late)")])
  }

  @Test func itEndsWhereverItIs() {
    expect(
      { name($0.end()) },
      [
        .awaitingFirst: ("nothing", "ended"), .first: ("first", "ended"), .choosing: ("nothing", "ended"),
        .awaitingSecond: ("nothing", "ended"), .second: ("second", "ended"),
        .handedOver: ("nothing", "ended"),
      ])
  }

  @Test func requestsGoToWhoeverIsThere() {
    let recipients = Phase.allCases.map { name(succession($0).recipient) }
    #expect(recipients == [nil, "first", nil, nil, "second", "host", nil])
    #expect(
      Phase.allCases.map { succession($0).keepsDemand } == [true, true, true, true, false, false, false])
    #expect(Phase.allCases.filter { succession($0).isChoosing } == [.choosing])
    #expect(Phase.allCases.filter { succession($0).isAwaitingSecond } == [.awaitingSecond])
  }

  @Test func knowsWhoSubscribesToTheSecond() {
    let here = Phase.allCases.filter { phase in
      var state = succession(phase)
      _ = state.begin {}
      return state.isAwaitingSecondHere
    }
    #expect(here == [.awaitingSecond])
    var state = succession(.awaitingSecond)
    #expect(!state.isAwaitingSecondHere)
    race({ _ = state.begin {} })
    #expect(!state.isAwaitingSecondHere)
    _ = state.proceed()
    _ = state.begin {}
    #expect(state.isAwaitingSecondHere)
    _ = state.proceed()
    #expect(!state.isAwaitingSecondHere)
  }

  @Test func whoHoldsGoesOn() {
    var state = Succession()
    var log: [String] = []
    state.hold()
    expectEqual(state.begin { log.append("first") }, false)
    state.proceed()?()
    #expect(log == ["first"])
    expectEqual(state.proceed() == nil, true)
    expectEqual(state.begin {}, true)
  }

  @Test func whoIsAtItGoesOn() {
    var state = Succession()
    var log: [String] = []
    expectEqual(state.begin { log.append("first") }, true)
    expectEqual(state.begin { log.append("second") }, false)
    let second = state.proceed()
    expectEqual(state.begin { log.append("third") }, false)
    second?()
    let third = state.proceed()
    third?()
    #expect(log == ["second", "third"])
    expectEqual(state.proceed() == nil, true)
    expectEqual(state.begin {}, true)
  }
}
