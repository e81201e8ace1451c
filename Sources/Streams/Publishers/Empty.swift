/// A publisher that sends no values, and finishes either immediately or never.
///
/// It finishes even if the subscriber cancels while it receives the subscription.
///
///     let nothing = Empty<Int, Never>()
///     let never = Empty<Int, Never>(completeImmediately: false)
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
  /// Whether the publisher finishes as soon as it is subscribed.
  public let completeImmediately: Bool

  /// Makes an empty publisher.
  @inlinable
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Makes an empty publisher of the given types.
  @inlinable
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  /// Sends `subscriber` a subscription, and finishes if ``completeImmediately`` is true.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}
