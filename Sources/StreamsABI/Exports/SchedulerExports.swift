import CStreams
import Streams
import StreamsSchedulers
import StreamsShims

/// Streams that feed each other at one moment of virtual time would never end.
private let mostAtOnce = 1_000_000

@_cdecl("streams_immediate_scheduler_create") @implementation
public func streams_immediate_scheduler_create() -> OpaquePointer! {
  Call("streams_immediate_scheduler_create").handle(SchedulerObject(InstantScheduler()), Kind.scheduler)
}

// MARK: - Virtual time

@_cdecl("streams_virtual_scheduler_create") @implementation
public func streams_virtual_scheduler_create() -> OpaquePointer! {
  let scheduler = VirtualTimeScheduler()
  return Call("streams_virtual_scheduler_create")
    .handle(SchedulerObject(scheduler, .virtual(scheduler)), Kind.scheduler)
}

@_cdecl("streams_virtual_scheduler_advance") @implementation
public func streams_virtual_scheduler_advance(
  _ scheduler: OpaquePointer!, _ time: streams_nanoseconds
) -> streams_status {
  let call = Call("streams_virtual_scheduler_advance")
  return call.virtual(scheduler) { scheduler in
    guard let time = call.length(time, "time") else { return streams_last_status() }
    if scheduler.advance(to: scheduler.now.advanced(by: time), atMost: mostAtOnce) { return STREAMS_OK }
    return call.fail(
      STREAMS_LIMIT, "\(mostAtOnce) actions have run at the moment in which they were scheduled")
  }
}

@_cdecl("streams_virtual_scheduler_run") @implementation
public func streams_virtual_scheduler_run(_ scheduler: OpaquePointer!) -> streams_status {
  let call = Call("streams_virtual_scheduler_run")
  return call.virtual(scheduler) { scheduler in
    for _ in 0..<mostAtOnce where !scheduler.runNext() { return STREAMS_OK }
    if scheduler.pendingCount == 0 { return STREAMS_OK }
    return call.fail(STREAMS_LIMIT, "\(mostAtOnce) actions have run, and there are more")
  }
}

// MARK: - Loops

@_cdecl("streams_loop_create") @implementation
public func streams_loop_create() -> OpaquePointer! {
  let call = Call("streams_loop_create")
  do {
    let loop = try EventLoop()
    return call.handle(SchedulerObject(loop, .loop(loop)), Kind.scheduler)
  } catch {
    return call.null(STREAMS_LIMIT, "the process has no descriptor left for a loop")
  }
}

@_cdecl("streams_loop_descriptor") @implementation
public func streams_loop_descriptor(_ loop: OpaquePointer!) -> Int32 {
  var descriptor: Int32 = -1
  _ = Call("streams_loop_descriptor").loop(loop) { loop in
    descriptor = loop.descriptor
    return STREAMS_OK
  }
  return descriptor
}

@_cdecl("streams_loop_run_once") @implementation
public func streams_loop_run_once(_ loop: OpaquePointer!, _ timeout: streams_nanoseconds) -> streams_status {
  Call("streams_loop_run_once").running(loop) { $0.runOnce(timeout: .nanoseconds(Int(timeout))) }
}

@_cdecl("streams_loop_run_until") @implementation
public func streams_loop_run_until(_ loop: OpaquePointer!, _ time: streams_nanoseconds) -> streams_status {
  Call("streams_loop_run_until").running(loop) { $0.run(until: MonotonicTime(nanoseconds: Int(time))) }
}

@_cdecl("streams_loop_run") @implementation
public func streams_loop_run(_ loop: OpaquePointer!) -> streams_status {
  Call("streams_loop_run").running(loop) { $0.run() }
}

@_cdecl("streams_loop_stop") @implementation
public func streams_loop_stop(_ loop: OpaquePointer!) -> streams_status {
  Call("streams_loop_stop").loop(loop) { loop in
    loop.stop()
    return STREAMS_OK
  }
}

// MARK: - Queues

@_cdecl("streams_queue_create") @implementation
public func streams_queue_create() -> OpaquePointer! {
  let call = Call("streams_queue_create")
  do {
    return call.handle(SchedulerObject(try SerialQueue()), Kind.scheduler)
  } catch {
    return call.null(STREAMS_LIMIT, "the system has no thread left for a queue")
  }
}

@_cdecl("streams_pool_create") @implementation
public func streams_pool_create(_ threads: Int) -> OpaquePointer! {
  let call = Call("streams_pool_create")
  guard 1...1024 ~= threads else {
    return call.null(
      STREAMS_INVALID_ARGUMENT, "threads is \(UInt(bitPattern: threads)), and must be from 1 to 1024")
  }
  do {
    return call.handle(try QueuePool(threads: threads), Kind.pool)
  } catch {
    return call.null(STREAMS_LIMIT, "the system has no \(threads) threads left for a pool")
  }
}

@_cdecl("streams_pool_queue") @implementation
public func streams_pool_queue(_ pool: OpaquePointer!) -> OpaquePointer! {
  let call = Call("streams_pool_queue")
  return call.object(pool, "pool", Kind.pool).flatMap {
    call.handle(SchedulerObject($0.makeQueue()), Kind.scheduler)
  }
}

// MARK: - Any scheduler

@_cdecl("streams_scheduler_now") @implementation
public func streams_scheduler_now(_ scheduler: OpaquePointer!) -> streams_nanoseconds {
  var now = 0
  _ = Call("streams_scheduler_now").with(UnsafeRawPointer(scheduler), "scheduler", Kind.scheduler) {
    now = $0.clock.now.nanoseconds
    return STREAMS_OK
  }
  return Int64(now)
}

@_cdecl("streams_scheduler_schedule") @implementation
public func streams_scheduler_schedule(
  _ scheduler: OpaquePointer!, _ time: streams_nanoseconds, _ action: streams_action_fn!,
  _ context: UnsafeMutableRawPointer!, _ destroy: streams_destroy_fn!
) -> UInt64 {
  let call = Call("streams_scheduler_schedule")
  let scheduled = ScheduledCall(action, context, destroy)
  var number: UInt64 = 0
  _ = call.with(UnsafeRawPointer(scheduler), "scheduler", Kind.scheduler) { scheduler in
    guard call.hasStack else { return STREAMS_LIMIT }
    guard call.required(action, "action") != nil else { return streams_last_status() }
    if let absence = scheduler.clock.presence.absence {
      return call.fail(STREAMS_STALE_HANDLE, "scheduler \(absence)")
    }
    number = scheduler.clock.schedule(at: MonotonicTime(nanoseconds: Int(time))) { scheduled.run() }.number
    return STREAMS_OK
  }
  return number
}

@_cdecl("streams_scheduler_cancel") @implementation
public func streams_scheduler_cancel(_ scheduler: OpaquePointer!, _ number: UInt64) -> streams_status {
  Call("streams_scheduler_cancel").with(UnsafeRawPointer(scheduler), "scheduler", Kind.scheduler) {
    $0.clock.cancel(ScheduledAction(number: number))
    return STREAMS_OK
  }
}

extension Call {
  /// A length of time, or nil with the last error set.
  func length(_ time: streams_nanoseconds, _ argument: StaticString) -> MonotonicTime.Stride? {
    if time >= 0 { return .nanoseconds(Int(time)) }
    _ = fail(STREAMS_INVALID_ARGUMENT, "\(argument) is \(time), and must not be negative")
    return nil
  }

  fileprivate func virtual(
    _ handle: OpaquePointer?, _ body: (VirtualTimeScheduler) -> streams_status
  ) -> streams_status {
    with(UnsafeRawPointer(handle), "scheduler", Kind.scheduler) { object in
      guard hasStack else { return STREAMS_LIMIT }
      guard case .virtual(let scheduler) = object.control else {
        return fail(STREAMS_INVALID_ARGUMENT, "scheduler is not a virtual one: its time passes by itself")
      }
      return body(scheduler)
    }
  }

  fileprivate func loop(
    _ handle: OpaquePointer?, _ body: (EventLoop) -> streams_status
  ) -> streams_status {
    with(UnsafeRawPointer(handle), "loop", Kind.scheduler) { object in
      guard case .loop(let loop) = object.control else {
        return fail(
          STREAMS_INVALID_ARGUMENT,
          "loop is a scheduler of another sort: streams_loop_create makes one to run")
      }
      return body(loop)
    }
  }

  fileprivate func running<Result>(_ handle: OpaquePointer?, _ body: (EventLoop) -> Result) -> streams_status
  {
    loop(handle) { loop in
      guard hasStack else { return STREAMS_LIMIT }
      guard loop.enter() else {
        return fail(STREAMS_INVALID_ARGUMENT, "loop is being run by another thread")
      }
      // A thread cancelled here would leave the loop running forever.
      let cancellation = streams_hold_cancellation()
      defer { streams_let_cancellation(cancellation) }
      _ = body(loop)
      loop.leave()
      return STREAMS_OK
    }
  }
}
