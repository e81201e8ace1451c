import CStreams
import Streams
import StreamsSchedulers

@_cdecl("streams_debounce") @implementation
public func streams_debounce(
  _ publisher: OpaquePointer!, _ due_time: streams_nanoseconds, _ scheduler: OpaquePointer!
) -> OpaquePointer! {
  Call("streams_debounce").attach(publisher, scheduler, due_time, "due_time") {
    Guarded($0.debounce(for: $2, scheduler: $1))
  }
}

extension Call {
  /// Consumes a publisher and makes a handle of what `transform` makes of it with a scheduler.
  func attach<P: Publisher<Value, StreamError>>(
    _ publisher: OpaquePointer?, _ scheduler: OpaquePointer?,
    _ transform: (ValuePublisher, SchedulerClock) -> P?
  ) -> OpaquePointer? {
    attach(publisher) { upstream in
      object(scheduler, "scheduler", Kind.scheduler).flatMap { transform(upstream, $0.clock) }
    }
  }

  /// The same with a length of time.
  func attach<P: Publisher<Value, StreamError>>(
    _ publisher: OpaquePointer?, _ scheduler: OpaquePointer?, _ time: streams_nanoseconds,
    _ argument: StaticString,
    _ transform: (ValuePublisher, SchedulerClock, MonotonicTime.Stride) -> P
  ) -> OpaquePointer? {
    attach(publisher, scheduler) { upstream, clock in
      length(time, argument).map { transform(upstream, clock, $0) }
    }
  }
}
