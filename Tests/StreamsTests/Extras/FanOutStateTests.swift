import Streams
import Testing

@testable import StreamsExtras

@Suite struct FanOutStateTests {
  private func release(_ count: Int, _ state: inout FanOutState) -> Subscribers.Demand {
    state.release(count)
    return state.demand()
  }

  @Test func asksForAsManyAsThereIsRoomFor() {
    var state = FanOutState(prefetch: .max(3))
    #expect(release(0, &state) == .max(3))
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
    #expect(release(0, &state) == .unlimited)
    state.receive(5)
    #expect(release(3, &state) == .none)
  }

  @Test func valuesThatWereNotAskedForCountToo() {
    var state = FanOutState(prefetch: .max(1))
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
