import StreamsShims

/// A namespace for types that act as publishers.
///
/// Operators return these types. Programs call the operator and seldom name the type.
public enum Publishers {}

/// A type that delivers a sequence of values over time to its subscribers.
///
/// A publisher sends a subscriber one subscription, then at most as many values as were requested through it,
/// then at most one completion: it finishes or it fails. After the subscriber has cancelled, the signals
/// stop.
///
/// Signals to one subscriber never overlap, but they may come on different threads. Unless its documentation
/// says otherwise, an operator works on the thread on which its upstream sends.
///
/// A new publisher is usually composed of others, or of a subject. One that is written by hand implements
/// ``receive(subscriber:)`` and sends the subscriber a subscription that keeps count of the demand.
public protocol Publisher<Output, Failure> {
  /// The kind of values this publisher sends.
  associatedtype Output
  /// The kind of error this publisher may fail with; `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches `subscriber`. Call `subscribe(_:)` instead of this method.
  ///
  /// An implementation sends the subscriber a subscription, now or later, and values only once they are
  /// requested through it.
  func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input
}

extension Publisher {
  /// Attaches `subscriber` to this publisher.
  ///
  /// The subscriber gets a subscription and decides on the demand. Publishers that have something to send may
  /// send it before this method returns.
  ///
  ///     let subscriber = AnySubscriber<Int, Never>(receiveSubscription: { $0.request(.max(1)) })
  ///     [1, 2, 3].publisher.subscribe(subscriber)
  @inlinable
  public func subscribe<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
    BatchProgress.deliverGatheredIfAny()
    if streams_is_introspected() {
      subscribeIntrospected(subscriber)
    } else {
      receive(subscriber: subscriber)
    }
  }
}
