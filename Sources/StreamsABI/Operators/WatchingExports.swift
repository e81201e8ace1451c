import CStreams
import Glibc
import Streams

/// Event handlers written in C; `destroy` follows when no subscription uses them any more.
private final class EventHandlers {
  let callbacks: streams_event_handlers

  init(_ callbacks: streams_event_handlers) { self.callbacks = callbacks }

  deinit { callbacks.destroy?(callbacks.context) }
}

@_cdecl("streams_handle_events") @implementation
public func streams_handle_events(
  _ publisher: OpaquePointer!, _ handlers: UnsafePointer<streams_event_handlers>!
) -> OpaquePointer! {
  let call = Call("streams_handle_events")
  let options = call.options(
    handlers, "handlers", minimum: MemoryLayout<streams_event_handlers>.size, empty: streams_event_handlers())
  let object = call.consume(publisher)
  guard let options else { return nil }
  let events = EventHandlers(options)
  return object.flatMap { call.publish(watching($0.publisher, events)) }
}

private func watching(
  _ upstream: ValuePublisher, _ events: EventHandlers
) -> some Publisher<Value, StreamError> {
  let callbacks = events.callbacks
  let context = callbacks.context
  let call = Call("streams_handle_events")
  return upstream.handleEvents(
    receiveSubscription: callbacks.on_subscription.map { callback in
      { subscription in
        call.lending(SubscriptionObject(watched: subscription), Kind.subscription) { callback(context, $0) }
        withExtendedLifetime(events) {}
      }
    },
    receiveOutput: callbacks.on_value.map { callback in
      { value in
        withUnsafePointer(to: value) { callback(context, $0.asC) }
        withExtendedLifetime(events) {}
      }
    },
    receiveCompletion: callbacks.on_completion.map { callback in
      { completion in
        switch completion {
        case .finished: callback(context, nil)
        case .failure(let error): call.lending(error, Kind.error) { callback(context, $0) }
        }
        withExtendedLifetime(events) {}
      }
    },
    receiveCancel: callbacks.on_cancel.map { callback in
      {
        callback(context)
        withExtendedLifetime(events) {}
      }
    },
    receiveRequest: callbacks.on_request.map { callback in
      { demand in
        callback(context, demand.c)
        withExtendedLifetime(events) {}
      }
    })
}

/// Text for a callback of C's.
private struct CallbackStream: TextOutputStream {
  let write: streams_write_fn
  let callback: Callback

  mutating func write(_ string: String) {
    var string = string
    string.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { write(callback.context, $0.baseAddress, $0.count) }
    }
  }
}

@_cdecl("streams_print") @implementation
public func streams_print(
  _ publisher: OpaquePointer!, _ prefix: UnsafePointer<CChar>!, _ write: streams_write_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_print")
  let callback = Callback(context, destroy)
  return call.attach(publisher) { upstream -> Publishers.Print<ValuePublisher>? in
    guard let prefix = prefix == nil ? "" : call.text(prefix, "prefix") else { return nil }
    return upstream.print(prefix, to: write.map { CallbackStream(write: $0, callback: callback) })
  }
}
