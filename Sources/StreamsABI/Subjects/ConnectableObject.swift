import CStreams
import Streams

/// The connectable publisher behind a handle.
final class ConnectableObject {
  let publisher: PublisherObject
  let connect: () -> any Cancellable
  let autoconnect: () -> ValuePublisher

  init(
    _ connectable: some ConnectablePublisher<Value, StreamError>, by function: StaticString,
    of upstream: PublisherObject
  ) {
    let object = PublisherObject(connectable.eraseToAnyPublisher(), by: function, of: upstream)
    publisher = Trace.isOff ? object : Trace.tracking(object)
    connect = { connectable.connect() }
    autoconnect = { connectable.autoconnect().eraseToAnyPublisher() }
  }
}

extension Kind {
  static let connectable = HandleKind<ConnectableObject>(STREAMS_KIND_CONNECTABLE)
}
