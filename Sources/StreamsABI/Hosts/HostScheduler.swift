import CStreams

/// The host functions of a scheduler: the context of a C scheduler.
private final class HostScheduler {
  let host: Host
  let now: Callable
  let schedule: Callable
  let cancel: Callable

  init(_ functions: [Callable]) {
    host = functions[0].host
    (now, schedule, cancel) = (functions[0], functions[1], functions[2])
  }

  var time: streams_nanoseconds {
    host.entered {
      guard let object = host.call(now.function, host.table.null_object) else {
        host.report(now.function)
        return 0
      }
      defer { host.release(object) }
      let time = host.calling { host.table.to_int64(object) }
      return time == -1 && host.takePendingError() != nil ? 0 : time
    } ?? 0
  }

  func schedule(at time: streams_nanoseconds, _ action: OpaquePointer?) {
    let object = Call("streams_host_scheduler").object(action, "action", Kind.action)
    guard let object else { return }
    let failure = host.entered { refusal(of: action, at: time, object) }
    if let failure = failure ?? nil { _ = object.reject(failure) }
  }

  /// Passes the function an action. Returns the error of a function that does not take it; if no stream waits for the error, it
  /// is reported.
  private func refusal(
    of action: OpaquePointer?, at time: streams_nanoseconds, _ object: ActionObject
  ) -> StreamError? {
    guard let time = host.table.from_int64(time) else { return refusal(object) }
    defer { host.release(time) }
    guard let number = host.number(of: action) else { return refusal(object) }
    defer { host.release(number) }
    guard let result = host.call(schedule.function, time, number) else { return refusal(object) }
    host.release(result)
    return nil
  }

  private func refusal(_ object: ActionObject) -> StreamError {
    if object.isAwaited { return host.takeError() }
    host.report(schedule.function)
    return .rejected
  }

  func cancel(_ action: OpaquePointer?) {
    _ = host.entered {
      guard let number = host.number(of: action) else { return host.report(cancel.function) }
      cancel.callReporting(number)
      host.release(number)
    }
  }
}

@_cdecl("streams_host_scheduler") @implementation
public func streams_host_scheduler(
  _ host: UInt32, _ now: UnsafeMutableRawPointer!, _ schedule: UnsafeMutableRawPointer!,
  _ cancel: UnsafeMutableRawPointer!, _ out: UnsafeMutablePointer<streams_custom_scheduler>!
) -> streams_status {
  let call = Call("streams_host_scheduler")
  guard call.empties(out, streams_custom_scheduler()),
    let functions = call.callables(host, (now, "now"), (schedule, "schedule"), (cancel, "cancel"))
  else { return streams_last_status() }
  out.pointee.context = Unmanaged.passRetained(HostScheduler(functions)).toOpaque()
  out.pointee.now = { found($0).time }
  out.pointee.schedule = { context, time, action in found(context).schedule(at: time, action) }
  out.pointee.cancel = { context, action in found(context).cancel(action) }
  out.pointee.destroy = { Unmanaged<HostScheduler>.fromOpaque($0!).release() }
  return STREAMS_OK
}

@_cdecl("streams_host_keep_scheduler") @implementation
public func streams_host_keep_scheduler(
  _ host: UInt32, _ scheduler: OpaquePointer!, _ weak: UnsafeMutableRawPointer!
) -> streams_status {
  let call = Call("streams_host_keep_scheduler")
  return call.with(UnsafeRawPointer(scheduler), "scheduler", Kind.scheduler) { scheduler in
    guard let host = call.host(host), let weak = call.required(weak, "weak") else {
      return streams_last_status()
    }
    guard host.table.target != nil else {
      return call.fail(STREAMS_INVALID_ARGUMENT, "the host \(host.name) has no target")
    }
    guard let weak = host.entered({ Callable(host, weak) }) else {
      _ = call.refuse(host)
      return streams_last_status()
    }
    scheduler.beKept(by: weak)
    return STREAMS_OK
  }
}

extension Callable: ForeignReference {
  func kept() -> (any AnyObject & Sendable)? { KeptObject(targetOf: self) }
}

/// A host's object that a stream keeps while it uses a scheduler.
private final class KeptObject: @unchecked Sendable {
  private let host: Host
  private let object: UnsafeMutableRawPointer

  /// Nil if the object is gone, or its host retired.
  init?(targetOf weak: Callable) {
    guard let object = weak.host.entered({ weak.host.target(of: weak.function) }) ?? nil else { return nil }
    (host, self.object) = (weak.host, object)
  }

  deinit { host.enterAndRelease(object) }
}

private func found(_ context: UnsafeMutableRawPointer?) -> HostScheduler {
  Unmanaged.fromOpaque(context!).takeUnretainedValue()
}
