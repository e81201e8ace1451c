import Streams
import Testing

@testable import StreamsExtras

@Suite struct FanOutStateTests {
  private func release(_ count: Int, _ state: inout FanOutState) -> Subscribers.Demand {
    state.release(count)
    return state.demand()
  }

  @Test func asksForNothingBeforeThereIsASubscription() {
    var state = FanOutState(prefetch: .max(3))
    check(state.demand() == .none)
    check(state.begin() == .max(3))
  }

  @Test func anUpstreamThatSendsWhenItLikesIsAskedForEverythingIfAllStreamsAreDemanded() {
    for prefetch in [nil, .max(3)] as [Subscribers.Demand?] {
      var state = FanOutState(prefetch: prefetch)
      state.change(.nothing, to: .all, of: .outer)
      check(state.begin() == prefetch ?? .max(256))
      check(state.continueAfterRequest() == (prefetch == nil ? .unlimited : .none))
    }
    var limited = FanOutState(prefetch: nil)
    limited.change(.nothing, to: .limited, of: .outer)
    check(limited.begin() == .max(256))
    check(limited.continueAfterRequest() == .none)
    limited.change(.limited, to: .all, of: .outer)
    check(limited.demand() == .unlimited)
  }

  @Test func anUpstreamThatHasItsValuesReadyIsAskedForEverythingIfAllValuesAreDemandedToo() {
    for (inner, expected) in [
      (OutletDemand.all, Subscribers.Demand.unlimited), (.nothing, .unlimited), (.limited, .max(1)),
    ] {
      var state = FanOutState(prefetch: nil)
      state.change(.nothing, to: .all, of: .outer)
      check(state.begin() == .max(256))
      state.receive(1)
      state.change(.nothing, to: inner, of: .inner)
      state.release(1)
      check(state.continueAfterRequest() == expected)
    }
  }

  @Test func whatWasLimitedLastStaysSoUntilEverythingIsDemanded() {
    var state = FanOutState(prefetch: nil)
    state.change(.nothing, to: .all, of: .outer)
    _ = state.begin()
    state.receive(1)
    state.change(.nothing, to: .limited, of: .inner)
    state.change(.limited, to: .nothing, of: .inner)
    #expect(release(1, &state) == .max(1))
    state.change(.nothing, to: .all, of: .inner)
    #expect(release(0, &state) == .unlimited)
  }

  @Test func asksForAsManyAsThereIsRoomFor() {
    var state = FanOutState(prefetch: .max(3))
    check(state.begin() == .max(3))
    #expect(release(0, &state) == .none)
    state.receive(2)
    #expect(release(0, &state) == .none)
    #expect(release(1, &state) == .max(1))
    state.receive(1)
    state.hold(2)
    #expect(release(1, &state) == .none)
    #expect(release(3, &state) == .max(2))
  }

  @Test func asksForEverythingOnce() {
    var state = FanOutState(prefetch: .unlimited)
    check(state.begin() == .unlimited)
    state.receive(5)
    #expect(release(3, &state) == .none)
  }

  @Test func valuesThatWereNotAskedForCountToo() {
    var state = FanOutState(prefetch: .max(1))
    _ = state.begin()
    state.receive(3)
    #expect(release(2, &state) == .none)
    #expect(release(1, &state) == .max(1))
  }

  @Test func itIsOverWithTheLastStreamThatIsLeft() {
    var state = FanOutState(prefetch: .max(1))
    let opened = [state.open(), state.open()]
    let closed = [state.close(.inner), state.close(.outer)]
    let reopened = state.open()
    let last = state.close(.inner)
    #expect(opened == [true, true] && closed == [false, false] && !reopened && last)
  }
}
