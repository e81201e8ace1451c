import CStreams

@_cdecl("streams_retain") @implementation
public func streams_retain(_ handle: UnsafeRawPointer?) -> streams_status {
  let call = Call("streams_retain")
  guard let token = Token(handle) else { return call.refuse(nil, "handle") }
  switch HandleTable.retain(token) {
  case .made: return STREAMS_OK
  case .refused: return call.refuse(token, "handle")
  case .tooMany: return call.fail(STREAMS_LIMIT, "handle has 2097151 references already")
  }
}

@_cdecl("streams_release") @implementation
public func streams_release(_ handle: UnsafeRawPointer?) -> streams_status {
  Call("streams_release").release(handle)
}

@_cdecl("streams_handle_kind") @implementation
public func streams_handle_kind(_ handle: UnsafeRawPointer?) -> streams_kind {
  guard let token = Token(handle), let slot = HandleTable.acquire(token) else {
    return STREAMS_KIND_NONE
  }
  HandleTable.release(slot)
  return streams_kind(rawValue: UInt32(token.kind))
}

@_cdecl("streams_live_handles") @implementation
public func streams_live_handles() -> Int { HandleTable.liveCount }
