import Streams
import StreamsTesting
import Testing

@Suite struct ContainsTests {
  @Test func behavesAsAReduction() {
    Reduction(name: "Contains", result: true, resultOfNothing: false, lastNeeded: 3) { $0.contains(3) }
      .check()
    Reduction(name: "Contains", result: false, resultOfNothing: false) { $0.contains(9) }.check()
    Reduction(name: "ContainsWhere", result: true, resultOfNothing: false, lastNeeded: 3) {
      $0.contains { $0 > 2 }
    }.check()
    Reduction(name: "ContainsWhere", result: false, resultOfNothing: false) { $0.contains { $0 > 9 } }.check()
    Reduction(name: "TryContainsWhere", result: true, resultOfNothing: false, lastNeeded: 3) {
      $0.tryContains { $0 > 2 }
    }.check()
    Reduction(name: "TryContainsWhere", result: false, resultOfNothing: false) {
      $0.tryContains { $0 > 9 }
    }.check()
  }

  @Test func aThrownErrorCancelsAndFails() {
    checkFailingStep(name: "TryContainsWhere") { upstream, check in
      upstream.tryContains { value in
        try check(value)
        return false
      }
    }
  }

  @Test func theRestOfABatchIsNotLookedAt() {
    var seen: [Int] = []
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<Bool, Never>()
    upstream.contains { value in
      seen.append(value)
      return value == 2
    }.subscribe(recorder)
    upstream.send(batch: [1, 2, 3, 4])
    #expect(seen == [1, 2])
    #expect(recorder.events.map { "\($0)" } == ["subscription(ContainsWhere)", "value(true)", "finished"])
  }

  @Test func equalsByUpstreamAndValue() {
    #expect(Empty<Int, Never>().contains(1) == Empty<Int, Never>().contains(1))
    #expect(Empty<Int, Never>().contains(1) != Empty<Int, Never>().contains(2))
  }
}
