import CStreams
import Streams
import StreamsExtras
import StreamsSchedulers

@_cdecl("streams_interval") @implementation
public func streams_interval(
  _ first: streams_nanoseconds, _ interval: streams_nanoseconds, _ count: UInt64, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_interval")
  guard let clock = call.object(scheduler, "scheduler", Kind.scheduler)?.clockForStream, call.passes(clock),
    let first = call.length(first, "first"), let interval = call.length(interval, "interval")
  else { return nil }
  guard interval > .zero || count <= 1 else {
    return call.null(STREAMS_INVALID_ARGUMENT, "interval is 0, and count more than 1")
  }
  func numbers(_ clock: SchedulerClock) -> ValuePublisher {
    Publishers.Interval(
      every: max(interval, .nanoseconds(1)), first: first, count: Subscribers.Demand(c: count).max,
      scheduler: clock
    )
    .map { Value(Int64($0)) }.setFailureType(to: StreamError.self).eraseToAnyPublisher()
  }
  return call.publish(Clocked(on: clock) { clock in numbers(clock) })
}

@_cdecl("streams_retry_backoff") @implementation
public func streams_retry_backoff(
  _ publisher: OpaquePointer!, _ backoff: UnsafePointer<streams_backoff>!, _ scheduler: OpaquePointer!,
  _ is_worthwhile: streams_error_predicate_fn!, _ context: UnsafeMutableRawPointer!,
  _ destroy: streams_destroy_fn!
) -> OpaquePointer! {
  let call = Call("streams_retry_backoff")
  return Trampoline.through {
    let callback = Callback(context, destroy)
    let backoff = call.beside(publisher) { call.backoff(backoff) }
    return call.attach(publisher, scheduler, watchesValues: false) {
      upstream, clock -> Publishers.RetryWithBackoff<ValuePublisher, SchedulerClock>? in
      guard let backoff, call.passes(clock) else { return nil }
      return upstream.retry(backoff, scheduler: clock) { error throws(StreamError) in
        if clock.presence.isGone { return false }
        return try is_worthwhile.map { decide throws(StreamError) in try callback.decide(decide, error) }
          ?? true
      }
    }
  }
}

extension Callback {
  /// The result of a callback that takes an error and answers yes or no.
  fileprivate func decide(
    _ function: streams_error_predicate_fn, _ error: StreamError
  ) throws(StreamError) -> Bool {
    var result = false
    try Call("streams_callback").lending(error, Kind.error, to: { function(context, $0, &result) })
    return result
  }
}

extension Call {
  /// A backoff plan, or nil with the last error set.
  fileprivate func backoff(_ pointer: UnsafePointer<streams_backoff>?) -> Backoff? {
    guard
      let plan = options(
        pointer, "backoff", minimum: MemoryLayout<streams_backoff>.size, empty: streams_backoff()),
      let retries = count(plan.retries, 0...Int64.max, "backoff.retries"),
      let delay = length(plan.delay, "backoff.delay"),
      let longest = length(plan.longest_delay, "backoff.longest_delay")
    else { return nil }
    guard plan.factor > 0, plan.factor.isFinite else {
      return refuse("backoff.factor is \(plan.factor), and must be a number above 0")
    }
    guard 0...1 ~= plan.jitter else {
      return refuse("backoff.jitter is \(plan.jitter), and must be from 0 to 1")
    }
    return Backoff(
      retries: retries, delay: .nanoseconds(delay.magnitude), factor: plan.factor,
      longestDelay: .nanoseconds(longest.magnitude), jitter: plan.jitter)
  }

  private func refuse(_ message: String) -> Backoff? {
    _ = fail(STREAMS_INVALID_ARGUMENT, message)
    return nil
  }
}
