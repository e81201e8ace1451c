import Testing

@testable import StreamsTesting

@Suite struct LockedTests {
  private let locked = Locked(0)

  @Test func countsOnManyThreads() {
    func add() { locked.withLock { $0 += 1 } }
    race(rounds: 5000, add, add, add)
    #expect(locked.withLock { $0 } == 15_000)
  }

  @Test func isFreeAfterAnError() {
    #expect(throws: TestFailure()) {
      try locked.withLock { value in
        value = 1
        throw TestFailure()
      }
    }
    #expect(locked.withLock { $0 } == 1)
  }
}
