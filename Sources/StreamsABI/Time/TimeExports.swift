import CStreams
import Streams
import StreamsSchedulers

/// Streams that feed each other while no time passes would never come to an end.
private let mostAtOneMoment = 1_000_000

@_cdecl("streams_virtual_scheduler_create") @implementation
public func streams_virtual_scheduler_create() -> OpaquePointer! {
  Call("streams_virtual_scheduler_create").handle(SchedulerObject(), Kind.scheduler)
}

@_cdecl("streams_virtual_scheduler_advance") @implementation
public func streams_virtual_scheduler_advance(
  _ scheduler: OpaquePointer!, _ time: streams_nanoseconds
) -> streams_status {
  let call = Call("streams_virtual_scheduler_advance")
  return call.with(UnsafeRawPointer(scheduler), "scheduler", Kind.scheduler) { scheduler in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard let time = call.length(time, "time") else { return streams_last_status() }
    let end = scheduler.virtual.now.advanced(by: time)
    if scheduler.virtual.advance(to: end, atMost: mostAtOneMoment) { return STREAMS_OK }
    return call.fail(
      STREAMS_LIMIT, "\(mostAtOneMoment) actions have run at the moment in which they were scheduled")
  }
}

@_cdecl("streams_scheduler_now") @implementation
public func streams_scheduler_now(_ scheduler: OpaquePointer!) -> streams_nanoseconds {
  var now = 0
  let call = Call("streams_scheduler_now")
  _ = call.with(UnsafeRawPointer(scheduler), "scheduler", Kind.scheduler) { scheduler in
    now = scheduler.virtual.now.nanoseconds
    return STREAMS_OK
  }
  return Int64(now)
}

@_cdecl("streams_debounce") @implementation
public func streams_debounce(
  _ publisher: OpaquePointer!, _ due_time: streams_nanoseconds, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  Call("streams_debounce").attach(publisher, scheduler, due_time, "due_time") {
    Guarded($0.debounce(for: $2, scheduler: $1))
  }
}

extension Call {
  /// Consumes a publisher and makes a handle of what `transform` makes of it with a scheduler and a length of time.
  fileprivate func attach<P: Publisher<Value, StreamError>>(
    _ publisher: OpaquePointer?, _ scheduler: OpaquePointer?, _ time: streams_nanoseconds,
    _ argument: StaticString,
    _ transform: (ValuePublisher, VirtualTimeScheduler, VirtualTime.Stride) -> P
  ) -> OpaquePointer? {
    attach(publisher) { upstream -> P? in
      guard let scheduler = object(scheduler, "scheduler", Kind.scheduler) else { return nil }
      return length(time, argument).map { transform(upstream, scheduler.virtual, $0) }
    }
  }

  /// A length of time, or nil with the last error set.
  fileprivate func length(_ time: streams_nanoseconds, _ argument: StaticString) -> VirtualTime.Stride? {
    if time >= 0 { return .nanoseconds(Int(time)) }
    _ = fail(STREAMS_INVALID_ARGUMENT, "\(argument) is \(time), and must not be negative")
    return nil
  }
}
