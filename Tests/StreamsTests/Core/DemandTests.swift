import Streams
import Testing

@Suite struct DemandTests {
  @Test func sumsSaturate() {
    #expect(Subscribers.Demand.max(100) + .max(42) == .max(142))
    #expect(Subscribers.Demand.max(Int.max) + .max(1) == .unlimited)
    #expect(Subscribers.Demand.unlimited + .unlimited == .unlimited)
    #expect(Subscribers.Demand.max(Int.max) + 10 == .unlimited)
  }

  @Test func differencesKeepUnlimited() {
    #expect(Subscribers.Demand.unlimited - .max(5) == .unlimited)
    #expect(Subscribers.Demand.max(5) - .unlimited == .none)
    #expect(Subscribers.Demand.max(Int.max) - (-1) == .none)
    #expect(Subscribers.Demand.max(1) + (-1) == .none)
  }

  @Test func comparesWithDemandsAndNumbers() {
    let demand = Subscribers.Demand.max(3)
    #expect(demand < .max(4) && demand <= .max(3) && demand > .none && demand >= .max(3))
    #expect(demand < 4 && demand <= 3 && demand > -1 && demand >= 3 && demand == 3 && demand != 4)
    #expect(2 < demand && 3 <= demand && 4 > demand && 3 >= demand && 3 == demand && 4 != demand)
    #expect(!(demand < -1) && !(demand == -1) && demand >= -1 && -1 <= demand && !(-1 > demand))
    #expect(.unlimited > demand && !(.unlimited <= demand) && demand < .unlimited)
  }

  // Compiles only with operators of the type's own.
  @Test func comparesImplicitMembers() {
    let isOrdered = .max(4) <= .unlimited && .unlimited >= .max(4) && .unlimited > .max(4)
    #expect(isOrdered)
  }

  @Test func takingTooMuchTraps() async {
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - .max(2) }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(-1) }
  }
}
