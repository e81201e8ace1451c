import CStreams
import Streams
import StreamsCallbacks

/// A cold publisher of a host's iterable.
struct HostPublisher: Publisher {
  typealias Output = Value
  typealias Failure = StreamError

  /// Not called: it only keeps the iterable.
  let iterable: Callable

  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == StreamError {
    let emitter = Emitter(subscriber: subscriber)
    let host = iterable.host
    let iterator = host.entered { () -> Result<Callable, StreamError> in
      guard let iterator = host.calling({ host.table.iterate(iterable.function) }) else {
        return .failure(host.takeError())
      }
      defer { host.release(iterator) }
      return .success(Callable(host, iterator))
    }
    switch iterator ?? .failure(host.retiredError) {
    case .success(let iterator):
      emitter.start(
        Emitter.Source(
          produce: { pull(iterator, into: $0, $1) }, close: { withExtendedLifetime(iterator) {} }))
    case .failure(let error):
      _ = emitter.send(completion: .failure(error))
      emitter.start(Emitter.Source(produce: { _, _ in nil }, close: {}))
    }
  }

  /// Takes one item for each value demanded. Returns the failure, if the iterator has raised an error.
  private func pull(
    _ iterator: Callable, into emitter: Emitter<Value, StreamError>, _ demand: Subscribers.Demand
  ) -> StreamError? {
    let host = iterator.host
    let outcome = host.entered { () -> StreamError? in
      var left = demand.max ?? Int.max
      while left > 0, !emitter.isAbandoned {
        guard let item = host.next(iterator.function) else {
          if let error = host.takePendingError() { return error }
          _ = emitter.send(completion: .finished)
          return nil
        }
        defer { host.release(item) }
        host.withValue(borrowing: item) { _ = emitter.send(UnsafeBufferPointer(start: $0, count: 1)) }
        left -= 1
      }
      return nil
    }
    return outcome ?? host.retiredError
  }
}
