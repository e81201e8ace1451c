public import Streams

/// A publisher of one value that the server, or another program, answers with.
///
/// What it asks is sent when a subscriber demands the answer, anew for each subscriber. Made by ``Connection/request(_:to:timeout:)``
/// and ``Connection/store(_:in:)``, which describe it.
///
///     let answer = try await connection.request("now", to: "time").value
public struct Answer<Output>: Publisher {
  /// It fails if there is no answer.
  public typealias Failure = NATSError

  let publisher: AnyPublisher<Output, NATSError>

  /// Asks on behalf of `subscriber`.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == NATSError {
    publisher.receive(subscriber: subscriber)
  }
}

extension Answer where Output: Sendable {
  /// Asks, and waits for the answer. Throws a ``NATSError``, or a `CancellationError` if the task is cancelled.
  public var value: Output {
    get async throws {
      for try await value in publisher.values { return value }
      throw CancellationError()
    }
  }
}
