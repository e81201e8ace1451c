import StreamsTesting
import Testing

@testable import Streams

/// Every event in every state of a switchToLatest.
@Suite struct SwitchToLatestStateTests {
  enum Latest: CaseIterable { case none, awaited, running, over }
  enum Outer: CaseIterable { case running, finished, failed }

  /// A state, reached by the events that lead to it, and the subscription of the latest publisher.
  private func state(_ latest: Latest, _ outer: Outer) -> (SwitchToLatestState, TestSubscription) {
    let subscription = TestSubscription()
    var state = SwitchToLatestState()
    state.demand = .max(3)
    if latest != .none { _ = state.begin() }
    if latest == .running || latest == .over { _ = state.accept(subscription, from: 1) }
    if latest == .over { _ = state.complete(1, failing: false) }
    if outer == .finished { _ = state.finishOuter() }
    if outer == .failed { _ = state.failOuter() }
    return (state, subscription)
  }

  private func forEachState(
    _ body: (_ latest: Latest, _ outer: Outer, inout SwitchToLatestState, TestSubscription) -> Void
  ) {
    for latest in Latest.allCases {
      for outer in Outer.allCases {
        var (state, subscription) = state(latest, outer)
        body(latest, outer, &state, subscription)
      }
    }
  }

  @Test func anotherPublisher() {
    forEachState { latest, outer, state, subscription in
      let number = state.number
      let next = state.begin()
      #expect(next?.number == (outer == .running ? number + 1 : nil))
      #expect(same(next?.previous, outer == .running && latest == .running ? subscription : nil))
      #expect(state.expects(state.number) == (outer != .failed))
      #expect(!state.expects(state.number - 1))
    }
  }

  @Test func aKnownValue() {
    forEachState { latest, outer, state, _ in
      let number = state.number
      let next = state.beginSingle()
      #expect(next == (outer == .running && latest != .running ? number + 1 : nil))
      #expect(state.demand == .max(next == nil ? 3 : 2))
      guard let next else { return }
      var (finished, replaced) = (state, state)
      #expect(state.completeSingle(next) == false)
      #expect(finished.finishOuter() == false)
      #expect(finished.completeSingle(next) == true)
      #expect(finished.completeSingle(next) == false)
      _ = replaced.begin()
      #expect(replaced.completeSingle(next) == false)
      #expect(replaced.finishOuter() == false)
    }
  }

  @Test func aKnownValueWithoutDemand() {
    var state = SwitchToLatestState()
    let next = state.beginSingle()
    #expect(next == nil)
  }

  @Test func aSubscription() {
    forEachState { latest, outer, state, _ in
      let number = state.number
      let isRunning = latest == .running && outer != .failed
      #expect(state.accept(TestSubscription(), from: number) == (isRunning ? nil : .max(3)))
      #expect(state.accept(TestSubscription(), from: number + 1) == nil)
      // Of one that begins after the failure, nothing is sent.
      if !isRunning { #expect(state.passes(number) == (outer != .failed)) }
    }
  }

  @Test func aValue() {
    forEachState { _, outer, state, _ in
      #expect(state.passes(state.number))
      #expect(!state.passes(state.number + 1))
      let unchanged = state
      race({ #expect(unchanged.passes(unchanged.number) == (outer != .failed)) })
      let number = state.number
      let areFor = [state.add(.max(2), returnedFor: number), state.add(.max(1), returnedFor: number + 1)]
      #expect(areFor == [true, false])
      #expect(state.demand == .max(6))
    }
  }

  @Test func aCompletion() {
    for failing in [false, true] {
      forEachState { latest, outer, state, subscription in
        guard latest != .awaited, latest != .none else { return }
        let hasSent = state.hasSentCompletion
        let (isSent, ended) = state.complete(state.number, failing: failing)
        #expect(isSent == (!hasSent && (failing || outer != .running)))
        #expect(same(ended, latest == .running && outer != .failed ? subscription : nil))
        #expect(state.hasSentCompletion == (hasSent || isSent))
        let other = state.complete(state.number + 1, failing: failing)
        #expect(!other.isSent)
      }
    }
  }

  @Test func aCompletionBeforeTheSubscriptionTraps() async {
    await #expect(processExitsWith: .failure) {
      var state = SwitchToLatestState()
      _ = state.begin()
      _ = state.complete(1, failing: false)
    }
  }

  @Test func theEndOfTheOuter() {
    forEachState { latest, outer, state, subscription in
      var other = state
      let isOver = latest == .none || latest == .over || (latest == .running && outer == .failed)
      #expect(state.finishOuter() == isOver)
      #expect(state.hasSentCompletion == (isOver || outer == .failed))
      let cancelled = other.failOuter()
      #expect(same(cancelled, latest == .running && outer != .failed ? subscription : nil))
      #expect(other.hasSentCompletion)
      let next = other.begin()
      #expect(next == nil)
    }
  }

  @Test func takingTheSubscription() {
    forEachState { latest, outer, state, subscription in
      let taken = [state.take(), state.take()]
      #expect(same(taken[0], latest == .running && outer != .failed ? subscription : nil))
      #expect(taken[1] == nil)
    }
  }
}

private func same(_ first: (any Subscription)?, _ second: TestSubscription?) -> Bool {
  (first as? TestSubscription) === second
}
