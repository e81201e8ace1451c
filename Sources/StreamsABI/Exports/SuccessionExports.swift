import CStreams
import Streams

@_cdecl("streams_append") @implementation
public func streams_append(_ publisher: OpaquePointer!, _ other: OpaquePointer!) -> OpaquePointer! {
  Call("streams_append").attach(publisher, other) { $0.append($1) }
}

@_cdecl("streams_prepend") @implementation
public func streams_prepend(_ publisher: OpaquePointer!, _ other: OpaquePointer!) -> OpaquePointer! {
  Call("streams_prepend").attach(publisher, other) { $0.prepend($1) }
}

// Combine keeps the subscription to the other publisher after that has sent its value.

@_cdecl("streams_drop_until_output") @implementation
public func streams_drop_until_output(
  _ publisher: OpaquePointer!, _ other: OpaquePointer!
) -> OpaquePointer! {
  Call("streams_drop_until_output").attach(publisher, other) {
    $0.drop(untilOutputFrom: $1.prefix(1)).strict()
  }
}

@_cdecl("streams_prefix_until_output") @implementation
public func streams_prefix_until_output(
  _ publisher: OpaquePointer!, _ other: OpaquePointer!
) -> OpaquePointer! {
  Call("streams_prefix_until_output").attach(publisher, other) {
    $0.prefix(untilOutputFrom: $1.prefix(1)).strict()
  }
}
