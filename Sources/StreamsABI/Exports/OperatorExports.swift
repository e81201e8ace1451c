import CStreams
import Streams
import StreamsExtras

@_cdecl("streams_remove_duplicates") @implementation
public func streams_remove_duplicates(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_remove_duplicates").attach(publisher) {
    TryRemoveDuplicatePairs(upstream: $0, predicate: EqualPair())
  }
}

@_cdecl("streams_remove_duplicates_by") @implementation
public func streams_remove_duplicates_by(
  _ publisher: OpaquePointer!, _ is_same: streams_compare_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_remove_duplicates_by").attach(publisher, is_same, "is_same", context, destroy) {
    upstream, isSame, callback in
    TryRemoveDuplicatePairs(upstream: upstream, predicate: ComparedPair(function: isSame, callback: callback))
  }
}

@_cdecl("streams_distinct") @implementation
public func streams_distinct(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_distinct").attach(publisher) { $0.distinct { value throws(StreamError) in value } }
}

@_cdecl("streams_distinct_by") @implementation
public func streams_distinct_by(
  _ publisher: OpaquePointer!, _ key: streams_transform_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_distinct_by").attach(publisher, key, "key", context, destroy) { upstream, key, callback in
    upstream.distinct { value throws(StreamError) in
      try callback.transform(key, value)
    }
  }
}

@_cdecl("streams_pairwise") @implementation
public func streams_pairwise(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_pairwise").attach(publisher) { $0.pairwise().map(Value.pair).succeeding() }
}

@_cdecl("streams_scan") @implementation
public func streams_scan(
  _ publisher: OpaquePointer!, _ initial: UnsafePointer<streams_value>!, _ combine: streams_combine_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_scan")
  return call.attach(publisher, combine, "combine", context, destroy) { upstream, combine, callback in
    call.adopt(initial, "initial").map {
      TryScanPairs(
        upstream: upstream, initialResult: $0,
        nextPartialResult: CombinedPair(function: combine, callback: callback))
    }
  }
}

@_cdecl("streams_reduce") @implementation
public func streams_reduce(
  _ publisher: OpaquePointer!, _ initial: UnsafePointer<streams_value>!, _ combine: streams_combine_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_reduce")
  return call.attach(publisher, combine, "combine", context, destroy) { upstream, combine, callback in
    call.adopt(initial, "initial").map {
      upstream.tryReduce($0) { try callback.combine(combine, $0, $1) }.streamErrors()
    }
  }
}

@_cdecl("streams_collect") @implementation
public func streams_collect(_ publisher: OpaquePointer!) -> OpaquePointer! {
  Call("streams_collect").attach(publisher) {
    $0.collect().tryCompactMap { try Value.list($0) }.streamErrors()
  }
}

@_cdecl("streams_collect_count") @implementation
public func streams_collect_count(_ publisher: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
  let call = Call("streams_collect_count")
  return call.attach(publisher) { upstream in
    call.countOfList(count).map {
      CollectByCountInto(ListGatherer.self, upstream: upstream, count: $0)
    }
  }
}

@_cdecl("streams_prefix") @implementation
public func streams_prefix(_ publisher: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
  let call = Call("streams_prefix")
  return call.attach(publisher) { upstream in call.count(count, 0...Int64.max).map { upstream.prefix($0) } }
}

@_cdecl("streams_drop_first") @implementation
public func streams_drop_first(_ publisher: OpaquePointer!, _ count: Int64) -> OpaquePointer! {
  let call = Call("streams_drop_first")
  return call.attach(publisher) { upstream in
    call.count(count, 0...Int64.max).map { upstream.dropFirst($0).strict() }
  }
}

extension Call {
  /// Consumes a publisher, takes a callback, and makes a handle of the publisher that `transform` makes of both.
  func attach<Function, P: Publisher<Value, StreamError>>(
    _ publisher: OpaquePointer?, _ function: Function?, _ argument: StaticString,
    _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?,
    _ transform: (ValuePublisher, Function, Callback) -> P?
  ) -> OpaquePointer? {
    Trampoline.through {
      let callback = Callback(context, destroy)
      return attach(publisher) { upstream in
        required(function, argument).flatMap { transform(upstream, $0, callback) }
      }
    }
  }

  /// The number of values of a list, or nil with the last error set.
  func countOfList(_ count: Int64) -> Int? { self.count(count, 1...Int64(UInt32.max)) }

  /// A count within bounds, or nil with the last error set.
  func count(_ count: Int64, _ bounds: ClosedRange<Int64>, _ argument: StaticString = "count") -> Int? {
    if bounds.contains(count) { return Int(count) }
    let bound =
      count < bounds.lowerBound ? "at least \(bounds.lowerBound)" : "at most \(bounds.upperBound)"
    _ = fail(STREAMS_INVALID_ARGUMENT, "\(argument) is \(count); it must be \(bound)")
    return nil
  }
}

extension ValuePublisher {
  /// The values whose keys differ from those of all earlier values.
  fileprivate func distinct(
    by key: @escaping (Value) throws(StreamError) -> Value
  ) -> some Publisher<Value, StreamError> {
    Deferred {
      let known = KnownKeys<Value>()
      // `tryFilter` would be called for a whole batch in advance: the known values would be ahead of those that were sent.
      return tryScan(Value?.none) { _, value in try known.find(key(value)).isNew ? value : nil }
        .compactMap { $0 }.streamErrors()
    }
  }
}

extension Publisher where Failure == any Error {
  /// Converts to the one failure type of the C ABI: its closures throw nothing else.
  func streamErrors() -> Publishers.MapError<Self, StreamError> {
    mapError { error in
      error as? StreamError ?? StreamError(status: STREAMS_PROTOCOL_VIOLATION, String(describing: error))
    }
  }
}
