import CStreams
import Streams

typealias ValuePublisher = AnyPublisher<Value, StreamError>

/// The publisher behind a handle: an upstream, and the stateless steps that wait to be run as one stage.
final class PublisherObject {
  private let upstream: ValuePublisher
  private let steps: [Step]

  init(_ publisher: some Publisher<Value, StreamError>) {
    upstream = publisher.eraseToAnyPublisher()
    steps = []
  }

  private init(_ upstream: ValuePublisher, _ steps: [Step]) {
    self.upstream = upstream
    self.steps = steps
  }

  /// The publisher with one step more.
  func appending(_ step: Step) -> PublisherObject { PublisherObject(upstream, steps + [step]) }

  /// The publisher with its steps in place.
  var publisher: ValuePublisher {
    steps.isEmpty ? upstream : Stage(upstream: upstream, steps: steps).eraseToAnyPublisher()
  }
}

extension Call {
  /// Makes a handle for a publisher.
  func publish(_ publisher: some Publisher<Value, StreamError>) -> OpaquePointer? {
    handle(PublisherObject(publisher), Kind.publisher)
  }

  /// Consumes a publisher's handle: takes over its reference. Returns nil with the last error set.
  ///
  /// A chain is checked once, at its end: a NULL that follows from an earlier failure keeps that failure's error.
  func consume(_ handle: OpaquePointer?, _ argument: StaticString = "publisher") -> PublisherObject? {
    guard handle != nil else {
      if streams_last_status() == STREAMS_OK { _ = refuse(nil, argument) }
      return nil
    }
    return take(handle, argument)
  }

  /// Takes over a reference to a publisher. Returns nil with the last error set.
  func take(_ handle: OpaquePointer?, _ argument: StaticString) -> PublisherObject? {
    var taken: PublisherObject?
    _ = with(UnsafeRawPointer(handle), argument, Kind.publisher) { object in
      let status = release(UnsafeRawPointer(handle))
      if status == STREAMS_OK { taken = object }
      return status
    }
    return taken
  }

  /// Consumes a publisher and makes a handle of what `transform` makes of it.
  func attach<P: Publisher<Value, StreamError>>(
    _ handle: OpaquePointer?, _ transform: (ValuePublisher) -> P?
  ) -> OpaquePointer? {
    guard let object = consume(handle), let result = transform(object.publisher) else { return nil }
    return publish(result)
  }

  /// A callback's function, or nil with the last error set.
  func required<Function>(_ function: Function?, _ argument: StaticString) -> Function? {
    if function == nil { _ = fail(STREAMS_NULL_ARGUMENT, "\(argument) is NULL") }
    return function
  }
}
