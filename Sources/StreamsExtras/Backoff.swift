/// How often to retry a stream that fails, and how long to wait before each retry.
///
/// The first retry comes after `delay`. Each further wait is `factor` times the one before, but at most `longestDelay`.
///
///     Backoff(retries: 5, delay: .seconds(1))               // after 1, 2, 4, 8 and 16 seconds
///     Backoff(delay: .seconds(1), factor: 1, jitter: 0.5)   // for ever, after 0.5 to 1 second each
public struct Backoff: Hashable, Sendable {
  /// The greatest number of retries.
  public var retries: Int
  /// The wait before the first retry.
  public var delay: Duration
  /// The ratio of each wait to the one before.
  public var factor: Double
  /// The longest wait.
  public var longestDelay: Duration
  /// The share of each wait that is random, from 0 to 1. It keeps streams that failed together from retrying together.
  public var jitter: Double

  /// Makes a plan. Traps if a delay or the number of retries is negative, the factor is not positive, or the jitter is
  /// not from 0 to 1.
  public init(
    retries: Int = .max, delay: Duration, factor: Double = 2, longestDelay: Duration = .seconds(3600),
    jitter: Double = 0
  ) {
    precondition(retries >= 0 && delay >= .zero && longestDelay >= .zero, "a negative part of a backoff")
    precondition(factor > 0 && factor.isFinite, "a factor that makes no delay")
    precondition((0...1).contains(jitter), "a jitter that is not from 0 to 1")
    self.retries = retries
    self.delay = delay
    self.factor = factor
    self.longestDelay = longestDelay
    self.jitter = jitter
  }

  /// The wait before a retry in nanoseconds; the first retry is number 0. `chance` is from 0 to 1.
  package func nanoseconds(before retry: Int, chance: Double) -> Int {
    let longest = longestDelay.nanoseconds
    // The power may be infinite: then the wait is the longest, except that a delay of 0 stays 0.
    let delay = delay.nanoseconds
    let grown = delay == 0 ? 0 : Swift.min(delay * Self.power(factor, retry), longest)
    let wait = grown * (1 - jitter * chance)
    return Int(exactly: wait.rounded()) ?? .max
  }

  private static func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, left) = (1.0, base, exponent)
    while left > 0 {
      if left & 1 == 1 { result *= square }
      square *= square
      left >>= 1
    }
    return result
  }
}

extension Duration {
  /// In floating point, which is exact for about a hundred days.
  fileprivate var nanoseconds: Double {
    Double(components.seconds) * 1e9 + Double(components.attoseconds / 1_000_000_000)
  }
}
