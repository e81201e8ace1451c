import CStreams
import Streams

@_cdecl("streams_buffer") @implementation
public func streams_buffer(
  _ publisher: OpaquePointer!, _ size: Int64, _ prefetch: streams_prefetch, _ when_full: streams_when_full
) -> OpaquePointer! {
  let call = Call("streams_buffer")
  return call.attach(publisher) { upstream in
    call.sizeOfBuffer(size).flatMap { size in
      call.strategy(prefetch).flatMap { prefetch in
        call.strategy(when_full).map { upstream.buffer(size: size, prefetch: prefetch, whenFull: $0) }
      }
    }
  }
}

@_cdecl("streams_buffer_or_fail") @implementation
public func streams_buffer_or_fail(
  _ publisher: OpaquePointer!, _ size: Int64, _ prefetch: streams_prefetch,
  _ make_error: streams_make_error_fn!, _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_buffer_or_fail")
  return call.attach(publisher, make_error, "make_error", context, destroy) { upstream, makeError, callback in
    call.sizeOfBuffer(size).flatMap { size in
      call.strategy(prefetch).map { prefetch in
        // Combine's closure must not send to the full buffer. So it returns this error, which the callback's error replaces when
        // the buffer has released everything.
        let isFull = StreamError(status: STREAMS_LIMIT, "a buffer is full")
        return upstream.buffer(size: size, prefetch: prefetch, whenFull: .customError { isFull }).mapError {
          $0 === isFull ? callback.error(makeError) : $0
        }
      }
    }
  }
}

extension Callback {
  /// The error that a callback makes, or else the one that it fails with.
  fileprivate func error(_ function: streams_make_error_fn) -> StreamError {
    made("the error made by a callback", Kind.error) { function($0, $1) }.either
  }
}

extension Call {
  fileprivate func sizeOfBuffer(_ size: Int64) -> Int? { count(size, 1...Int64.max, "size") }

  fileprivate func strategy(_ prefetch: streams_prefetch) -> Publishers.PrefetchStrategy? {
    switch prefetch {
    case STREAMS_PREFETCH_KEEP_FULL: return .keepFull
    case STREAMS_PREFETCH_BY_REQUEST: return .byRequest
    default: return unknown(prefetch.rawValue, "prefetch")
    }
  }

  fileprivate func strategy(_ whenFull: streams_when_full) -> Publishers.BufferingStrategy<StreamError>? {
    switch whenFull {
    case STREAMS_WHEN_FULL_DROP_NEWEST: return .dropNewest
    case STREAMS_WHEN_FULL_DROP_OLDEST: return .dropOldest
    default: return unknown(whenFull.rawValue, "when_full")
    }
  }

  private func unknown<Strategy>(_ number: UInt32, _ argument: StaticString) -> Strategy? {
    _ = fail(STREAMS_INVALID_ARGUMENT, "\(argument) is \(number), which is none of its values")
    return nil
  }
}
