import Streams
import StreamsTesting
import Testing

@Suite struct LastTests {
  @Test func behavesAsAReduction() {
    Reduction(name: "Last", result: 5, resultOfNothing: nil) { $0.last() }.check()
    Reduction(name: "LastWhere", result: 2, resultOfNothing: nil) { $0.last { $0 < 3 } }.check()
    Reduction(name: "LastWhere", result: nil, resultOfNothing: nil) { $0.last { $0 > 9 } }.check()
    Reduction(name: "TryLastWhere", result: 2, resultOfNothing: nil) { $0.tryLast { $0 < 3 } }.check()
    Reduction(name: "TryLastWhere", result: nil, resultOfNothing: nil) { $0.tryLast { $0 > 9 } }.check()
  }

  @Test func aThrownErrorCancelsAndFails() {
    checkFailingStep(name: "TryLastWhere") { upstream, check in
      upstream.tryLast { value in
        try check(value)
        return true
      }
    }
  }

  @Test func equalsByUpstream() {
    #expect(Empty<Int, Never>().last() == Empty<Int, Never>().last())
    #expect(Empty<Int, Never>().last() != Empty<Int, Never>(completeImmediately: false).last())
  }
}
