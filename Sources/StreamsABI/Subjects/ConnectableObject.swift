import Streams

/// The connectable publisher behind a handle.
final class ConnectableObject {
  let publisher: ValuePublisher
  let connect: () -> any Cancellable
  let autoconnect: () -> ValuePublisher

  init(_ connectable: some ConnectablePublisher<Value, StreamError>) {
    publisher = connectable.eraseToAnyPublisher()
    connect = { connectable.connect() }
    autoconnect = { connectable.autoconnect().eraseToAnyPublisher() }
  }
}
