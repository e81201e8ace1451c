import CStreams
import StreamsShims
import Synchronization

extension Host {
  /// The error of calls once the host is retired.
  var retiredError: StreamError { StreamError(status: STREAMS_TERMINATED, "the host \(name) is retired") }

  /// Takes the pending error as one that a stream can fail with. Must be called with the lock held.
  func takeError() -> StreamError {
    takePendingError()
      ?? StreamError(code: 0, domain: name, message: "the host reported an error and named none")
  }

  /// Takes the pending error, if there is one. Must be called with the lock held.
  func takePendingError() -> StreamError? {
    let (isTooDeep, isEscaping) = (isTooDeep, isEscaping)
    return calling { pendingObject() }.map { object in
      StreamError(
        code: 0, domain: name, message: description(of: object),
        carrying: CarriedValue(value(taking: object)),
        isTooDeep: isTooDeep, isConclusive: isEscaping)
    }
  }

  /// Takes the pending error, and notifies the host if it concerns more than a stream.
  private func pendingObject() -> UnsafeMutableRawPointer? {
    let mayEscape = isEscaping
    guard let error = takenObject() else { return nil }
    if mayEscape { escape(error) }
    return error
  }

  private var isEscaping: Bool {
    guard let matches = table.error_matches else { return false }
    return matches(table.stream_error) == 0
  }

  /// Whether the pending error, if any, reports calls nested too deep.
  private var isTooDeep: Bool {
    guard let matches = table.error_matches, let depth = table.depth_error else { return false }
    return matches(depth) != 0
  }

  /// Runs `body` with room for a few more nested calls: those of the program, around the outermost into the library, may have
  /// used it up. Must be called with the lock held.
  func withRaisedDepthLimit(_ body: () -> Void) {
    raiseDepthLimit(by: Self.spareDepth)
    body()
    raiseDepthLimit(by: -Self.spareDepth)
  }

  private static let spareDepth: Int32 = 50

  private func raiseDepthLimit(by more: Int32) {
    guard let limit = table.depth_limit, let set = table.set_depth_limit else { return }
    // Without a lock of the host's, two threads may do so at once.
    Self.changingDepthLimit.withLock { _ in set(limit() + more) }
  }

  private static let changingDepthLimit = Mutex(())

  private func escape(_ error: UnsafeMutableRawPointer) {
    streams_set_escaped(true)
    let result = withUnsafePointer(to: Optional(error)) { table.call(table.escaped, $0, 1, nil) }
    if let result { table.release(result) } else { table.report_error(table.escaped) }
  }

  private func takenObject() -> UnsafeMutableRawPointer? {
    if let take = table.take_error { return take() }
    var type: UnsafeMutableRawPointer?
    var error: UnsafeMutableRawPointer?
    var trace: UnsafeMutableRawPointer?
    table.fetch_error(&type, &error, &trace)
    table.normalize_error(&type, &error, &trace)
    if let error, let trace { _ = table.attach_trace(error, trace) }
    if let type { table.release(type) }
    if let trace { table.release(trace) }
    return error
  }

  /// The host's own text for an object, or "object" if it cannot be described. Must be called with the lock held.
  func description(of object: UnsafeMutableRawPointer) -> String {
    calling {
      guard let string = table.describe(object) else { return withoutDescription() }
      defer { table.release(string) }
      var length = 0
      guard let text = table.text(string, &length) else { return withoutDescription() }
      return String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
    }
  }

  private func withoutDescription() -> String {
    if let error = pendingObject() { table.release(error) }
    return "object"
  }

  /// Reports an error for which there is no other receiver. Must be called with the lock held.
  func report(_ function: UnsafeMutableRawPointer?) {
    calling {
      guard isEscaping else { return table.report_error(function) }
      if let error = pendingObject() { table.release(error) }
    }
  }

  /// Names the pending error as that of the running callback.
  func failCallback() -> streams_status {
    ThreadState.current.callbackError = takeError()
    return STREAMS_CALLBACK_FAILED
  }
}
