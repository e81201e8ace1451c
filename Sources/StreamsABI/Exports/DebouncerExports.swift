import CStreams
import StreamsExtras
import StreamsSchedulers

/// A debouncer or throttler, and the scheduler of its actions.
final class Limiter<Kind> {
  let kind: Kind
  let clock: SchedulerClock

  init(_ kind: Kind, _ clock: SchedulerClock) { (self.kind, self.clock) = (kind, clock) }
}

@_cdecl("streams_debouncer_create") @implementation
public func streams_debouncer_create(
  _ due_time: streams_nanoseconds, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_debouncer_create")
  return call.limiter(due_time, "due_time", scheduler) {
    call.handle(Limiter(Debouncer(for: $0, scheduler: $1), $1), Kind.debouncer)
  }
}

@_cdecl("streams_debouncer_execute") @implementation
public func streams_debouncer_execute(
  _ debouncer: OpaquePointer!, _ action: streams_action_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> streams_status {
  Call("streams_debouncer_execute").execute(debouncer, "debouncer", Kind.debouncer, action, context, destroy)
  {
    $0.execute($1)
  }
}

@_cdecl("streams_throttler_create") @implementation
public func streams_throttler_create(
  _ interval: streams_nanoseconds, _ scheduler: OpaquePointer!, _ latest: Bool
) -> OpaquePointer! {
  let call = Call("streams_throttler_create")
  return call.limiter(interval, "interval", scheduler) {
    call.handle(Limiter(Throttler(for: $0, scheduler: $1, latest: latest), $1), Kind.throttler)
  }
}

@_cdecl("streams_throttler_execute") @implementation
public func streams_throttler_execute(
  _ throttler: OpaquePointer!, _ action: streams_action_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> streams_status {
  Call("streams_throttler_execute").execute(throttler, "throttler", Kind.throttler, action, context, destroy)
  {
    $0.execute($1)
  }
}

extension Call {
  /// Checks a length of time and a scheduler, and passes them to `make`.
  fileprivate func limiter(
    _ time: streams_nanoseconds, _ argument: StaticString, _ scheduler: OpaquePointer?,
    _ make: (MonotonicTime.Stride, SchedulerClock) -> OpaquePointer?
  ) -> OpaquePointer? {
    object(scheduler, "scheduler", Kind.scheduler).flatMap { scheduler in
      length(time, argument).flatMap { make($0, scheduler.clockForStream) }
    }
  }

  /// Passes a C function to the object behind a handle.
  fileprivate func execute<Object>(
    _ handle: OpaquePointer?, _ argument: Argument, _ kind: HandleKind<Limiter<Object>>,
    _ action: streams_action_fn?, _ context: UnsafeMutableRawPointer?, _ destroy: streams_destroy_fn?,
    _ body: (Object, @escaping () -> Void) -> Void
  ) -> streams_status {
    let scheduled = ScheduledCall(action, context, destroy)
    return with(UnsafeRawPointer(handle), argument, kind) { object in
      guard required(action, "action") != nil else { return streams_last_status() }
      guard hasStack else { return STREAMS_LIMIT }
      if let absence = object.clock.presence.absence {
        return fail(STREAMS_STALE_HANDLE, "\(argument)'s scheduler \(absence)")
      }
      Trampoline.through { body(object.kind) { scheduled.run() } }
      return STREAMS_OK
    }
  }
}

extension Kind {
  static let debouncer = HandleKind<Limiter<Debouncer>>(STREAMS_KIND_DEBOUNCER)
  static let throttler = HandleKind<Limiter<Throttler>>(STREAMS_KIND_THROTTLER)
}
