import Streams
import StreamsTesting
import Testing

@Suite struct CountTests {
  @Test func behavesAsAReduction() {
    Reduction(name: "Count", result: 5, resultOfNothing: 0) { $0.count() }.check()
  }

  @Test func equalsByUpstream() {
    #expect(Empty<Int, Never>().count() == Empty<Int, Never>().count())
    #expect(Empty<Int, Never>().count() != Empty<Int, Never>(completeImmediately: false).count())
  }
}
