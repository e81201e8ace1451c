import Synchronization

extension Subscribers {
  /// A subscriber that assigns each value to a property of an object.
  ///
  /// It requests an unlimited number of values, and keeps the object alive until it is cancelled or completed.
  public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
  {
    /// It cannot receive a failure.
    public typealias Failure = Never

    /// The property that is assigned.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    private let target: Lock<Root?>
    private let upstream = SubscriptionSlot()

    /// Makes a subscriber that assigns to `object[keyPath: keyPath]`.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      target = Lock(object)
      self.keyPath = keyPath
    }

    /// The object whose property is assigned, until the subscriber is cancelled or completed.
    public var object: Root? { target.withLock { $0 } }

    /// Requests unlimited values; a second subscription is cancelled.
    public func receive(subscription: any Subscription) {
      if upstream.accept(subscription) { subscription.request(.unlimited) }
    }

    /// Assigns the value, unless the subscriber has no subscription.
    public func receive(_ value: Input) -> Demand {
      guard upstream.current != nil else { return .refused() }
      object?[keyPath: keyPath] = value
      return .none
    }

    /// Ends the subscription and releases the object.
    public func receive(completion: Completion<Never>) {
      if upstream.endIfSubscribed() != nil { releaseObject() }
    }

    /// Cancels the subscription and releases the object. May be called from any thread.
    ///
    /// If there is no subscription yet, the object stays, and the subscription is cancelled when it comes.
    public func cancel() {
      BatchProgress.noteAction()
      guard let subscription = upstream.end() else { return }
      releaseObject()
      subscription.cancel()
    }

    private func releaseObject() {
      // Taken out first: the object's deinitializer must not run under the lock.
      let released = target.withLock { $0.take() }
      withExtendedLifetime(released) {}
    }

    /// `Assign` and the type of the object.
    public var description: String { "Assign \(Root.self)." }
    /// Shows the object, the key path and the subscription's state.
    public var customMirror: Mirror {
      let status = upstream.state.withLock { $0 }
      return Mirror(self, children: ["object": object as Any, "keyPath": keyPath, "status": status])
    }
    /// What a playground shows: the description.
    public var playgroundDescription: Any { description }
  }
}

extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object.
  ///
  /// Requests an unlimited number of values immediately. The object is kept alive until the publisher completes or
  /// the result is cancelled or released.
  ///
  ///     let cancellable = names.assign(to: \.title, on: page)
  public func assign<Root>(
    to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    let subscriber = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}
