import CStreams

/// A context of C's and the function that lets go of it, which is called when the last user of the callback is gone.
final class Callback {
  let context: UnsafeMutableRawPointer?
  private let destroy: streams_destroy_fn?

  init(_ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?) {
    self.context = context
    self.destroy = destroy
  }

  deinit { ForeignCode.letGo { destroy?(context) } }
}

extension Callback {
  /// The result of a callback of the shape "value in, value out".
  @inline(__always)
  func produce(
    _ function: (UnsafeMutableRawPointer?, UnsafeMutablePointer<streams_value>) -> streams_status
  ) throws(StreamError) -> Value {
    var out = streams_value()
    try ForeignCode.call { () -> streams_status in function(context, &out) }
    return try Value.takingResult(&out)
  }
}

extension Value {
  /// Takes over what a callback left in its `out`: owned as it is, borrowed as a copy.
  static func takingResult(_ out: UnsafeMutablePointer<streams_value>) throws(StreamError) -> Value {
    if Value.isReady(UnsafePointer(out).asValue) { return out.take() }
    do {
      return try Value.adopting(UnsafePointer(out))
    } catch {
      throw StreamError(status: error.status, "the result of a callback \(error.message)")
    }
  }
}
