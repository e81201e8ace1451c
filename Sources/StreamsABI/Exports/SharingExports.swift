import CStreams
import Streams
import StreamsExtras

// A subject may feed itself, or others that feed it: so its upstream checks the stack.

@_cdecl("streams_share") @implementation
public func streams_share(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_share").attach(publisher) { StackChecked($0).share() }
}

@_cdecl("streams_share_replay") @implementation
public func streams_share_replay(_ publisher: OpaquePointer!, _ buffer_size: UInt64) -> OpaquePointer! {
  Call("streams_share_replay").attach(publisher) { StackChecked($0).share(replay: replayed(buffer_size)) }
}

@_cdecl("streams_make_connectable") @implementation
public func streams_make_connectable(_ publisher: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_make_connectable")
  return call.connectable(publisher) {
    ConnectableObject(
      Publishers.MakeConnectable(upstream: StackChecked($0.publisher)), by: call.function, of: $0)
  }
}

@_cdecl("streams_multicast") @implementation
public func streams_multicast(_ publisher: OpaquePointer!, _ subject: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_multicast")
  return call.connectable(publisher) { upstream in
    call.object(subject, "subject", Kind.subject).map { $0.multicast(upstream, call.function) }
  }
}

@_cdecl("streams_connectable_publisher") @implementation
public func streams_connectable_publisher(_ connectable: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_connectable_publisher")
  return call.object(connectable, "connectable", Kind.connectable)
    .flatMap { call.handle($0.publisher, Kind.publisher) }
}

@_cdecl("streams_connect") @implementation
public func streams_connect(_ connectable: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_connect")
  guard let connectable = call.object(connectable, "connectable", Kind.connectable), call.hasStack
  else { return nil }
  return Trampoline.through {
    call.handle(WrappedCancellable { connectable.connect() })
  }
}

@_cdecl("streams_autoconnect") @implementation
public func streams_autoconnect(_ connectable: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_autoconnect")
  return Trampoline.through {
    call.consuming(connectable, "connectable", Kind.connectable) { connectable in
      connectable.flatMap { call.publish($0.autoconnect(), of: $0.publisher) }
    }
  }
}

extension Call {
  /// Consumes a publisher and makes a handle of the connectable that `make` makes of it.
  fileprivate func connectable(
    _ publisher: OpaquePointer?, _ make: (PublisherObject) -> ConnectableObject?
  ) -> OpaquePointer? {
    Trampoline.through {
      consuming(publisher) { upstream in
        upstream.flatMap(make).flatMap { handle($0, Kind.connectable) }
      }
    }
  }
}
