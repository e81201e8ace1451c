import CStreams
import Glibc
import Streams
import StreamsShims

@_cdecl("streams_warn_about_drops") @implementation
public func streams_warn_about_drops(_ is_on: Bool) {
  Trace.settle()
  streams_set_tracing(Int(STREAMS_TRACE_DROPS), is_on)
}

@_cdecl("streams_watch_streams") @implementation
public func streams_watch_streams(_ is_on: Bool) {
  Trace.settle()
  streams_set_tracing(Int(STREAMS_TRACE_LIST), is_on)
}

@_cdecl("streams_trace_to_file") @implementation
public func streams_trace_to_file(_ path: UnsafePointer<CChar>!) -> streams_status {
  let call = Call("streams_trace_to_file")
  Trace.settle()
  let error = streams_open_trace(path)
  return error == 0
    ? STREAMS_OK
    : call.fail(STREAMS_INVALID_ARGUMENT, "path cannot be written: \(String(cString: strerror(error)))")
}

@_cdecl("streams_live_streams") @implementation
public func streams_live_streams(
  _ buffer: UnsafeMutablePointer<CChar>!, _ capacity: Int, _ needed: UnsafeMutablePointer<Int>!
) -> streams_status {
  let call = Call("streams_live_streams")
  return call.fill(buffer, capacity, needed) { write in
    guard let text = streams_list_watched() else {
      return call.fail(STREAMS_OUT_OF_MEMORY, "there is no memory for the list")
    }
    write(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    free(text)
    return STREAMS_OK
  }
}

@_cdecl("streams_label") @implementation
public func streams_label(
  _ handle: UnsafeRawPointer?, _ label: UnsafePointer<CChar>!, _ place: UnsafePointer<CChar>!
) -> streams_status {
  let call = Call("streams_label")
  let object =
    switch streams_handle_kind(handle) {
    case STREAMS_KIND_SUBJECT: call.object(OpaquePointer(handle), "handle", Kind.subject)?.publisher
    case STREAMS_KIND_CONNECTABLE: call.object(OpaquePointer(handle), "handle", Kind.connectable)?.publisher
    default: call.object(OpaquePointer(handle), "handle", Kind.publisher)
    }
  guard let object else { return streams_last_status() }
  let name = label == nil ? nil : call.copy(label, "label")
  guard label == nil || name != nil else { return streams_last_status() }
  let line = place == nil ? nil : call.copy(place, "place")
  guard place == nil || line != nil else {
    free(name)
    return streams_last_status()
  }
  streams_watch_label(object.watched, name, line)
  return STREAMS_OK
}
