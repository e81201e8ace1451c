extension Result {
  /// A publisher of the success value, or of the failure.
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that sends a result's value and finishes, or fails with its failure.
  ///
  /// The value is sent at the first request for any number of values; a request for none traps. A failure is sent
  /// immediately.
  public struct Publisher: Streams.Publisher {
    /// The value is the one of a success.
    public typealias Output = Success

    /// The result to send.
    public let result: Result<Success, Failure>

    /// Makes a publisher of `result`.
    @inlinable
    public init(_ result: Result<Success, Failure>) {
      self.result = result
    }

    /// Makes a publisher of a value.
    @inlinable
    public init(_ output: Output) {
      self.init(.success(output))
    }

    /// Makes a publisher that fails with `failure`.
    @inlinable
    public init(_ failure: Failure) {
      self.init(.failure(failure))
    }

    /// Attaches `subscriber`, which gets the value when it requests something, or the failure immediately.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
      switch result {
      case .success(let value):
        SingleValueSubscription.give(value, to: subscriber, name: "Once")
      case .failure(let failure):
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(failure))
      }
    }
  }
}

extension Result.Publisher: Equatable where Output: Equatable, Failure: Equatable {}
