import CStreams
import Streams
import StreamsSchedulers

@_cdecl("streams_debounce") @implementation
public func streams_debounce(
  _ publisher: OpaquePointer!, _ due_time: streams_nanoseconds, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  Call("streams_debounce").attach(publisher, scheduler, due_time, "due_time") {
    $0.debounce(for: $2, scheduler: $1)
  }
}

@_cdecl("streams_delay") @implementation
public func streams_delay(
  _ publisher: OpaquePointer!, _ interval: streams_nanoseconds, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  Call("streams_delay").attach(publisher, scheduler, interval, "interval") {
    $0.delay(for: $2, scheduler: $1)
  }
}

@_cdecl("streams_throttle") @implementation
public func streams_throttle(
  _ publisher: OpaquePointer!, _ interval: streams_nanoseconds, _ scheduler: OpaquePointer!, _ latest: Bool
) -> OpaquePointer! {
  Call("streams_throttle").attach(publisher, scheduler, interval, "interval") {
    $0.throttle(for: $2, scheduler: $1, latest: latest)
  }
}

@_cdecl("streams_timeout") @implementation
public func streams_timeout(
  _ publisher: OpaquePointer!, _ interval: streams_nanoseconds, _ scheduler: OpaquePointer!,
  _ error: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_timeout")
  let failure = error.map { error in call.beside(publisher) { call.object(error, "error", Kind.error) } }
  return call.attach(publisher, scheduler, interval, "interval") {
    upstream, clock, interval -> Publishers.Timeout<ValuePublisher, SchedulerClock>? in
    guard call.passes(clock) else { return nil }
    guard let failure else { return upstream.timeout(interval, scheduler: clock) }
    return failure.map { error in
      upstream.timeout(interval, scheduler: clock, customError: { error })
    }
  }
}

@_cdecl("streams_measure_interval") @implementation
public func streams_measure_interval(
  _ publisher: OpaquePointer!, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_measure_interval")
  // The time can be read even from a scheduler that is gone.
  return call.attach(publisher) { upstream in
    call.object(scheduler, "scheduler", Kind.scheduler).map(\.clockForStream).map {
      upstream.measureInterval(using: $0).map { Value(Int64($0.magnitude)) }
    }
  }
}

@_cdecl("streams_collect_by_time") @implementation
public func streams_collect_by_time(
  _ publisher: OpaquePointer!, _ interval: streams_nanoseconds, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  Call("streams_collect_by_time").attach(publisher, scheduler, interval, "interval") {
    $0.lists(.byTime($1, $2))
  }
}

@_cdecl("streams_collect_by_time_or_count") @implementation
public func streams_collect_by_time_or_count(
  _ publisher: OpaquePointer!, _ interval: streams_nanoseconds, _ count: Int64, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  let call = Call("streams_collect_by_time_or_count")
  return call.attach(publisher, scheduler, interval, "interval") { upstream, clock, interval in
    call.countOfList(count).map { upstream.lists(.byTimeOrCount(clock, interval, $0)) }
  }
}

@_cdecl("streams_receive_on") @implementation
public func streams_receive_on(_ publisher: OpaquePointer!, _ scheduler: OpaquePointer!) -> OpaquePointer! {
  Call("streams_receive_on").attach(publisher, scheduler) { $0.receive(on: $1) }
}

@_cdecl("streams_subscribe_on") @implementation
public func streams_subscribe_on(_ publisher: OpaquePointer!, _ scheduler: OpaquePointer!) -> OpaquePointer! {
  Call("streams_subscribe_on").attach(publisher, scheduler, watchesValues: false) { $0.subscribe(on: $1) }
}

extension ValuePublisher {
  /// Lists of the values, by the clock.
  fileprivate func lists(
    _ strategy: Publishers.TimeGroupingStrategy<SchedulerClock>
  ) -> some Publisher<Value, StreamError> {
    collect(strategy).tryCompactMap { try Value.list($0) }.streamErrors()
  }
}

extension Call {
  /// Consumes a publisher and makes a handle of the publisher that `transform` makes of it and a scheduler, for each
  /// subscription.
  ///
  /// - Parameter watchesValues: Whether values and the end go by way of the scheduler.
  func attach<P: Publisher<Value, StreamError>>(
    _ publisher: OpaquePointer?, _ scheduler: OpaquePointer?, watchesValues: Bool = true,
    _ transform: @escaping (ValuePublisher, SchedulerClock) -> P?
  ) -> OpaquePointer? {
    attach(publisher, checksStack: true) { upstream -> Clocked? in
      // Reports invalid arguments immediately.
      let clock = object(scheduler, "scheduler", Kind.scheduler)?.clockForStream
      guard let clock, transform(upstream, clock) != nil else { return nil }
      return Clocked(upstream, on: clock, watchesValues: watchesValues) { upstream, clock in
        transform(upstream, clock)?.eraseToAnyPublisher() ?? Empty().eraseToAnyPublisher()
      }
    }
  }

  /// Consumes a publisher and makes a handle of the publisher that `transform` makes of it, a scheduler and a length of time.
  func attach<P: Publisher<Value, StreamError>>(
    _ publisher: OpaquePointer?, _ scheduler: OpaquePointer?, _ time: streams_nanoseconds,
    _ argument: StaticString,
    _ transform: @escaping (ValuePublisher, SchedulerClock, MonotonicTime.Stride) -> P?
  ) -> OpaquePointer? {
    attach(publisher, scheduler) { upstream, clock in
      length(time, argument).flatMap { transform(upstream, clock, $0) }
    }
  }

  /// Whether a scheduler's time advances; false with the last error set. If it does not, a timer is due while it is being made.
  func passes(_ clock: SchedulerClock) -> Bool {
    if !clock.isImmediate { return true }
    _ = fail(STREAMS_INVALID_ARGUMENT, "scheduler is an immediate one: its time does not pass")
    return false
  }
}
