import StreamsTesting
import Testing

@testable import Streams

/// Every event in every state.
@Suite struct SharedConnectionStateTests {
  private let connection = TestSubscription("connection")
  private let late = TestSubscription("late")

  enum Phase: CaseIterable {
    case disconnected, connecting, connectingForTwo, connectingForNobody, connected, connectedForTwo
  }

  private func state(_ phase: Phase) -> SharedConnectionState {
    var state = SharedConnectionState()
    if phase == .disconnected { return state }
    _ = state.join(on: 1, connectsWithin: false)
    if [.connectingForTwo, .connectedForTwo].contains(phase) { _ = state.join(on: 2, connectsWithin: false) }
    if phase == .connectingForNobody { _ = state.leave() }
    if phase == .connected || phase == .connectedForTwo { _ = state.connected(connection, in: 1) }
    return state
  }

  /// How many have to leave until the connection is cancelled, if one is.
  private func countOfSubscribers(_ state: SharedConnectionState) -> Int? {
    var state = state
    return (1...5).first { _ in state.leave().connection != nil }
  }

  private func results<Result>(_ event: (inout SharedConnectionState) -> Result) -> [Result] {
    Phase.allCases.map { phase in
      var state = state(phase)
      return event(&state)
    }
  }

  @Test func theFirstConnectsAndPerhapsWhoComesFromWithin() {
    for connectsWithin in [false, true] {
      let again: [Int?] = connectsWithin ? [1, 1] : [nil, nil]
      func attempts(on thread: UInt32) -> [Int?] {
        results { $0.join(on: thread, connectsWithin: connectsWithin) }
      }
      #expect(attempts(on: 1) == [1] + again + [2, nil, nil])
      #expect(attempts(on: 3) == [1, nil, nil, 2, nil, nil])
    }
  }

  @Test func countsWhoJoins() {
    let counts = results { state in
      let attempt = state.join(on: 3, connectsWithin: false)
      if attempt != nil || countOfSubscribers(state) == nil {
        _ = state.connected(connection, in: attempt ?? 1)
      }
      return countOfSubscribers(state)
    }
    #expect(counts == [1, 2, 3, 1, 2, 3])
  }

  /// In the second connection there is who connects in it.
  @Test func whoWasInAConnectionThatIsReplacedDoesNotCount() {
    let counts = results { state in
      _ = state.connected(late, in: 1)
      return countOfSubscribers(state)
    }
    #expect(counts == [nil, 1, 2, nil, 1, 1])
  }

  @Test func whatBeginsIsCancelledByTheLastToLeave() {
    #expect(results { $0.begin(late, nil, in: 1).map { "\($0)" } } == [nil, nil, nil, "late", nil, nil])
    let left = results { state in
      _ = state.begin(late, nil, in: 1)
      return [state.leave().connection, state.leave().connection].map { $0.map { "\($0)" } }
    }
    #expect(
      left == [
        [nil, nil], ["late", nil], [nil, "late"], [nil, nil], ["connection", nil], [nil, "connection"],
      ])
    // An attempt that is not wanted any more does not get in the way of the next.
    var state = state(.connectingForNobody)
    #expect(
      state.join(on: 1, connectsWithin: false) == 2 && state.begin(late, nil, in: 1) == nil
        && state.leave().connection == nil)
  }

  @Test func theLastOneToLeaveDisconnects() {
    #expect(results { $0.leave().connection.map { "\($0)" } } == [nil, nil, nil, nil, "connection", nil])
    #expect(Phase.allCases.map { countOfSubscribers(state($0)) } == [nil, nil, nil, nil, 1, 2])
  }

  /// Before the cancellation, which runs other code: the next one to join connects anew.
  @Test func whatHasBeenLeftPassesNothingOn() {
    for isConnected in [false, true] {
      let (subject, upstream) = (PassthroughSubject<Int, Never>(), TestSubscription("upstream"))
      let link = SubjectSubscriber(subject)
      link.receive(subscription: upstream)
      var received: [Int] = []
      let cancellable = subject.sink { received.append($0) }
      var state = SharedConnectionState()
      _ = state.join(on: 1, connectsWithin: false)
      _ = state.begin(link, link, in: 1)
      if isConnected { _ = state.connected(link, in: 1) }
      _ = link.receive(1)
      #expect(state.leave().subscription as? TestSubscription === upstream)
      _ = link.receive(2)
      #expect(received == [1])
      withExtendedLifetime(cancellable) {}
    }
  }

  @Test func aConnectionThatNobodyWaitsForIsCancelled() {
    let unwanted = results { $0.connected(late, in: 1).unwanted.map { "\($0)" } }
    #expect(unwanted == ["late", nil, nil, "late", nil, nil])
    let replaced = results { $0.connected(late, in: 1).replaced.map { "\($0)" } }
    #expect(replaced == [nil, nil, nil, nil, "connection", "connection"])
  }

  @Test func aConnectionThatAllHaveLeftBeforeItIsMadeIsCancelled() {
    var state = state(.connected)
    expectEqual(state.leave().connection == nil, false)
    expectEqual(state.connected(late, in: 1).unwanted.map { "\($0)" }, "late")
    #expect(countOfSubscribers(state) == nil)
  }

  @Test func withNobodyLeftThereIsNoNeedToConnect() {
    #expect(results { $0.isWanted(1) } == [false, true, true, false, true, true])
    var state = state(.connectingForNobody)
    expectEqual(state.isWanted(1), false)
    expectEqual(state.join(on: 3, connectsWithin: false), 2)
  }

  @Test func anAttemptThatNobodyWaitsForMakesRoomForTheNext() {
    var state = state(.connectingForNobody)
    expectEqual(state.join(on: 1, connectsWithin: false), 2)
    expectEqual(state.isWanted(1), false)
    expectEqual(state.isWanted(2), true)
    expectEqual(state.connected(connection, in: 2).unwanted == nil, true)
    expectEqual(state.connected(late, in: 1).unwanted.map { "\($0)" }, "late")
    #expect(countOfSubscribers(state) == 1)
  }
}
