/// A publisher that makes another publisher for each subscriber, when it is subscribed.
///
///     let dice = Deferred { Just(Int.random(in: 1...6)) }
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// The values are those of the publisher that is made.
  public typealias Output = DeferredPublisher.Output
  /// It fails as the publisher that is made does.
  public typealias Failure = DeferredPublisher.Failure

  /// The closure that makes a publisher.
  public let createPublisher: () -> DeferredPublisher

  /// Makes a publisher that calls `createPublisher` for each subscriber.
  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Makes a publisher and attaches `subscriber` to it.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
    createPublisher().subscribe(subscriber)
  }
}
