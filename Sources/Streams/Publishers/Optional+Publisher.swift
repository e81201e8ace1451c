extension Optional {
  /// A publisher of the wrapped value, or of nothing.
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that sends an optional's value, if it has one, and finishes.
  ///
  /// The value is sent at the first request for any number of values; a request for none traps. Without a value
  /// the publisher finishes immediately.
  public struct Publisher: Streams.Publisher {
    /// The value is the wrapped one.
    public typealias Output = Wrapped
    /// It cannot fail.
    public typealias Failure = Never

    /// The value to send, if any.
    public let output: Wrapped?

    /// Makes a publisher of `output`.
    @inlinable
    public init(_ output: Output?) {
      self.output = output
    }

    /// Attaches `subscriber`, which gets the value, if there is one, when it requests something.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
      if let output {
        SingleValueSubscription.give(output, to: subscriber, name: "Optional")
      } else {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .finished)
      }
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
