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
    TryWithLatestFrom(upstream: upstream, other: other, selecting: PairOfRow(combining: ListOfRow()))
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
        return TryWithLatestFrom(
          upstream: upstream, other: other, selecting: PairOfRow(combining: combined))
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
  private var maker: ListMaker?

  func forSubscription() -> ListOfRow {
    var own = ListOfRow()
    own.maker = ListMaker()
    return own
  }

  @inline(__always)
  func callAsFunction(_ count: Int, _ element: (Int) -> Value) throws(StreamError) -> Value {
    guard let maker else { return try Value.list(count, element).get() }
    return try maker.list(count, element).get()
  }

  @inline(__always)
  func callAsFunction(
    _ row: UnsafeBufferPointer<Value>, _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) throws(StreamError) -> Subscribers.Demand {
    // The subscription keeps it.
    let maker = maker.map { Unmanaged.passUnretained($0) }
    if let demand = maker?._withUnsafeGuaranteedRef({ $0.lend(row, to: deliver) }) { return demand }
    var list = try self(row.count) { row[$0] }
    return _withUnprotectedUnsafeMutablePointer(to: &list) { deliver($0) }
  }
}

/// Applies the transform of a row to a row of two values.
private struct PairOfRow<Combining: RowTransform<Value, Value, StreamError>>: PairTransform {
  let combining: Combining

  @inline(__always)
  func callAsFunction(
    _ first: UnsafePointer<Value>, _ second: UnsafePointer<Value>
  ) throws(StreamError) -> Value {
    try combining(2) { $0 == 0 ? first.pointee : second.pointee }
  }
}

/// Calls a callback with values, and releases them afterwards.
private struct CombinedRow: RowTransform {
  let function: streams_combine_values_fn
  let callback: Callback
  /// The callback's context.
  let context: UnsafeMutableRawPointer?

  init(function: @escaping streams_combine_values_fn, callback: Callback) {
    self.function = function
    self.callback = callback
    context = callback.context
  }

  /// A few values are on the stack.
  @inline(__always)
  func callAsFunction(_ count: Int, _ element: (Int) -> Value) throws(StreamError) -> Value {
    guard _fastPath(count <= Self.few) else { return try combineMany(count, element) }
    return try _withUnprotectedUnsafeTemporaryAllocation(of: Value.self, capacity: Self.few) {
      row throws(StreamError) in
      try combine(UnsafeMutableBufferPointer(start: row.baseAddress, count: count), element)
    }
  }

  private static var few: Int { 8 }

  @inline(never)
  private func combineMany(_ count: Int, _ element: (Int) -> Value) throws(StreamError) -> Value {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: count) { row throws(StreamError) in
      try combine(row, element)
    }
  }

  /// The result is delivered from where the callback has put it.
  @inline(__always)
  func callAsFunction(
    _ row: UnsafeBufferPointer<Value>, _ deliver: (UnsafePointer<Value>) -> Subscribers.Demand
  ) throws(StreamError) -> Subscribers.Demand {
    // The C program is responsible for what its callbacks write: the stack needs no protection.
    try _withUnprotectedUnsafeTemporaryAllocation(of: streams_value.self, capacity: 1) {
      places throws(StreamError) in
      let made = places.baseAddress.unsafelyUnwrapped
      made.initialize(to: streams_value())
      let before = streams_pending_error()
      let status = function(context, row.baseAddress?.asC, row.count, made)
      let isPlain = streams_is_plain(
        Int32(bitPattern: status.rawValue), made, streams_pending_error() ^ before)
      if !_fastPath(isPlain) { try Self.check(status, made, since: before) }
      let demand = deliver(UnsafePointer(made).asValue)
      made.destroyOwned()
      return demand
    }
  }

  /// Makes the result a value of the stream, unless something has failed.
  @inline(never)
  private static func check(
    _ status: streams_status, _ made: UnsafeMutablePointer<streams_value>, since before: UInt64
  ) throws(StreamError) {
    try UserCallback.check(status, since: before)
    made.store(try Value.takingResult(made))
  }

  /// Fills the row, and empties it after the callback.
  @inline(__always)
  private func combine(
    _ row: UnsafeMutableBufferPointer<Value>, _ element: (Int) -> Value
  ) throws(StreamError) -> Value {
    for index in 0..<row.count { row.initializeElement(at: index, to: element(index)) }
    defer { for index in 0..<row.count { (row.baseAddress.unsafelyUnwrapped + index).asC.destroyOwned() } }
    return try callback.combine(function, UnsafeBufferPointer(row))
  }
}

extension RowTransform where Element == Value {
  /// A number has no owner.
  @inline(__always)
  func exchangePlain(_ place: UnsafeMutablePointer<Value>, _ value: UnsafePointer<Value>) -> Bool {
    guard _fastPath(place.asC.pointee.owner == nil && value.asC.pointee.owner == nil) else { return false }
    streams_copy_plain(place, value)
    return true
  }
}

extension Call {
  /// Consumes an array of publishers, takes a callback, and makes a handle of the publisher that `transform` makes of them and of
  /// the callback's row transform.
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
  /// The result of a callback for some values.
  @inline(__always)
  func combine(
    _ function: streams_combine_values_fn, _ values: UnsafeBufferPointer<Value>
  ) throws(StreamError) -> Value {
    try produce { context, out in function(context, values.baseAddress?.asC, values.count, out) }
  }
}

extension Publisher where Output == Result<Value, StreamError>, Failure == StreamError {
  /// The values; the first error fails the stream. Not by tryMap, which fails a second time if another value comes while it
  /// cancels.
  func succeeding() -> some Publisher<Value, StreamError> {
    tryCompactMap { try $0.get() }.streamErrors()
  }
}
