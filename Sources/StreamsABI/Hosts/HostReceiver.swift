import CStreams
import Streams
import StreamsShims

/// The host functions that receive a stream: the context of a C subscriber or of C event handlers.
final class HostReceiver {
  let host: Host
  private let functions: streams_host_callables
  private let stream = Lock<SubscriptionObject?>(nil)
  /// Whether a function that only listens has failed, perhaps because there was no room to call it. Guarded by the host's lock.
  private var hasMissed = false

  /// Must be called with the lock held.
  init(_ host: Host, _ functions: streams_host_callables) {
    self.host = host
    self.functions = functions
    forEachRetained { host.retain($0) }
  }

  deinit {
    UserCallback.releasing {
      // The host may observe that its functions are released, to learn of an end that could not be
      // reported to it.
      _ = host.entered {
        if hasMissed { host.withRaisedDepthLimit(releaseFunctions) } else { releaseFunctions() }
      }
    }
  }

  private func releaseFunctions() {
    if let owner, let replace = host.table.list_replace {
      streams_part_owner(host.line, owner)
      _ = host.calling { replace(owner, 0, Int.max, nil) }
      host.release(owner)
    }
    forEachRetained { host.release($0) }
  }

  private func forEachRetained(_ body: (UnsafeMutableRawPointer) -> Void) {
    if let owner = functions.owner { return body(owner) }
    let all = [
      functions.on_subscription, functions.on_value, functions.on_values, functions.on_int64s,
      functions.on_doubles, functions.on_completion, functions.on_cancel, functions.on_request,
    ]
    for case let function? in all { body(function) }
  }

  /// The list that owns the functions, as a new reference; nil if it is gone. Must be called with the lock held.
  private var owner: UnsafeMutableRawPointer? {
    functions.owner.flatMap { host.target(of: $0) }
  }

  /// Runs `body` with the host's lock held and the functions alive. Returns nil if they are gone, or the host is retired.
  @inline(__always)
  private func entered<Result>(_ body: () -> Result) -> Result? {
    host.entered { () -> Result? in
      if functions.owner == nil { return body() }
      guard let owner else { return nil }
      defer { host.release(owner) }
      return body()
    } ?? nil
  }

  /// Makes the owner of the functions keep another object. Returns false if no owner can. Must be called with the lock held.
  func own(_ object: UnsafeMutableRawPointer) -> Bool {
    guard let owner, let replace = host.table.list_replace else { return false }
    defer { host.release(owner) }
    guard let items = host.table.list_create(1) else {
      _ = host.takePendingError()
      return false
    }
    defer { host.release(items) }
    host.retain(object)
    let isKept = host.table.list_set(items, 0, object) == 0 && replace(owner, Int.max, Int.max, items) == 0
    if !isKept { _ = host.takePendingError() }
    return isKept
  }

  /// Runs code that subscribes a C subscriber. Contexts that are made until it has its subscription belong to the receiver.
  static func attaching(_ subscriber: streams_subscriber, _ body: () -> Void) {
    guard let destroy = subscriber.destroy,
      unsafeBitCast(destroy, to: Int.self) == unsafeBitCast(onDestroy, to: Int.self)
    else { return body() }
    let outer = streams_attached()
    streams_set_attached(subscriber.context)
    body()
    streams_set_attached(outer)
  }

  static let onDestroy: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
    Unmanaged<HostReceiver>.fromOpaque($0!).release()
  }

  // MARK: A subscriber's calls

  func receive(subscription handle: OpaquePointer?, keeping: Bool) {
    if streams_attached() == Unmanaged.passUnretained(self).toOpaque() { streams_set_attached(nil) }
    if keeping, let object = Call("streams_sink").object(handle, "subscription", Kind.subscription) {
      stream.withLock { $0 = object }
    }
    notify(functions.on_subscription) { host.number(of: handle) }
  }

  @inline(never)
  func receive(_ value: UnsafePointer<Value>) -> UInt64 {
    guard let function = functions.on_value else { return 0 }
    return demand {
      if let object = host.ownObject(value) { return host.call(function, object) }
      return call(function) { () throws(ConversionFailure) in try host.object(value) }
    }
  }

  static let onValue: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<streams_value>?) -> UInt64 = {
    context, value in
    Unmanaged<HostReceiver>.fromOpaque(context!)._withUnsafeGuaranteedRef { $0.receive(value!.asValue) }
  }

  /// The receiver of a C subscriber whose values go to a host function one by one.
  static func receiver(of subscriber: streams_subscriber) -> Unmanaged<HostReceiver>? {
    guard let function = subscriber.on_value, let context = subscriber.context,
      unsafeBitCast(function, to: Int.self) == unsafeBitCast(onValue, to: Int.self)
    else { return nil }
    return .fromOpaque(context)
  }

  /// Describes this to a listener: the few fields that each delivery needs, in the place where the
  /// subscriber looks anyway.
  func describe(to listener: inout streams_listener) {
    guard let owner = functions.owner, let function = functions.on_value else { return }
    (listener.host, listener.owner, listener.function) = (host.line, owner, function)
    listener.call = functions.call_value ?? host.table.call
  }

  func receive(_ values: UnsafeBufferPointer<Value>) -> UInt64 {
    demand {
      if let function = functions.on_int64s, values.allSatisfy({ $0.kind == STREAMS_VALUE_INT64.rawValue }) {
        return call(function) { () throws(ConversionFailure) in try packed(values) }
      }
      if let function = functions.on_doubles, values.allSatisfy({ $0.kind == STREAMS_VALUE_DOUBLE.rawValue })
      {
        return call(function) { () throws(ConversionFailure) in try packed(values) }
      }
      guard let function = functions.on_values else { return nil }
      return call(function) { () throws(ConversionFailure) in try host.list(values) }
    }
  }

  /// Numbers that were sent as an array.
  func receive(numbers array: UnsafePointer<Value>) -> UInt64 {
    demand {
      let isInteger = array.pointee.kind == STREAMS_VALUE_INT64S.rawValue
      guard let function = isInteger ? functions.on_int64s : functions.on_doubles else { return nil }
      return call(function) { () throws(ConversionFailure) in try host.packed(array.pointee) }
    }
  }

  /// A failure for lack of stack is delivered when the nested calls have returned.
  func receive(completion error: OpaquePointer?) {
    guard let error, let failure = Call("streams_sink").object(error, "error", Kind.error), failure.isTooDeep
    else { return notifyCompletion(error) }
    Trampoline.runOutermost { [self] in
      Call("streams_sink").lending(failure, Kind.error) { error in
        _ = entered { host.withRaisedDepthLimit { notifyCompletion(error) } }
      }
    }
  }

  func receiveCancel() {
    notify(functions.on_cancel) {
      host.retain(host.table.null_object)
      return host.table.null_object
    }
  }

  func receive(request demand: UInt64) {
    notify(functions.on_request) { host.table.from_int64(Int64(clamping: demand)) }
  }

  /// A value for an event handler, which returns no demand.
  func watch(_ value: UnsafePointer<Value>) {
    guard let function = functions.on_value else { return }
    _ = entered {
      guard let result = call(function, { () throws(ConversionFailure) in try host.object(value) }) else {
        return host.report(function)
      }
      host.release(result)
    }
  }

  private func notifyCompletion(_ error: OpaquePointer?) {
    notify(functions.on_completion) {
      if let error { return host.number(of: error) }
      host.retain(host.table.null_object)
      return host.table.null_object
    }
  }

  /// Numbers as one bytes object.
  private func packed(
    _ values: UnsafeBufferPointer<Value>
  ) throws(ConversionFailure) -> UnsafeMutableRawPointer {
    let bytes = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: values.count) { numbers in
      for index in 0..<values.count { numbers.initializeElement(at: index, to: values[index].bits) }
      return numbers.withMemoryRebound(to: CChar.self) { host.table.from_bytes($0.baseAddress, $0.count) }
    }
    guard let bytes else { throw .raised }
    return bytes
  }

  // MARK: Calling

  /// Calls a function with a new object. Returns a new reference, or nil with an error pending or kept.
  private func call(
    _ function: UnsafeMutableRawPointer,
    _ makeArgument: () throws(ConversionFailure) -> UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    do {
      let argument = try makeArgument()
      defer { host.release(argument) }
      return host.call(function, argument)
    } catch {
      if error != .raised { conversionError = host.error(error) }
      return nil
    }
  }

  /// Set until the error of a failed conversion is named; the host has no error pending for it.
  private var conversionError: StreamError?

  /// Calls a function that only listens; errors that it raises are reported.
  private func notify(_ function: UnsafeMutableRawPointer?, _ makeArgument: () -> UnsafeMutableRawPointer?) {
    guard let function else { return }
    _ = entered {
      guard let argument = makeArgument() else { return miss(function) }
      defer { host.release(argument) }
      guard let result = host.call(function, argument) else { return miss(function) }
      host.release(result)
    }
  }

  private func miss(_ function: UnsafeMutableRawPointer) {
    hasMissed = true
    host.report(function)
  }

  /// The demand that a function returns; a failure ends the stream.
  @inline(__always)
  private func demand(_ call: () -> UnsafeMutableRawPointer?) -> UInt64 {
    entered { demand(of: call()) } ?? 0
  }

  /// Names the error of a function that has failed. If the stream has ended while the function ran, reports the error instead.
  /// Must be called with the lock held.
  @inline(never)
  private func fail() -> UInt64 {
    defer { conversionError = nil }
    if stream.withLock({ $0?.hasEnded }) != false {
      if conversionError == nil { host.report(functions.on_value ?? functions.on_values) }
      return 0
    }
    ThreadState.current.callbackError = conversionError ?? host.takeError()
    return STREAMS_FAIL
  }

  /// The demand in a function's result; nil is a failure, which ends the stream. Releases the result.
  @inline(never)
  func demand(of result: UnsafeMutableRawPointer?) -> UInt64 {
    guard let result else { return fail() }
    if host.isNull(result) {
      host.table.release(result)
      return 0
    }
    return number(of: result) ?? fail()
  }

  private func number(of result: UnsafeMutableRawPointer) -> UInt64? {
    let number = host.calling { host.table.to_int64(result) }
    defer { host.release(result) }
    if number >= 0 { return UInt64(number) }
    let error = number == -1 ? host.takePendingError() : nil
    if let judge = host.table.to_demand {
      guard let judged = host.call(judge, result) else { return nil }
      defer { host.release(judged) }
      let number = host.calling { host.table.to_int64(judged) }
      if number >= 0 { return UInt64(number) }
    }
    conversionError =
      error
      ?? StreamError(
        status: STREAMS_INVALID_ARGUMENT, "a subscriber returned the negative demand \(number)")
    return nil
  }
}
