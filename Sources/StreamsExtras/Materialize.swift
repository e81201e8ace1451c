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
  /// Sends what this publisher does as values: each of its values, and then its end.
  ///
  /// The stream itself cannot fail. It finishes when the end has been sent, which waits for demand as any value does.
  /// Cancellation passes through.
  ///
  ///     let cancellable = Fail<Int, URLError>(error: URLError(.timedOut)).materialize().sink { print($0) }
  ///
  /// ``Streams/Publisher/dematerialize()`` is the way back.
  @inlinable
  public func materialize() -> some Publisher<Event<Output, Failure>, Never> {
    map(Event.value).append(.finished).catch { Just(Event.failure($0)) }.strict()
  }

  /// Does what the values say that another stream has done: sends values, finishes and fails.
  ///
  /// With the first event that is an end this publisher is cancelled, and the stream ends. It finishes, too, when this
  /// publisher does without such an event. Demand and cancellation pass through.
  ///
  ///     let cancellable = events.dematerialize().sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  @inlinable
  public func dematerialize<Value, Error>() -> some Publisher<Value, Error>
  where Output == Event<Value, Error>, Failure == Never {
    doingWhatEventsSay()
  }

  /// The same for a publisher that may itself fail as the events do.
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
