public import Streams

extension Publisher where Output: AdditiveArithmetic {
  /// Sends the sum of all values, once the stream finishes; zero if there were none.
  ///
  /// All values are requested immediately. A sum that overflows its type traps, as it does without streams. Failure and
  /// cancellation pass through.
  ///
  ///     let cancellable = [1, 2, 3].publisher.sum().sink { print($0) }
  ///     // 6
  public func sum() -> Publishers.Reduce<Self, Output> {
    Publishers.Reduce(upstream: self, initial: .zero) { $0 + $1 }
  }
}
