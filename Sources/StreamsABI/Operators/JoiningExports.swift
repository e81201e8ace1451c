import CStreams
import Streams
import StreamsExtras

@_cdecl("streams_combine_latest") @implementation
public func streams_combine_latest(
  _ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int
) -> OpaquePointer! {
  Call("streams_combine_latest").combine(publishers, count) {
    CombineLatestMany($0) { Value.list($0, $1) }.succeeding()
  }
}

@_cdecl("streams_combine_latest_with") @implementation
public func streams_combine_latest_with(
  _ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int, _ combine: streams_combine_values_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_combine_latest_with").combine(publishers, count, combine, context, destroy) {
    CombineLatestMany($0, combining: $1).succeeding()
  }
}

@_cdecl("streams_zip") @implementation
public func streams_zip(_ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer! {
  Call("streams_zip").combine(publishers, count) {
    ZipMany($0) { Value.list($0, $1) }.succeeding()
  }
}

@_cdecl("streams_zip_with") @implementation
public func streams_zip_with(
  _ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int, _ combine: streams_combine_values_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_zip_with").combine(publishers, count, combine, context, destroy) {
    ZipMany($0, combining: $1).succeeding()
  }
}

@_cdecl("streams_with_latest_from") @implementation
public func streams_with_latest_from(_ publisher: OpaquePointer!, _ other: OpaquePointer!) -> OpaquePointer! {
  Call("streams_with_latest_from").attach(publisher, other) { upstream, other in
    upstream.withLatestFrom(other, resultSelector: Value.pair).succeeding()
  }
}

@_cdecl("streams_with_latest_from_with") @implementation
public func streams_with_latest_from_with(
  _ publisher: OpaquePointer!, _ other: OpaquePointer!, _ combine: streams_combine_values_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_with_latest_from_with")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    return call.attach(publisher, other) { upstream, other in
      call.required(combine, "combine").map { combine in
        upstream.withLatestFrom(other) { first, second in
          callback.combine(combine, 2) { $0 == 0 ? first : second }
        }.succeeding()
      }
    }
  }
}

@_cdecl("streams_sample") @implementation
public func streams_sample(_ publisher: OpaquePointer!, _ trigger: OpaquePointer!) -> OpaquePointer! {
  Call("streams_sample").attach(publisher, trigger, named: "trigger") { $0.sample(on: $1) }
}

/// What is made of a number of values, each of which is to be asked for once, in order.
private typealias Combining = (Int, (Int) -> Value) -> Result<Value, StreamError>

extension Call {
  /// Consumes an array of publishers, takes a callback, and makes a handle of what `transform` makes of them and of what
  /// calls the callback.
  fileprivate func combine<P: Publisher<Value, StreamError>>(
    _ publishers: UnsafePointer<OpaquePointer?>?, _ count: Int, _ function: streams_combine_values_fn?,
    _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?,
    _ transform: ([ValuePublisher], @escaping Combining) -> P
  ) -> OpaquePointer? {
    Trampoline.through {
      let callback = Callback(context, destroy)
      return combine(publishers, count) { publishers in
        required(function, "combine").map { function in
          transform(publishers) { callback.combine(function, $0, $1) }
        }
      }
    }
  }
}

extension Callback {
  /// What a callback makes of some values, which it sees in a row.
  @inline(__always)
  func combine(
    _ function: streams_combine_values_fn, _ count: Int, _ value: (Int) -> Value
  ) -> Result<Value, StreamError> {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: count) { values in
      for index in 0..<count { values.initializeElement(at: index, to: value(index)) }
      defer { values.deinitialize() }
      return Result { () throws(StreamError) in
        try produce { context, out in
          function(context, UnsafePointer(values.baseAddress.unsafelyUnwrapped).asC, count, out)
        }
      }
    }
  }
}

extension Publisher where Output == Result<Value, StreamError>, Failure == StreamError {
  /// The values; the first that could not be made fails the stream. Not by tryMap, which fails once more if another value
  /// comes while it cancels.
  func succeeding() -> some Publisher<Value, StreamError> {
    tryCompactMap { try $0.get() }.streamErrors()
  }
}
