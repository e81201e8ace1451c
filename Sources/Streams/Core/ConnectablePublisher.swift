/// A publisher that sends nothing until it is connected.
///
/// This lets several subscribers attach before the first value is sent.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins to send. Cancelling the result stops it.
  ///
  /// The result has to be kept: where it is an ``AnyCancellable``, letting it go stops the stream as well.
  /// May be called from any thread.
  func connect() -> any Cancellable

  /// Connects; tells of the connection before it subscribes, where it can: the upstream may send without end before this
  /// returns.
  func _connect(_ begun: (any Cancellable) -> Void) -> any Cancellable
}

extension ConnectablePublisher {
  /// Connects, and tells of nothing before.
  @inlinable
  public func _connect(_ begun: (any Cancellable) -> Void) -> any Cancellable { connect() }
}
