import CStreams
import Streams
import StreamsExtras
import StreamsShims

@_cdecl("streams_combine_latest") @implementation
public func streams_combine_latest(
  _ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int
) -> OpaquePointer! {
  Call("streams_combine_latest").combine(publishers, count) {
    CombineLatestMany($0, combining: ListOfRow())
  }
}

@_cdecl("streams_combine_latest_with") @implementation
public func streams_combine_latest_with(
  _ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int, _ combine: streams_combine_values_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_combine_latest_with").combine(publishers, count, combine, context, destroy) {
    CombineLatestMany($0, combining: $1)
  }
}

@_cdecl("streams_zip") @implementation
public func streams_zip(_ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer! {
  Call("streams_zip").combine(publishers, count) {
    ZipMany($0, combining: ListOfRow())
  }
}

@_cdecl("streams_zip_with") @implementation
public func streams_zip_with(
  _ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int, _ combine: streams_combine_values_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_zip_with").combine(publishers, count, combine, context, destroy) {
    ZipMany($0, combining: $1)
  }
}

@_cdecl("streams_with_latest_from") @implementation
public func streams_with_latest_from(_ publisher: OpaquePointer!, _ other: OpaquePointer!) -> OpaquePointer! {
  Call("streams_with_latest_from").attach(publisher, other) { upstream, other in
    TryWithLatestFrom(upstream: upstream, other: other) { first, second throws(StreamError) in
      try Value.pair(first, second).get()
    }
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
      call.required(combine, "combine").map {
        let combined = CombinedRow(function: $0, callback: callback)
        return TryWithLatestFrom(upstream: upstream, other: other) { first, second throws(StreamError) in
          try combined(first, second)
        }
      }
    }
  }
}

@_cdecl("streams_sample") @implementation
public func streams_sample(_ publisher: OpaquePointer!, _ trigger: OpaquePointer!) -> OpaquePointer! {
  Call("streams_sample").attach(publisher, trigger, named: "trigger") { $0.sample(on: $1) }
}

/// Makes lists of values.
private struct ListOfRow: RowTransform {
  @inline(__always)
  func callAsFunction(_ count: Int, _ element: (Int) -> Value) throws(StreamError) -> Value {
    try Value.list(count, element).get()
  }
}

/// Calls a callback with values, which are let go of then.
private struct CombinedRow: RowTransform {
  let function: streams_combine_values_fn
  let callback: Callback

  /// The values are on the stack if they are few.
  @inline(__always)
  func callAsFunction(_ count: Int, _ element: (Int) -> Value) throws(StreamError) -> Value {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: count) { row throws(StreamError) in
      for index in 0..<count { row.initializeElement(at: index, to: element(index)) }
      return try combine(row)
    }
  }

  /// A few numbers are copied as they are: they have no owner that would be counted.
  @inline(__always)
  func callAsFunction(
    _ count: Int, lent element: (Int) -> UnsafePointer<Value>,
    _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) throws(StreamError) -> Subscribers.Demand {
    // What callbacks may write to is C's to look after: the stack needs no protection.
    try _withUnprotectedUnsafeTemporaryAllocation(of: streams_value.self, capacity: 9) {
      places throws(StreamError) in
      let made = places.baseAddress.unsafelyUnwrapped
      let row = made + 1
      guard _fastPath(count < places.count && streams_named_error() == 0)
      else { return try combineOwned(count, element, deliver) }
      for index in 0..<count {
        let value = element(index).asC
        guard _fastPath(value.pointee.owner == nil) else { return try combineOwned(count, element, deliver) }
        streams_copy_plain(row + index, value)
      }
      made.initialize(to: streams_value())
      let status = function(callback.context, row, count, made)
      guard
        _fastPath(
          streams_is_plain(Int32(bitPattern: status.rawValue), made, streams_named_error()))
      else { return try settle(status, made, deliver) }
      return deliver(UnsafePointer(made).asValue)
    }
  }

  @inline(never)
  private func combineOwned(
    _ count: Int, _ element: (Int) -> UnsafePointer<Value>,
    _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) throws(StreamError) -> Subscribers.Demand {
    let made = try self(count) { element($0).pointee }
    return withUnsafePointer(to: made) { deliver($0) }
  }

  /// Delivers what has been made, if nothing has failed.
  @inline(never)
  private func settle(
    _ status: streams_status, _ made: UnsafeMutablePointer<streams_value>,
    _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) throws(StreamError) -> Subscribers.Demand {
    try ForeignCode.settle(status, since: 0)
    let made = try Value.takingResult(made)
    return withUnsafePointer(to: made) { deliver($0) }
  }

  @inline(__always)
  func callAsFunction(_ first: Value, _ second: Value) throws(StreamError) -> Value {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: 2) { row throws(StreamError) in
      row.initializeElement(at: 0, to: first)
      row.initializeElement(at: 1, to: second)
      return try combine(row)
    }
  }

  @inline(__always)
  private func combine(_ row: UnsafeMutableBufferPointer<Value>) throws(StreamError) -> Value {
    defer { for index in 0..<row.count { (row.baseAddress.unsafelyUnwrapped + index).asC.destroyOwned() } }
    return try callback.combine(function, UnsafeBufferPointer(row))
  }
}

extension Call {
  /// Consumes an array of publishers, takes a callback, and makes a handle of what `transform` makes of them and of what
  /// calls the callback.
  fileprivate func combine<P: Publisher<Value, StreamError>>(
    _ publishers: UnsafePointer<OpaquePointer?>?, _ count: Int, _ function: streams_combine_values_fn?,
    _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?,
    _ transform: ([ValuePublisher], CombinedRow) -> P
  ) -> OpaquePointer? {
    Trampoline.through {
      let callback = Callback(context, destroy)
      return combine(publishers, count) { publishers in
        required(function, "combine").map { function in
          transform(publishers, CombinedRow(function: function, callback: callback))
        }
      }
    }
  }
}

extension Callback {
  /// What a callback makes of some values.
  @inline(__always)
  func combine(
    _ function: streams_combine_values_fn, _ values: UnsafeBufferPointer<Value>
  ) throws(StreamError) -> Value {
    try produce { context, out in function(context, values.baseAddress?.asC, values.count, out) }
  }
}

extension Publisher where Output == Result<Value, StreamError>, Failure == StreamError {
  /// The values; the first that could not be made fails the stream. Not by tryMap, which fails once more if another value
  /// comes while it cancels.
  func succeeding() -> some Publisher<Value, StreamError> {
    tryCompactMap { try $0.get() }.streamErrors()
  }
}
