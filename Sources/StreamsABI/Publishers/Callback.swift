import CStreams
import Streams
import StreamsShims

/// A C context and the function that releases it, which is called when the callback's last user is gone.
class Callback {
  final let context: UnsafeMutableRawPointer?
  private let destroy: streams_destroy_fn?

  init(_ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?) {
    self.context = context
    self.destroy = destroy
  }

  deinit {
    if let destroy { UserCallback.releasing { destroy(context) } }
  }
}

extension Callback {
  /// Passes text to a callback.
  func write(_ text: String, _ function: streams_write_fn) {
    var text = text
    text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { text in
        UserCallback.run { function(context, text.baseAddress, text.count) }
      }
    }
  }

  /// The result of a callback that takes a value and returns one.
  @inline(__always)
  func produce(
    _ function: (UnsafeMutableRawPointer?, UnsafeMutablePointer<streams_value>) -> streams_status
  ) throws(StreamError) -> Value {
    var out = streams_value()
    try UserCallback.call { () -> streams_status in function(context, &out) }
    return try Value.takingResult(&out)
  }
}

extension Value {
  /// Takes ownership of the value that a callback has left in its `out`; a borrowed one is copied.
  @inline(__always)
  static func takingResult(_ out: UnsafeMutablePointer<streams_value>) throws(StreamError) -> Value {
    Value.isReady(UnsafePointer(out).asValue) ? out.take() : try takingCare(of: out)
  }

  @inline(never)
  private static func takingCare(of out: UnsafeMutablePointer<streams_value>) throws(StreamError) -> Value {
    do {
      return try Value.adopting(UnsafePointer(out))
    } catch {
      throw StreamError(status: error.status, "the result of a callback \(error.message)")
    }
  }
}

extension Callback {
  /// The publisher that a callback makes of a value.
  func expand(_ value: Value, _ transform: streams_expand_fn) -> ValuePublisher {
    publisher { context, out in withUnsafePointer(to: value) { transform(context, $0.asC, out) } }
  }

  /// The publisher that a callback makes, or one that fails with the callback's error.
  func publisher(
    _ function: (UnsafeMutableRawPointer?, UnsafeMutablePointer<OpaquePointer?>) -> streams_status
  ) -> ValuePublisher {
    // The publisher may call the callback again.
    if streams_stack_is_low() { return .failing(.tooDeep) }
    switch made("the publisher made by a callback", Kind.publisher, function) {
    case .success(let object): return object.publisher
    case .failure(let error): return .failing(error)
    }
  }

  /// The object of the handle that a callback makes, or the error that it fails with.
  func made<Object>(
    _ what: Argument, _ kind: HandleKind<Object>,
    _ function: (UnsafeMutableRawPointer?, UnsafeMutablePointer<OpaquePointer?>) -> streams_status
  ) -> Result<Object, StreamError> {
    var out: OpaquePointer?
    do throws(StreamError) {
      try UserCallback.call { function(context, &out) }
    } catch {
      return .failure(error)
    }
    let call = Call("streams_callback")
    if let object = call.take(out, what, kind) { return .success(object) }
    let status = LastError.status
    let failure = StreamError(status: status, String(cString: LastError.message))
    // The callback has passed ownership all the same.
    if status == STREAMS_WRONG_KIND { _ = call.release(UnsafeRawPointer(out)) }
    return .failure(failure)
  }
}

extension Result<StreamError, StreamError> {
  /// The error that was made, or the one that prevented it.
  var either: StreamError {
    switch self {
    case .success(let error), .failure(let error): error
    }
  }
}
