import Streams
import StreamsTesting
import Testing

@Suite struct AllSatisfyTests {
  @Test func behavesAsAReduction() {
    Reduction(name: "AllSatisfy", result: false, resultOfNothing: true, lastNeeded: 3) {
      $0.allSatisfy { $0 < 3 }
    }.check()
    Reduction(name: "AllSatisfy", result: true, resultOfNothing: true) { $0.allSatisfy { $0 < 9 } }.check()
    Reduction(name: "TryAllSatisfy", result: false, resultOfNothing: true, lastNeeded: 3) {
      $0.tryAllSatisfy { $0 < 3 }
    }.check()
    Reduction(name: "TryAllSatisfy", result: true, resultOfNothing: true) {
      $0.tryAllSatisfy { $0 < 9 }
    }.check()
  }

  @Test func aThrownErrorCancelsAndFails() {
    checkFailingStep(name: "TryAllSatisfy") { upstream, check in
      upstream.tryAllSatisfy { value in
        try check(value)
        return true
      }
    }
  }
}
