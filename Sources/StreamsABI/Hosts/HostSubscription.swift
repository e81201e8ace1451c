import CStreams

/// The host functions of a source or an operator, as the context of a C one: the first opens a subscription, the last closes it,
/// and those in between run its calls.
final class HostFunctions {
  let host: Host
  fileprivate let all: [Callable]

  init(_ functions: [Callable]) {
    host = functions[0].host
    all = functions
  }

  static func of(_ context: UnsafeMutableRawPointer?) -> Unmanaged<HostFunctions> { .fromOpaque(context!) }

  func open(
    _ emitter: OpaquePointer?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  ) -> streams_status {
    host.enteredToCall {
      guard let object = all[0].call(number: Int64(Int(bitPattern: emitter))) else {
        return STREAMS_CALLBACK_FAILED
      }
      state.pointee = Unmanaged.passRetained(HostSubscription(self, object)).toOpaque()
      return STREAMS_OK
    }
  }
}

/// One subscription: the first function's result, as the state of the C source or operator.
final class HostSubscription {
  let functions: HostFunctions
  private let object: UnsafeMutableRawPointer

  /// Takes ownership of a reference to the object.
  fileprivate init(_ functions: HostFunctions, _ object: UnsafeMutableRawPointer) {
    self.functions = functions
    self.object = object
  }

  deinit { functions.host.enterAndRelease(object) }

  static func of(_ state: UnsafeMutableRawPointer?) -> Unmanaged<HostSubscription> { .fromOpaque(state!) }

  /// Calls one of the functions with the state and a new object.
  func call(
    _ index: Int, _ makeArgument: (Host) throws(ConversionFailure) -> UnsafeMutableRawPointer
  ) -> streams_status {
    let host = functions.host
    return host.enteredToCall {
      do throws(ConversionFailure) {
        let argument = try makeArgument(host)
        defer { host.release(argument) }
        guard let result = host.call(functions.all[index].function, object, argument) else {
          return host.failCallback()
        }
        host.release(result)
        return STREAMS_OK
      } catch {
        ThreadState.current.callbackError = host.error(error)
        return STREAMS_CALLBACK_FAILED
      }
    }
  }

  func close() { _ = functions.host.entered { functions.all.last!.callReporting(object) } }
}

extension Host {
  /// A new integer. Must be called with the lock held.
  func number(_ value: Int64) throws(ConversionFailure) -> UnsafeMutableRawPointer {
    guard let number = table.from_int64(value) else { throw .raised }
    return number
  }

  /// Runs `body` with the lock held, or fails as a callback of a retired host.
  fileprivate func enteredToCall(_ body: () -> streams_status) -> streams_status {
    if let status = entered(body) { return status }
    ThreadState.current.callbackError = retiredError
    return STREAMS_TERMINATED
  }
}
