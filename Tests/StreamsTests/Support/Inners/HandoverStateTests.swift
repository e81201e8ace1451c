import StreamsTesting
import Testing

@testable import Streams

@Suite struct HandoverStateTests {
  private typealias State = HandoverState<Int, TestFailure>

  private func subscribed() -> State {
    var state = State()
    check(state.upstream.subscribe(TestSubscription()))
    return state
  }

  private func receive(_ values: [Int], _ state: inout State) -> Bool? {
    values.withUnsafeBufferPointer { state.receive(contentsOf: $0) }
  }

  @Test func takesNothingBeforeTheSubscription() {
    var state = State()
    check(receive([1], &state) == nil)
    check(!state.receive(completion: .finished))
    check(state.begin() == nil && state.cancel() == nil)
  }

  @Test func oneActionDeliversAllThereIs() {
    var state = subscribed()
    check(receive([1, 2], &state) == true)
    check(receive([3], &state) == false)
    check(state.begin()?.values == [1, 2, 3])
    var room = [0]
    room.removeAll(keepingCapacity: true)
    check(!state.end(leaving: &room))
    check(state.begin() == nil)
    check(receive([4], &state) == true)
  }

  @Test func whatComesDuringADeliveryIsForAnotherAction() {
    var state = subscribed()
    check(receive([1], &state) == true)
    check(state.begin()?.values == [1])
    check(receive([2], &state) == false)
    check(state.begin() == nil)
    var room: [Int] = []
    check(state.end(leaving: &room))
    check(state.begin()?.values == [2])
    check(!state.receive(completion: .finished))
    check(state.end(leaving: &room))
    let load = state.begin()
    check(load?.values == [] && load?.completion == .finished)
  }

  /// Neither the values that come nor those that are delivered need new memory in a burst.
  @Test func keepsTheMemoryOfTwoLoads() {
    var state = subscribed()
    var addresses: Set<UInt> = []
    for round in 0..<6 {
      check(receive(Array(0..<(round == 0 ? 101 : 100)), &state) == (round == 0))
      guard var load = state.begin() else { return check(false) }
      addresses.insert(load.values.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
      check(receive([1], &state) == false)
      load.values.removeAll(keepingCapacity: true)
      check(state.end(leaving: &load.values) && load.values.capacity == 0)
    }
    check(addresses.count == 2)
  }

  @Test func theCompletionComesWithTheValuesBeforeIt() {
    var state = subscribed()
    check(receive([1], &state) == true)
    check(!state.receive(completion: .failure(TestFailure())))
    check(receive([2], &state) == nil && !state.receive(completion: .finished))
    check(state.cancel() == nil)
    let load = state.begin()
    check(load?.values == [1] && load?.completion == .failure(TestFailure()))
    check(state.complete() != nil && state.complete() == nil)
  }

  @Test func cancellingDropsWhatIsThere() {
    var state = subscribed()
    check(receive([1], &state) == true)
    let ended = state.cancel()
    check(ended?.subscription != nil && ended?.dropped.values == [1])
    check(state.begin()?.values == [])
    check(state.cancel() == nil)
    check(receive([2], &state) == nil)
  }
}
