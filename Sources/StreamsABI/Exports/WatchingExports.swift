import CStreams
import Streams

@_cdecl("streams_handle_events") @implementation
public func streams_handle_events(
  _ publisher: OpaquePointer!, _ handlers: UnsafePointer<streams_event_handlers>!
) -> OpaquePointer! {
  let call = Call("streams_handle_events")
  return Trampoline.through {
    let options = call.beside(publisher) {
      call.options(
        handlers, "handlers", minimum: MemoryLayout<streams_event_handlers>.size,
        empty: streams_event_handlers())
    }
    let events = options.map { EventHandlers($0) }
    return call.attach(publisher) { upstream in events.map { Watching(upstream: upstream, events: $0) } }
  }
}

/// Passes text to a C callback.
private struct CallbackStream: TextOutputStream {
  let write: streams_write_fn
  let callback: Callback

  func write(_ string: String) { callback.write(string, write) }
}

@_cdecl("streams_print") @implementation
public func streams_print(
  _ publisher: OpaquePointer!, _ prefix: UnsafePointer<CChar>!, _ write: streams_write_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_print")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    return call.attach(publisher) { upstream -> Publishers.Print<ValuePublisher>? in
      guard let prefix = prefix == nil ? "" : call.text(prefix, "prefix") else { return nil }
      return upstream.print(prefix, to: write.map { CallbackStream(write: $0, callback: callback) })
    }
  }
}
