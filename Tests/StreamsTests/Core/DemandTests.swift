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

  @Test func takingTooMuchTraps() async {
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - .max(2) }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(-1) }
  }
}
