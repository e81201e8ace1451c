import CStreams
import Streams

/// The host functions that are an operator, as the context of a C operator.
private final class HostOperator {
  let host: Host
  let open: Callable
  let onValue: Callable
  let onCompletion: Callable
  let close: Callable

  init(_ functions: [Callable]) {
    host = functions[0].host
    (open, onValue, onCompletion, close) = (functions[0], functions[1], functions[2], functions[3])
  }

  func begin(
    _ emitter: OpaquePointer?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> streams_status {
    host.enteredToCall {
      guard let object = open.call(number: Int64(Int(bitPattern: emitter))) else {
        return STREAMS_CALLBACK_FAILED
      }
      state.pointee = Unmanaged.passRetained(OperatorSubscription(self, object)).toOpaque()
      return STREAMS_OK
    }
  }
}

/// One subscription to an operator: what its `open` returned, as the state of a C operator.
private final class OperatorSubscription {
  private let own: HostOperator
  private let object: UnsafeMutableRawPointer

  /// Takes over a reference to the object.
  init(_ own: HostOperator, _ object: UnsafeMutableRawPointer) {
    self.own = own
    self.object = object
  }

  deinit { own.host.letGo(object) }

  func receive(_ value: UnsafePointer<Value>) -> streams_status {
    call(own.onValue) { () throws(ConversionFailure) in try own.host.object(value) }
  }

  func receive(completion error: OpaquePointer?) -> streams_status {
    let host = own.host
    return call(own.onCompletion) { () throws(ConversionFailure) in
      guard let error else {
        host.retain(host.table.null_object)
        return host.table.null_object
      }
      guard let number = host.table.from_int64(Int64(Int(bitPattern: error))) else { throw .raised }
      return number
    }
  }

  /// Calls a function with the state and a new object.
  private func call(
    _ function: Callable,
    _ makeArgument: () throws(ConversionFailure) -> UnsafeMutableRawPointer
  ) -> streams_status {
    let host = own.host
    return host.enteredToCall {
      do throws(ConversionFailure) {
        let argument = try makeArgument()
        defer { host.release(argument) }
        guard let result = host.call(function.function, object, argument) else { return host.failCallback() }
        host.release(result)
        return STREAMS_OK
      } catch {
        ThreadState.current.callbackError = host.error(error)
        return STREAMS_CALLBACK_FAILED
      }
    }
  }

  func close() { _ = own.host.entered { own.close.callReporting(object) } }
}

@_cdecl("streams_host_operator") @implementation
public func streams_host_operator(
  _ host: UInt32, _ open: UnsafeMutableRawPointer!, _ on_value: UnsafeMutableRawPointer!,
  _ on_completion: UnsafeMutableRawPointer!, _ close: UnsafeMutableRawPointer!,
  _ out: UnsafeMutablePointer<streams_operator>!
) -> streams_status {
  let call = Call("streams_host_operator")
  guard call.empties(out, streams_operator()),
    let functions = call.callables(
      host, (open, "open"), (on_value, "on_value"), (on_completion, "on_completion"), (close, "close"))
  else { return streams_last_status() }
  out.pointee.context = Unmanaged.passRetained(HostOperator(functions)).toOpaque()
  out.pointee.open = { context, emitter, state in
    Unmanaged<HostOperator>.fromOpaque(context!).takeUnretainedValue().begin(emitter, state!)
  }
  out.pointee.on_value = { state, _, value in
    subscription(state).takeUnretainedValue().receive(value!.asValue)
  }
  out.pointee.on_completion = { state, _, error in
    subscription(state).takeUnretainedValue().receive(completion: error)
  }
  out.pointee.close = { state in subscription(state).takeRetainedValue().close() }
  out.pointee.destroy = { Unmanaged<HostOperator>.fromOpaque($0!).release() }
  return STREAMS_OK
}

private func subscription(_ state: UnsafeMutableRawPointer?) -> Unmanaged<OperatorSubscription> {
  .fromOpaque(state!)
}
