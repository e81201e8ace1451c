/// The values of a publisher that cannot fail, as an asynchronous sequence.
///
/// Each iterator has its own subscription, begun when it is made, and requests one value at a time; values beyond the
/// demand, such as an object's changes, are dropped. The subscription ends when the iterator is released or a task that
/// waits for it is cancelled.
///
///     for await value in publisher.values { print(value) }
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  /// The elements are the publisher's values.
  public typealias Element = P.Output
  /// The iterator that a loop over the sequence makes.
  public typealias AsyncIterator = Iterator

  private let publisher: P

  /// Makes a sequence of the publisher's values.
  public init(_ publisher: P) { self.publisher = publisher }

  /// Subscribes to the publisher and returns the iterator over its values.
  public func makeAsyncIterator() -> Iterator {
    let iterator = Iterator()
    publisher.subscribe(iterator.subscription.subscriber)
    return iterator
  }

  /// Returns the publisher's values one after the other.
  ///
  /// It has a subscription of its own, which is cancelled when the iterator is released.
  public struct Iterator: AsyncIteratorProtocol {
    /// The elements are the publisher's values.
    public typealias Element = P.Output

    fileprivate let subscription = AsyncSubscription<P.Output, Never>()

    /// Requests a value and waits for it; nil after the end.
    public nonisolated(nonsending) mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// Requests a value and waits for it, on the calling actor; nil after the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      switch await subscription.subscriber.next(isolation: actor) {
      case .success(let value): return value
      case .failure: return nil
      }
    }
  }
}

/// The values of a publisher that may fail, as an asynchronous sequence that throws the failure.
///
/// Each iterator has its own subscription, begun when it is made, and requests one value at a time; values beyond the
/// demand, such as an object's changes, are dropped. The subscription ends when the iterator is released or a task that
/// waits for it is cancelled.
///
///     for try await value in publisher.values { print(value) }
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// The elements are the publisher's values.
  public typealias Element = P.Output
  /// The iterator that a loop over the sequence makes.
  public typealias AsyncIterator = Iterator

  private let publisher: P

  /// Makes a sequence of the publisher's values.
  public init(_ publisher: P) { self.publisher = publisher }

  /// Subscribes to the publisher and returns the iterator over its values, which throws its failure.
  public func makeAsyncIterator() -> Iterator {
    let iterator = Iterator()
    publisher.subscribe(iterator.subscription.subscriber)
    return iterator
  }

  /// Returns the publisher's values one after the other.
  ///
  /// It has a subscription of its own, which is cancelled when the iterator is released.
  public struct Iterator: AsyncIteratorProtocol {
    /// The elements are the publisher's values.
    public typealias Element = P.Output

    fileprivate let subscription = AsyncSubscription<P.Output, P.Failure>()

    /// Requests a value and waits for it; nil after the end. Throws the publisher's failure once.
    public nonisolated(nonsending) mutating func next() async throws -> Element? {
      try await next(isolation: #isolation)
    }

    /// Requests a value and waits for it, on the calling actor; nil after the end. Throws the publisher's failure once.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await subscription.subscriber.next(isolation: actor).get()
    }
  }
}

extension Publisher where Failure == Never {
  /// The values of this publisher, as an asynchronous sequence.
  ///
  /// Each loop over it has its own subscription and requests one value at a time: the publisher sends only as fast as
  /// the loop runs. Leaving the loop, and cancelling the task, cancels the subscription.
  ///
  ///     for await number in [1, 2, 3].publisher.values { print(number) }
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values of this publisher, as an asynchronous sequence that throws its failure.
  ///
  /// Each loop over it has its own subscription and requests one value at a time: the publisher sends only as fast as
  /// the loop runs. Leaving the loop, and cancelling the task, cancels the subscription.
  ///
  ///     for try await line in lines.values { print(line) }
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}
