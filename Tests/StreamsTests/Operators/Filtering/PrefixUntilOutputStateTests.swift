import Testing

@testable import Streams

/// Every event in every state.
@Suite struct PrefixUntilOutputStateTests {
  @Test func aFinishWaitsUntilTheUpstreamIsAttached() {
    var state = PrefixUntilOutputState()
    expectEqual(state.attach(), true)
    expectEqual(state.terminate(), .afterSubscription)
    state.isAttached()
    expectEqual(state.terminate(), .atOnce)
    state = PrefixUntilOutputState()
    expectEqual(state.terminate(), .later)
    expectEqual(state.attach(), false)
  }
}
