import StreamsTesting
import Testing

@testable import Streams

@Suite struct DelayStateTests {
  private var state = DelayState<Int, TestFailure>()

  init() { check(state.upstream.subscribe(TestSubscription())) }

  /// What a timer that comes now delivers, as text, and when the next one is to come.
  private mutating func deliver(at now: Int) -> (texts: [String], next: Int?)? {
    guard let (limit, next) = state.begin(at: now) else { return nil }
    return (take(upTo: limit), next?.time)
  }

  private mutating func take(upTo limit: Int) -> [String] {
    var texts: [String] = []
    while let (signal, released, isLast) = state.next(upTo: limit) {
      switch signal {
      case .value(let value): texts.append("\(value)")
      case .completion(.finished): texts.append("finished" + (released == nil ? "" : ", released"))
      case .completion(.failure): texts.append("failed" + (released == nil ? "" : ", released"))
      }
      if isLast { break }
    }
    return texts
  }

  @Test mutating func takesNothingBeforeTheSubscription() {
    state = DelayState()
    check(state.receive(1, until: 10).timer == nil && state.receive(completion: .finished, until: 10) == nil)
    check(deliver(at: 10) == nil)
  }

  @Test mutating func oneTimerDeliversAllThatIsDue() {
    check(state.receive(1, until: 10).timer == 1)
    let next = state.receive(2, until: 11)
    check(next.isTaken && next.timer == nil)
    check(state.receive(3, until: 20).timer == nil)
    check(state.receive(completion: .failure(TestFailure()), until: 21) == nil)
    check(!state.receive(4, until: 22).isTaken)
    let first = deliver(at: 12)
    check(first?.texts == ["1", "2"] && first?.next == 20)
    let second = deliver(at: 30)
    check(second?.texts == ["3", "failed, released"] && second?.next == nil)
    check(!state.upstream.isOpen && deliver(at: 40) == nil)
  }

  @Test mutating func whatATimerIsSetForIsDueWhateverTheClockSays() {
    check(state.receive(1, until: 10).timer == 1)
    check(state.receive(2, until: 11).timer == nil)
    let first = deliver(at: 5)
    check(first?.texts == ["1"] && first?.next == 11)
  }

  @Test mutating func theClockIsLookedAtWhereMoreMayBeDue() {
    check(!state.mayHaveMoreDue)
    check(state.receive(1, until: 10).timer == 1 && !state.mayHaveMoreDue)
    check(state.receive(2, until: 1_000_010).timer == nil && !state.mayHaveMoreDue)
    check(state.begin(at: nil)?.next?.time == 1_000_010 && take(upTo: 1) == ["1"])
    check(state.receive(3, until: 1_000_011).timer == nil && state.mayHaveMoreDue)
    check(deliver(at: 1_000_011)?.texts == ["2", "3"])
  }

  @Test mutating func whatComesDuringADeliveryWaitsForAnotherTimer() {
    check(state.receive(1, until: 10).timer == 1)
    let limit = state.begin(at: 10)?.limit
    check(state.receive(2, until: 10).timer == 2)
    check(limit.map { take(upTo: $0) } == ["1"])
    check(deliver(at: 10)?.texts == ["2"])
  }

  /// The inner one delivers what the outer one has not yet, and the outer one nothing that is not due.
  @Test mutating func anotherTimersDeliveriesMayComeInBetween() {
    for value in 1...4 { check((state.receive(value, until: value / 3 * 10).timer == nil) == (value > 1)) }
    let outer = state.begin(at: 5)
    check(outer?.limit == 2 && outer?.next?.time == 10)
    let inner = deliver(at: 10)
    check(inner?.texts == ["1", "2", "3", "4"] && inner?.next == nil)
    check(state.receive(5, until: 20).timer != nil)
    check(outer.map { take(upTo: $0.limit) } == [])
    check(deliver(at: 20)?.texts == ["5"])
  }

  @Test(arguments: [false, true]) mutating func aCancellationTakesEverythingOut(_ isCompleting: Bool) {
    check(state.receive(1, until: 10).timer == 1)
    check(state.deadline.keep(7, number: 1))
    if isCompleting { check(state.receive(completion: .finished, until: 11) == nil) }
    let ended = state.cancel()
    check(ended.subscription != nil && ended.timer == 7)
    check(ended.dropped.count == (isCompleting ? 2 : 1))
    check(deliver(at: 20) == nil)
    check(state.receive(2, until: 30).timer == nil && state.receive(completion: .finished, until: 30) == nil)
    check(state.cancel().subscription == nil)
  }
}
