import Testing

@testable import StreamsExtras

@Suite struct BackoffTests {
  private func waits(_ backoff: Backoff, chance: Double = 0) -> [Int] {
    (0..<6).map { backoff.nanoseconds(before: $0, chance: chance) }
  }

  @Test func growsByItsFactorUpToTheLongest() {
    #expect(waits(Backoff(delay: .nanoseconds(10))) == [10, 20, 40, 80, 160, 320])
    let bounded = Backoff(delay: .nanoseconds(10), longestDelay: .nanoseconds(50))
    #expect(waits(bounded) == [10, 20, 40, 50, 50, 50])
    #expect(waits(Backoff(delay: .nanoseconds(10), factor: 1)) == [10, 10, 10, 10, 10, 10])
    #expect(waits(Backoff(delay: .nanoseconds(8), factor: 0.5)).prefix(4) == [8, 4, 2, 1])
    #expect(waits(Backoff(delay: .zero)) == [0, 0, 0, 0, 0, 0])
  }

  @Test func jitterShortens() {
    let backoff = Backoff(delay: .nanoseconds(100), factor: 1, jitter: 0.5)
    #expect(backoff.nanoseconds(before: 0, chance: 0) == 100)
    #expect(backoff.nanoseconds(before: 0, chance: 0.5) == 75)
    #expect(backoff.nanoseconds(before: 0, chance: 1) == 50)
  }

  @Test func staysWithinWhatThereIs() {
    let long = Backoff(delay: .seconds(1), factor: 1e300, longestDelay: .seconds(Int64.max))
    #expect(long.nanoseconds(before: 0, chance: 0) == 1_000_000_000)
    #expect(long.nanoseconds(before: 1, chance: 0) == .max)
    #expect(Backoff(delay: .seconds(1)).nanoseconds(before: .max, chance: 0) == 3_600_000_000_000)
    #expect(Backoff(delay: .zero, factor: 2).nanoseconds(before: .max, chance: 0) == 0)
  }
}
