import Testing

@testable import Streams
@testable import StreamsExtras

@Suite struct OutletStateTests {
  typealias State = OutletState<Int, TestFailure>

  private func attached(_ demand: Subscribers.Demand = .unlimited) -> State {
    var state = State()
    _ = state.attach(downstream, on: 1)
    state.open()
    _ = state.next(after: .none, isNested: false)
    state.request(demand)
    return state
  }

  private var downstream: Downstream<Int, TestFailure> {
    Downstream(Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in }))
  }

  /// What is next, as text.
  private func next(_ state: inout State, after demand: Subscribers.Demand = .none) -> String {
    switch state.next(after: demand, isNested: false) {
    case .value(let value, _): "\(value)"
    case .completion(let completion, _): "\(completion)"
    case .nothing: "nothing"
    }
  }

  /// What two threads are answered.
  private func enter(_ state: inout State) -> [State.Entry] { [state.enter(on: 1), state.enter(on: 2)] }

  private func send(_ values: [Int], to state: inout State, on thread: UInt32 = 1) -> String {
    values.withUnsafeBufferPointer {
      switch state.send($0, on: thread) {
      case .direct(_, let isNested): isNested ? "nested" : "direct"
      case .stored: "stored"
      case .dropped: "dropped"
      }
    }
  }

  @Test func eachRequestOfEverythingIsPassedOn() {
    var state = attached(.max(1))
    #expect(state.request(.max(1)) == nil)
    #expect(state.request(.unlimited)! == (.limited, .all))
    #expect(state.request(.max(1)) == nil)
    #expect(state.request(.unlimited)! == (.all, .all))
  }

  @Test func valuesGoThroughWhileNothingWaits() {
    var state = attached(.max(3))
    #expect(send([1], to: &state) == "direct")
    #expect(send([2], to: &state) == "nested")
    #expect(send([3], to: &state, on: 2) == "stored")
    #expect(next(&state) == "3")
    #expect(send([4], to: &state) == "stored")
    #expect(next(&state) == "nothing")
    #expect(next(&state, after: .max(1)) == "4")
  }

  @Test func aBatchBeyondTheDemandWaits() {
    var state = attached(.max(2))
    #expect(send([1, 2, 3], to: &state) == "stored")
    #expect(!state.isEmpty)
    #expect((0..<3).map { _ in next(&state) } == ["1", "2", "nothing"])
  }

  @Test func thereIsOneSubscriber() {
    var state = State()
    #expect(send([1], to: &state) == "stored")
    let attached = [state.attach(downstream, on: 1), state.attach(downstream, on: 1)]
    #expect(attached == [true, false])
    state.request(.max(1))
    #expect(enter(&state) == [.refused, .refused])
    state.open()
    #expect(enter(&state) == [.nested, .refused])
    #expect(next(&state) == "1" && next(&state) == "nothing")
    #expect(enter(&state) == [.entered, .refused])
  }

  @Test func theEndComesBehindWhatWaits() {
    var state = attached(.none)
    _ = send([1], to: &state)
    let ended = [state.end(.finished), state.end(.failure(TestFailure()))]
    #expect(ended == [true, false])
    #expect(send([2], to: &state) == "dropped")
    #expect(next(&state) == "nothing")
    #expect(next(&state, after: .max(1)) == "1")
    #expect(next(&state) == "finished" && next(&state) == "nothing")
    let remains = state.close()
    #expect(!remains.wasOpen)
  }

  @Test func closingDropsWhatWaits() {
    var state = attached(.none)
    _ = send([1, 2], to: &state)
    let nothing = state.close(claimed: false)
    let remains = state.close()
    #expect(nothing.waiting.isEmpty)
    #expect(remains.waiting.count == 2 && remains.wasOpen && remains.downstream != nil)
    let isEnded = state.end(.finished)
    #expect(send([3], to: &state) == "dropped" && !isEnded)
    state.request(.max(1))
    #expect(next(&state) == "nothing")
  }

  @Test func whatNobodyHasSubscribedToCanBeAbandoned() {
    var state = State()
    _ = send([1], to: &state)
    let remains = state.close(claimed: false)
    #expect(remains.waiting.count == 1 && remains.wasOpen)
    let isAttached = state.attach(downstream, on: 1)
    #expect(!isAttached)
  }

  @Test func tellsWhatBecomesOfTheDemand() {
    var state = State()
    check(state.request(.max(1)) == nil)
    check(state.attach(downstream, on: 1))
    let first = state.request(.max(1))
    #expect(first?.old == .nothing && first?.new == .limited)
    check(state.request(.max(1)) == nil)
    let second = state.request(.unlimited)
    #expect(second?.old == .limited && second?.new == .all)
    check(state.request(.max(1)) == nil)
    let last = state.forgetDemand()
    #expect(last?.old == .all && last?.new == .nothing)
  }
}
