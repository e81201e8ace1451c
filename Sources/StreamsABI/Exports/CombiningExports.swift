import CStreams
import Streams
import StreamsExtras

@_cdecl("streams_flat_map") @implementation
public func streams_flat_map(
  _ publisher: OpaquePointer!, _ max_publishers: UInt64, _ transform: streams_expand_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_flat_map").attach(publisher, transform, "transform", context, destroy) {
    upstream, transform, callback in
    StackChecked(
      upstream.flatMap(maxPublishers: Subscribers.Demand(c: max_publishers)) {
        callback.expand($0, transform)
      }.strict())
  }
}

@_cdecl("streams_switch_to_latest") @implementation
public func streams_switch_to_latest(
  _ publisher: OpaquePointer!, _ transform: streams_expand_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_switch_to_latest").attach(publisher, transform, "transform", context, destroy) {
    upstream, transform, callback in
    // A map takes a whole batch; this way the callback is called for one value after the other.
    StackChecked(
      upstream.map { value in Deferred { callback.expand(value, transform) } }.switchToLatest().strict())
  }
}

@_cdecl("streams_concat_map") @implementation
public func streams_concat_map(
  _ publisher: OpaquePointer!, _ transform: streams_expand_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_concat_map").attach(publisher, transform, "transform", context, destroy) {
    upstream, transform, callback in
    StackChecked(upstream.concatMap { callback.expand($0, transform) })
  }
}

@_cdecl("streams_amb") @implementation
public func streams_amb(_ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer! {
  Call("streams_amb").combine(publishers, count) { $0.amb() }
}

@_cdecl("streams_merge") @implementation
public func streams_merge(_ publishers: UnsafePointer<OpaquePointer?>!, _ count: Int) -> OpaquePointer! {
  Call("streams_merge").combine(publishers, count) { Publishers.MergeMany($0) }
}

@_cdecl("streams_catch") @implementation
public func streams_catch(
  _ publisher: OpaquePointer!, _ handler: streams_recover_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_catch").attach(publisher, handler, "handler", context, destroy) {
    upstream, handler, callback in
    StackChecked(
      upstream.catch { error in
        callback.publisher { context, out in
          var status = STREAMS_LIMIT
          Call("streams_catch").lending(error, Kind.error) { status = handler(context, $0, out) }
          return status
        }
      }.strict())
  }
}

@_cdecl("streams_retry") @implementation
public func streams_retry(_ publisher: OpaquePointer!, _ retries: Int64) -> OpaquePointer! {
  let call = Call("streams_retry")
  return call.attach(publisher) { upstream in
    call.count(retries, 0...Int64.max, "retries").map {
      StackChecked(Interruptible(upstream: upstream).retry($0).strict())
    }
  }
}

@_cdecl("streams_repeat") @implementation
public func streams_repeat(_ publisher: OpaquePointer!, _ times: UInt64) -> OpaquePointer! {
  Call("streams_repeat").attach(publisher) { upstream in
    StackChecked(Interruptible(upstream: upstream).repeat(Subscribers.Demand(c: times).max))
  }
}

@_cdecl("streams_map_error") @implementation
public func streams_map_error(
  _ publisher: OpaquePointer!, _ transform: streams_transform_error_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  Call("streams_map_error").attach(publisher, transform, "transform", context, destroy) {
    upstream, transform, callback in
    upstream.mapError { error in
      var made = error
      // Lent until the result has been checked: it may be this very error.
      Call("streams_map_error").lending(error, Kind.error) { handle in
        made =
          callback.made("the error made by a callback", Kind.error) { context, out in
            handle == nil ? STREAMS_LIMIT : transform(context, handle, out)
          }.either
      }
      return made
    }
  }
}

extension Call {
  /// Consumes an array of publishers, all of them even if one is invalid, and makes a handle of the publisher that `transform`
  /// makes of them.
  func combine<P: Publisher<Value, StreamError>>(
    _ publishers: UnsafePointer<OpaquePointer?>?, _ count: Int, _ transform: ([ValuePublisher]) -> P?
  ) -> OpaquePointer? {
    guard isPlausible(count, publishers != nil, "publishers") else { return nil }
    return Trampoline.through {
      let handles = UnsafeBufferPointer(start: publishers, count: count)
      guard hasRoom(for: count) else {
        LastError.keep { for handle in handles { _ = consume(handle) } }
        _ = refuse(.outOfMemory, "publishers")
        return nil
      }
      var found = consume(handles, "publishers")
      let depth = found.reduce(0) { max($0, $1.depth) }
      let made = found.count == count ? transform(found.map(\.publisher)) : nil
      let result = made.flatMap { publish($0, depth: depth + 1, and: found) }
      UserCallback.releasing { found.removeAll() }
      return result
    }
  }

  /// Consumes publishers. Leaves out invalid ones, and reports the first of them.
  private func consume(
    _ handles: UnsafeBufferPointer<OpaquePointer?>, _ argument: Argument
  ) -> [PublisherObject] {
    var found: [PublisherObject] = []
    found.reserveCapacity(handles.count)
    for place in handles.indices {
      guard let object = consume(handles[place], argument[place]) else {
        if let other = handles[..<place].lastIndex(of: handles[place]) {
          refuse(argument[place], asConsumedWith: argument[other])
        }
        LastError.keep { found += handles[(place + 1)...].compactMap { consume($0) } }
        break
      }
      found.append(object)
    }
    return found
  }
}
