import CStreams

/// A function of a host.
final class Callable {
  let host: Host
  let function: UnsafeMutableRawPointer

  /// Must be called with the lock held.
  init(_ host: Host, _ function: UnsafeMutableRawPointer) {
    self.host = host
    self.function = function
    host.retain(function)
  }

  deinit { host.enterAndRelease(function) }

  /// Calls the function with a value. Returns a new reference, or nil with the callback's error named.
  @inline(__always)
  func call(_ value: UnsafePointer<Value>) -> UnsafeMutableRawPointer? {
    if let object = host.ownObject(value) { return succeeded(host.call(function, object)) }
    do {
      let object = try host.object(value)
      defer { host.release(object) }
      return succeeded(host.call(function, object))
    } catch {
      ThreadState.current.callbackError = host.error(error)
      return nil
    }
  }

  func call(_ first: UnsafePointer<Value>, _ second: UnsafePointer<Value>) -> UnsafeMutableRawPointer? {
    do {
      let one = try host.object(first)
      defer { host.release(one) }
      let two = try host.object(second)
      defer { host.release(two) }
      return succeeded(host.call(function, one, two))
    } catch {
      ThreadState.current.callbackError = host.error(error)
      return nil
    }
  }

  /// Calls the function with an array or a list, and its kind. Returns an array or a list, or nil with the error named.
  func call(batch: UnsafePointer<Value>) -> Value? {
    do throws(ConversionFailure) {
      let object = batch.pointee.isArray ? try host.packed(batch.pointee) : try host.object(batch)
      defer { host.release(object) }
      guard let kind = host.table.from_int64(Int64(batch.pointee.kind)) else { throw .raised }
      defer { host.release(kind) }
      guard let returned = succeeded(host.call(function, object, kind)) else { return nil }
      switch host.batch(releasing: returned) {
      case .success(let result): return result
      case .failure(let error): ThreadState.current.callbackError = error
      case nil: throw .raised
      }
    } catch {
      ThreadState.current.callbackError = host.error(error)
    }
    return nil
  }

  /// Calls the function with any number of values. Returns a new reference, or nil with the error named.
  func call(_ values: UnsafeBufferPointer<Value>) -> UnsafeMutableRawPointer? {
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: values.count) { arguments in
      var made = 0
      defer { for argument in arguments[..<made] { argument.map { host.release($0) } } }
      do {
        for index in 0..<values.count {
          arguments.initializeElement(at: index, to: try host.object(values.baseAddress! + index))
          made += 1
        }
        return succeeded(host.call(function, UnsafeBufferPointer(arguments)))
      } catch {
        ThreadState.current.callbackError = host.error(error as? ConversionFailure ?? .raised)
        return nil
      }
    }
  }

  /// Calls the function with a number. Returns a new reference, or nil with the callback's error named.
  func call(number: Int64) -> UnsafeMutableRawPointer? {
    withUnsafePointer(to: Value(number)) { call($0) }
  }

  /// Calls the function with the host's null. Returns a new reference, or nil with the error named.
  func callWithNothing() -> UnsafeMutableRawPointer? {
    succeeded(host.call(function, host.table.null_object))
  }

  /// Calls the function for its effect. The host reports what it raises.
  func callReporting(_ argument: UnsafeMutableRawPointer) {
    if let result = host.call(function, argument) { host.release(result) } else { host.report(function) }
  }

  @inline(__always)
  private func succeeded(_ result: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if result == nil { ThreadState.current.callbackError = host.takeError() }
    return result
  }

  /// Whether an object is true; nil, with the error named, if the host cannot tell. Releases the object.
  func isTrue(releasing object: UnsafeMutableRawPointer) -> Bool? {
    let result = host.calling { host.table.is_true(object) }
    defer { host.release(object) }
    guard result >= 0 else {
      ThreadState.current.callbackError = host.takeError()
      return nil
    }
    return result != 0
  }

  /// The handle that an object has as an integer; nil, with the error named, if it is not one. Releases the object.
  func handle(releasing object: UnsafeMutableRawPointer) -> OpaquePointer?? {
    let number = host.calling { host.table.to_int64(object) }
    defer { host.release(object) }
    if number == -1 {
      ThreadState.current.callbackError = host.takeError()
      return nil
    }
    return .some(OpaquePointer(bitPattern: Int(number)))
  }
}

extension Kind {
  static let callable = HandleKind<Callable>(STREAMS_KIND_CALLABLE)
}
