import CStreams
import Streams
import StreamsExtras

// The streams that a stream is divided into are objects: see StreamObject.

@_cdecl("streams_group_by") @implementation
public func streams_group_by(
  _ publisher: OpaquePointer!, _ prefetch: UInt64, _ key: streams_transform_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_group_by")
  return call.attach(publisher, key, "key", context, destroy) { upstream, key, callback in
    TryGroupBy(upstream: upstream, prefetch: bound(prefetch)) { value, known throws(StreamError) in
      try known.find(callback.transform(key, value)).number
    }
    .map { group in Value(StreamObject(group, key: group.key)) }
  }
}

@_cdecl("streams_window") @implementation
public func streams_window(
  _ publisher: OpaquePointer!, _ boundaries: OpaquePointer!, _ prefetch: UInt64
) -> OpaquePointer! {
  let call = Call("streams_window")
  return call.attach(publisher, boundaries, named: "boundaries") { upstream, boundaries in
    upstream.window(boundaries: boundaries, prefetch: bound(prefetch)).objects()
  }
}

@_cdecl("streams_window_by_count") @implementation
public func streams_window_by_count(
  _ publisher: OpaquePointer!, _ count: Int64, _ skip: Int64, _ prefetch: UInt64
) -> OpaquePointer! {
  let call = Call("streams_window_by_count")
  return call.attach(publisher) { upstream -> ValuePublisher? in
    guard let count = call.count(count, 1...Int64.max), let skip = call.count(skip, 1...Int64.max, "skip")
    else { return nil }
    return upstream.window(count: count, skip: skip, prefetch: bound(prefetch)).objects()
  }
}

@_cdecl("streams_window_by_time") @implementation
public func streams_window_by_time(
  _ publisher: OpaquePointer!, _ interval: streams_nanoseconds, _ prefetch: UInt64,
  _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_window_by_time")
  return call.attach(publisher, scheduler, interval, "interval") {
    upstream, clock, interval -> ValuePublisher? in
    guard call.passes(clock) else { return nil }
    return upstream.window(.byTime(clock, interval), prefetch: bound(prefetch)).objects()
  }
}

@_cdecl("streams_window_by_time_or_count") @implementation
public func streams_window_by_time_or_count(
  _ publisher: OpaquePointer!, _ interval: streams_nanoseconds, _ count: Int64, _ prefetch: UInt64,
  _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_window_by_time_or_count")
  return call.attach(publisher, scheduler, interval, "interval") {
    upstream, clock, interval -> ValuePublisher? in
    guard call.passes(clock), let count = call.count(count, 1...Int64.max) else { return nil }
    return upstream.window(.byTimeOrCount(clock, interval, count), prefetch: bound(prefetch)).objects()
  }
}

@_cdecl("streams_value_publisher") @implementation
public func streams_value_publisher(_ value: UnsafePointer<streams_value>!) -> OpaquePointer! {
  let call = Call("streams_value_publisher")
  return call.stream(value).flatMap { call.handle($0.publisher, Kind.publisher) }
}

@_cdecl("streams_group_key") @implementation
public func streams_group_key(
  _ value: UnsafePointer<streams_value>!, _ out: UnsafeMutablePointer<streams_value>!
) -> streams_status {
  let call = Call("streams_group_key")
  guard call.isPresent(out, "out") else { return streams_last_status() }
  guard UnsafePointer(out) != value else {
    return call.fail(STREAMS_INVALID_ARGUMENT, "value and out are the same")
  }
  out.initialize(to: streams_value())
  guard let stream = call.stream(value) else { return streams_last_status() }
  guard let key = stream.key else { return call.fail(STREAMS_INVALID_VALUE, "value is not a group") }
  out.store(key)
  return STREAMS_OK
}

extension Publisher<WindowPublisher<Value, StreamError>, StreamError> {
  fileprivate func objects() -> ValuePublisher { map { Value(StreamObject($0)) }.eraseToAnyPublisher() }
}

extension Call {
  /// The publisher that a value holds; nil with the last error set.
  fileprivate func stream(_ value: UnsafePointer<streams_value>?) -> StreamObject? {
    guard let adopted = adopt(value, "value") else { return nil }
    if let stream = adopted.object as? StreamObject { return stream }
    _ = fail(STREAMS_INVALID_VALUE, "value does not hold a publisher")
    return nil
  }
}

/// How many values may wait; nil if the demand decides.
private func bound(_ count: UInt64) -> Subscribers.Demand? {
  count == STREAMS_AS_DEMANDED ? nil : Subscribers.Demand(c: count)
}
