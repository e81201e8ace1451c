import Testing

@testable import StreamsTesting

@Suite struct GuardedTests {
  private let guarded = Guarded(0)

  @Test func countsOnManyThreads() {
    func add() { guarded.withLock { $0 += 1 } }
    race(rounds: 5000, add, add, add)
    #expect(guarded.withLock { $0 } == 15_000)
  }

  @Test func isFreeAfterAnError() {
    #expect(throws: TestFailure()) {
      try guarded.withLock { value in
        value = 1
        throw TestFailure()
      }
    }
    #expect(guarded.withLock { $0 } == 1)
  }
}
