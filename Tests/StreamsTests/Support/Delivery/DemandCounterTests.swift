import Testing

@testable import Streams

@Suite struct DemandCounterTests {
  /// Expectations copy what they look into, which a counter does not allow.
  private final class Shared {
    let demand = DemandCounter()

    func take(upTo count: Int) -> Int { demand.take(upTo: count) }
    func add(_ more: Subscribers.Demand) -> Subscribers.Demand { demand.add(more) }
    var currentDemand: Subscribers.Demand { demand.current }
    var isUnlimited: Bool { demand.isUnlimited }
    var hasAny: Bool { demand.hasAnySequentially }
  }

  @Test func takesWhatThereIs() {
    let shared = Shared()
    #expect(shared.take(upTo: 3) == 0)
    #expect(shared.add(.max(2)) == .none)
    #expect(shared.take(upTo: 3) == 2)
    #expect(shared.add(.unlimited) == .none)
    #expect(shared.add(.max(1)) == .unlimited)
    #expect(shared.take(upTo: 3) == 3)
    #expect(shared.currentDemand == .unlimited)
  }

  @Test func countsUnderContention() {
    let shared = Shared()
    var taken = 0
    race(
      rounds: 20_000, { _ = shared.add(.max(1)) }, { _ = shared.add(.max(2)) },
      { taken += shared.take(upTo: 5) })
    #expect(shared.currentDemand == .max(60_000 - taken))
  }

  @Test func knowsWhetherThereIsAny() {
    let shared = Shared()
    #expect(!shared.hasAny && !shared.isUnlimited)
    #expect(shared.add(.none) == .none)
    #expect(!shared.hasAny)
    #expect(shared.add(.max(1)) == .none)
    #expect(shared.hasAny && !shared.isUnlimited)
    #expect(shared.take(upTo: 0) == 0)
    #expect(shared.take(upTo: 1) == 1)
    #expect(!shared.hasAny)
    #expect(shared.add(.unlimited) == .none)
    #expect(shared.hasAny && shared.isUnlimited)
  }

  @Test func demandBeyondTheRangeIsUnlimited() {
    let shared = Shared()
    #expect(shared.add(.max(.max)) == .none)
    #expect(shared.add(.max(1)) == .max(.max))
    #expect(shared.isUnlimited)
  }
}
