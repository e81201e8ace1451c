/// Sends what a publisher delivers into a subject, and is the subject's subscription to that publisher.
///
/// It does not keep the subject alive; the subject retains it, and cancels it when the subject is released.
@usableFromInline
final class SubjectSubscriber<Target: Subject>: UpstreamLink, Subscriber, CustomStringConvertible,
  CustomReflectable, CustomPlaygroundDisplayConvertible
{
  @usableFromInline typealias Input = Target.Output
  @usableFromInline typealias Failure = Target.Failure

  /// Written at initialization only, so that it can be read without a lock.
  @usableFromInline weak var target: Target?

  @inlinable
  init(_ target: Target) { self.target = target }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard upstream.accept(subscription) else { return }
    target?.send(subscription: self)
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if upstream.phase == .subscribed { target?.send(input) }
    return .none
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard upstream.phase == .subscribed, let target else { return .refused() }
    if batch.isSingle { target.send(contentsOf: batch) } else { pass(batch) { target.send(contentsOf: $0) } }
    return .none
  }

  /// Sends a batch, and records the subscription through which it comes: once that is cancelled, the rest is not
  /// delivered.
  @usableFromInline @inline(never)
  func pass(_ batch: UnsafeBufferPointer<Input>, _ send: (UnsafeBufferPointer<Input>) -> Void) {
    let record = BatchProgress.begin(at: UnsafeRawPointer(batch.baseAddress))
    record.pointee.begin(delivering: batch)
    record.pointee.link = .passUnretained(self)
    send(batch)
    BatchProgress.end(record)
  }

  /// Avoids the weak reference, which costs more to load than a value to send.
  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard let send = target?._sender() else { return { self.receive(contentsOf: $0) } }
    return { batch in
      guard self.upstream.phase == .subscribed else { return .refused() }
      if batch.isSingle { send(batch) } else { self.pass(batch, send) }
      return .none
    }
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if upstream.endIfSubscribed() != nil { target?.send(completion: completion) }
  }

  @usableFromInline var description: String { "Subject" }
  @usableFromInline var customMirror: Mirror {
    let subject = target as Any
    return Mirror(
      self,
      children: [
        "downstreamSubject": subject, "upstreamSubscription": upstream.current as Any, "subject": subject,
      ])
  }
  @usableFromInline var playgroundDescription: Any { description }
}

extension Publisher {
  /// Sends everything this publisher delivers into `subject`.
  ///
  /// The subject decides on the demand. The subscription ends when the result is cancelled or released, and when the
  /// subject is released.
  ///
  ///     let cancellable = [1, 2, 3].publisher.subscribe(subject)
  @inlinable
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where Failure == S.Failure, Output == S.Output {
    AnyCancellable(connect(to: subject))
  }

  /// Subscribes a subject and returns the connection. Several threads may cancel it; it is cancelled when any of their
  /// calls returns. `begun` gets the connection first: this publisher may send without end while it is being subscribed
  /// to.
  @inlinable
  package func connect<S: Subject>(
    to subject: S, _ begun: (any Cancellable) -> Void = { _ in }
  ) -> any Cancellable & AnyObject where Failure == S.Failure, Output == S.Output {
    let subscriber = SubjectSubscriber(subject)
    begun(subscriber)
    subscribe(subscriber)
    return subscriber
  }
}
