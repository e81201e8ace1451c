/// A publisher that sends nothing until it is connected.
///
/// This lets several subscribers attach before the first value is sent.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins to send. Cancelling the result stops it.
  ///
  /// Keep the result: where it is an ``AnyCancellable``, releasing it stops the stream as well. May be called from any
  /// thread.
  func connect() -> any Cancellable

  /// Connects. Where it can, it passes the connection to `begun` before it subscribes: the upstream may send without
  /// end before this returns.
  func _connect(_ begun: (any Cancellable) -> Void) -> any Cancellable
}

extension ConnectablePublisher {
  /// Connects without calling `begun`.
  @inlinable
  public func _connect(_ begun: (any Cancellable) -> Void) -> any Cancellable { connect() }
}
