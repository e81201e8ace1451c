/// A publisher that fails as soon as it is subscribed.
///
///     let failing = Fail<Int, URLError>(error: URLError(.timedOut))
public struct Fail<Output, Failure: Error>: Publisher {
  /// The error to fail with.
  public let error: Failure

  /// Makes a publisher that fails with `error`.
  @inlinable
  public init(error: Failure) {
    self.error = error
  }

  /// Makes a publisher of the given type of values that fails with `failure`.
  @inlinable
  public init(outputType: Output.Type, failure: Failure) {
    self.error = failure
  }

  /// Sends `subscriber` a subscription and then the failure.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
