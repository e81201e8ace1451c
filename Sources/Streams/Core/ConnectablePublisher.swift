/// A publisher that sends nothing until it is connected.
///
/// This lets several subscribers attach before the first value is sent.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins to send. Cancelling the result stops it.
  func connect() -> any Cancellable
}
