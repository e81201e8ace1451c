import CStreams
import StreamsSchedulers

@_cdecl("streams_custom_scheduler_create") @implementation
public func streams_custom_scheduler_create(
  _ scheduler: UnsafePointer<streams_custom_scheduler>!
) -> OpaquePointer! {
  let call = Call("streams_custom_scheduler_create")
  guard
    let callbacks = call.options(
      scheduler, "scheduler", minimum: MemoryLayout<streams_custom_scheduler>.size,
      empty: streams_custom_scheduler())
  else { return nil }
  let object = CustomScheduler(callbacks)
  guard callbacks.now != nil else { return call.null(STREAMS_NULL_ARGUMENT, "scheduler has no now") }
  guard callbacks.schedule != nil else {
    return call.null(STREAMS_NULL_ARGUMENT, "scheduler has no schedule")
  }
  return call.handle(SchedulerObject(object), Kind.scheduler)
}

@_cdecl("streams_action_run") @implementation
public func streams_action_run(_ action: OpaquePointer!) -> streams_status {
  let call = Call("streams_action_run")
  return call.with(UnsafeRawPointer(action), "action", Kind.action) { object in
    guard call.hasStack else { return STREAMS_LIMIT }
    if object.isBeingScheduled {
      return call.fail(STREAMS_INVALID_ARGUMENT, "action is being scheduled, and can be run after that")
    }
    return object.run() ? STREAMS_OK : call.refuseEnded()
  }
}

@_cdecl("streams_action_reject") @implementation
public func streams_action_reject(_ action: OpaquePointer!, _ error: OpaquePointer!) -> streams_status {
  let call = Call("streams_action_reject")
  return call.with(UnsafeRawPointer(action), "action", Kind.action) { object in
    let named = error == nil ? nil : call.object(error, "error", Kind.error)
    guard error == nil || named != nil else { return streams_last_status() }
    guard call.hasStack else { return STREAMS_LIMIT }
    guard object.reject(named ?? .rejected) else { return call.refuseEnded() }
    return object.isAwaited ? STREAMS_OK : call.fail(STREAMS_TERMINATED, "no stream waits for the action")
  }
}

extension Call {
  fileprivate func refuseEnded() -> streams_status {
    fail(STREAMS_STALE_HANDLE, "action has run, was rejected or was cancelled")
  }
}
