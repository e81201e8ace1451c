import Streams

/// The type of all publishers in the C ABI.
typealias ValuePublisher = AnyPublisher<Value, StreamError>

extension AnyPublisher where Output == Value, Failure == StreamError {
  static func failing(_ error: StreamError) -> Self { Fail(error: error).eraseToAnyPublisher() }
}
