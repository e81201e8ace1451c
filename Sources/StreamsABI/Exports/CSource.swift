import CStreams
import Streams
import StreamsCallbacks

/// A source written in C; `destroy` follows when the publisher is gone and every subscription closed.
final class SourceCallbacks {
  let callbacks: streams_source

  init(_ callbacks: streams_source) { self.callbacks = callbacks }

  deinit { UserCallback.releasing { callbacks.destroy?(callbacks.context) } }
}

/// A cold publisher of a source written in C.
struct CSource: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  let source: SourceCallbacks

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    let emitter = Emitter(subscriber: subscriber)
    var state = source.callbacks.context
    if let open = source.callbacks.open {
      state = nil
      if let failure = lend(emitter, { open(source.callbacks.context, $0, &state) }) {
        _ = emitter.send(completion: .failure(failure))
        return emitter.start(Emitter.Source(produce: { _, _ in nil }, close: {}))
      }
    }
    emitter.start(producing(from: state))
  }

  private func producing(from state: UnsafeMutableRawPointer?) -> Emitter<Value, StreamError>.Source {
    Emitter.Source(
      produce: { [source] emitter, demand in
        lend(emitter) { source.callbacks.produce(state, $0, demand.c) }
      },
      close: { [source] in UserCallback.releasing { source.callbacks.close?(state) } })
  }

  /// Calls back with the emitter. Returns the failure, if there is one.
  private func lend(
    _ emitter: Emitter<Value, StreamError>, _ callback: (OpaquePointer) -> streams_status
  ) -> StreamError? {
    do throws(StreamError) {
      try Call("streams_publisher_create").lending(EmitterObject(emitter), Kind.emitter, to: callback)
      return nil
    } catch {
      return error
    }
  }
}

@_cdecl("streams_publisher_create") @implementation
public func streams_publisher_create(_ source: UnsafePointer<streams_source>!) -> OpaquePointer! {
  let call = Call("streams_publisher_create")
  guard
    let callbacks = call.options(
      source, "source", minimum: MemoryLayout<streams_source>.size, empty: streams_source())
  else { return nil }
  let object = SourceCallbacks(callbacks)
  guard callbacks.produce != nil else { return call.null(STREAMS_NULL_ARGUMENT, "source has no produce") }
  return call.publish(CSource(source: object))
}
