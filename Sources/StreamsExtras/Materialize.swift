public import Streams

/// A value or the end of a stream, as a value.
public enum Event<Output, Failure: Error> {
  /// A value.
  case value(Output)
  /// The stream has failed.
  case failure(Failure)
  /// The stream has finished.
  case finished
}

extension Event: Equatable where Output: Equatable, Failure: Equatable {}
extension Event: Hashable where Output: Hashable, Failure: Hashable {}
extension Event: Sendable where Output: Sendable {}

extension Publisher {
  /// Sends this publisher's values and its end as events.
  ///
  /// The stream itself cannot fail. It finishes after sending the end, which waits for demand as any value does. Cancellation
  /// passes through.
  ///
  ///     let cancellable = Fail<Int, URLError>(error: URLError(.timedOut)).materialize().sink { print($0) }
  ///
  /// ``Streams/Publisher/dematerialize()`` converts in the other direction.
  @inlinable
  public func materialize() -> some Publisher<Event<Output, Failure>, Never> {
    map(Event.value).append(.finished).catch { Just(Event.failure($0)) }.strict()
  }

  /// Turns events into what they stand for: values, the finish and the failure of a stream.
  ///
  /// The first event that is an end cancels this publisher and ends the stream. The stream also finishes when this publisher
  /// finishes without such an event. Demand and cancellation pass through.
  ///
  ///     let cancellable = events.dematerialize().sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  @inlinable
  public func dematerialize<Value, Error>() -> some Publisher<Value, Error>
  where Output == Event<Value, Error>, Failure == Never {
    doingWhatEventsSay()
  }

  /// Dematerializes a publisher that may itself fail with the events' error. `dematerialize()` takes one that cannot fail.
  @inlinable
  package func doingWhatEventsSay<Value, Error>() -> some Publisher<Value, Error>
  where Output == Event<Value, Error> {
    tryPrefix { event in
      switch event {
      case .value: return true
      case .finished: return false
      case .failure(let error): throw error
      }
    }.compactMap { event in
      if case .value(let value) = event { value } else { nil }
    }.mapError { $0 as! Error }
  }
}
