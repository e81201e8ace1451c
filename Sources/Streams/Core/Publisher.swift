import StreamsShims

/// A namespace for types that act as publishers.
public enum Publishers {}

/// A type that delivers a sequence of values over time to its subscribers.
///
/// A publisher sends a subscriber one subscription, then at most as many values as were requested through it,
/// then at most one completion.
public protocol Publisher<Output, Failure> {
  /// The kind of values this publisher sends.
  associatedtype Output
  /// The kind of error this publisher may fail with; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches `subscriber`. Call ``subscribe(_:)-(Subscriber)`` instead of this method.
  func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input
}

extension Publisher {
  /// Attaches `subscriber` to this publisher.
  @inlinable
  public func subscribe<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
    if streams_is_introspected() {
      subscribeIntrospected(subscriber)
    } else {
      receive(subscriber: subscriber)
    }
  }
}
