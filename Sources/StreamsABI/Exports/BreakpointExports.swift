import CStreams
import Streams

/// Callbacks of a C program; `destroy` follows when no subscription uses them any more.
private final class Breakpoints {
  let callbacks: streams_breakpoints

  init(_ callbacks: streams_breakpoints) { self.callbacks = callbacks }

  deinit { UserCallback.releasing { callbacks.destroy?(callbacks.context) } }
}

@_cdecl("streams_breakpoint") @implementation
public func streams_breakpoint(
  _ publisher: OpaquePointer!, _ breakpoints: UnsafePointer<streams_breakpoints>!
) -> OpaquePointer! {
  let call = Call("streams_breakpoint")
  return Trampoline.through {
    let options = call.beside(publisher) {
      call.options(
        breakpoints, "breakpoints", minimum: MemoryLayout<streams_breakpoints>.size,
        empty: streams_breakpoints())
    }
    let points = options.map { Breakpoints($0) }
    return call.attach(publisher) { upstream in points.map { upstream.stopping(at: $0) } }
  }
}

@_cdecl("streams_breakpoint_on_error") @implementation
public func streams_breakpoint_on_error(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_breakpoint_on_error").attach(publisher) { $0.breakpointOnError() }
}

@_cdecl("streams_assert_no_failure") @implementation
public func streams_assert_no_failure(
  _ publisher: OpaquePointer!, _ prefix: UnsafePointer<CChar>!
) -> OpaquePointer! {
  let call = Call("streams_assert_no_failure")
  return call.attach(publisher) { upstream -> Publishers.MapError<ValuePublisher, StreamError>? in
    guard let prefix = prefix == nil ? "" : call.text(prefix, "prefix") else { return nil }
    return upstream.mapError { $0.isTooDeep ? $0 : StreamError(unexpected: $0, prefix) }
  }
}

extension ValuePublisher {
  fileprivate func stopping(at points: Breakpoints) -> Publishers.Breakpoint<ValuePublisher> {
    let callbacks = points.callbacks
    return breakpoint(
      receiveSubscription: { _ in
        UserCallback.run { callbacks.on_subscription?(points.callbacks.context) ?? false }
      },
      receiveOutput: callbacks.on_value.map { callback in
        { value in
          withUnsafePointer(to: value) { value in
            UserCallback.run { callback(points.callbacks.context, value.asC) }
          }
        }
      },
      receiveCompletion: callbacks.on_completion.map { callback in
        { completion in
          var stops = false
          Call("streams_breakpoint").lending(completion) { error in
            stops = UserCallback.run { callback(points.callbacks.context, error) }
          }
          return stops
        }
      })
  }
}

extension StreamError {
  /// Replaces an unexpected failure.
  fileprivate convenience init(unexpected error: StreamError, _ prefix: String) {
    self.init(
      code: Int64(STREAMS_ASSERTION_FAILED.rawValue), domain: "streams",
      message: prefix.isEmpty ? "\(error)" : "\(prefix): \(error)", carrying: error.carried)
  }
}
