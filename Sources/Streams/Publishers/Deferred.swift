/// A publisher that makes the publisher it stands for when it is subscribed, anew for each subscriber.
///
///     let dice = Deferred { Just(Int.random(in: 1...6)) }
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  /// The closure that makes a publisher.
  public let createPublisher: () -> DeferredPublisher

  /// Makes a publisher that calls `createPublisher` for each subscriber.
  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Failure == S.Failure, Output == S.Input {
    createPublisher().subscribe(subscriber)
  }
}
