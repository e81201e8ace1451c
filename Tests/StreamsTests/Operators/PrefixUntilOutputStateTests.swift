import Testing

@testable import Streams

/// Every event in every state.
@Suite struct PrefixUntilOutputStateTests {
  @Test func aFinishWaitsUntilTheUpstreamIsAttached() {
    var state = PrefixUntilOutputState()
    expectEqual(state.attach(), true)
    expectEqual(state.terminate(), true)
    state = PrefixUntilOutputState()
    expectEqual(state.terminate(), false)
    expectEqual(state.attach(), false)
  }
}
