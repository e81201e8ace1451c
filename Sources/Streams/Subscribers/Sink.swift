extension Subscribers {
  /// A subscriber that requests an unlimited number of values and hands them to closures.
  ///
  /// Cancelling or completing releases the closures.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  {
    @usableFromInline typealias Closures = SinkClosures<Input, Failure>

    /// The closures, as an object whose type has no parameters (see `Lock`).
    @usableFromInline let closures: Lock<SinkClosuresBase?>
    private let subscription = SubscriptionSlot()

    /// Makes a sink of two closures, one for values and one for the completion.
    @inlinable
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      closures = Lock(Closures(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
    }

    /// The closure that receives values; does nothing once the sink has ended.
    public var receiveValue: (Input) -> Void { current?.receiveValue ?? { _ in } }

    /// The closure that receives the completion; does nothing once the sink has ended.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      current?.receiveCompletion ?? { _ in }
    }

    @inlinable
    var current: Closures? {
      closures.withLock { $0 }.map { unsafeDowncast($0, to: Closures.self) }
    }

    /// Requests unlimited values; a second subscription is cancelled.
    public func receive(subscription new: any Subscription) {
      if subscription.accept(new) { new.request(.unlimited) }
    }

    /// Hands the value to the closure. Returns no demand, since all values are requested already.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      current?.receiveValue(value)
      return .none
    }

    /// Hands the values of the batch to the closure, one after the other.
    @inlinable
    public func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
      current?.receive(contentsOf: batch)
      return .none
    }

    /// Captures the closures and not the sink: whoever delivers keeps them alive until it returns.
    @inlinable
    public func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand {
      guard let current else { return { _ in .none } }
      return { batch in
        current.receive(contentsOf: batch)
        return .none
      }
    }

    /// Releases both closures and hands the completion to its own.
    public func receive(completion: Subscribers.Completion<Failure>) {
      _ = subscription.end()
      guard let ended = end() else { return }
      unsafeDowncast(ended, to: Closures.self).receiveCompletion(completion)
    }

    /// Cancels the subscription, if there is one, and releases the closures. May be called from any thread.
    public func cancel() {
      guard let taken = subscription.cancel() else { return }
      let ended = end()
      taken.cancel()
      withExtendedLifetime(ended) {}
    }

    /// Takes the closures out, so that they are released, outside of the lock, by the caller.
    private func end() -> SinkClosuresBase? {
      let taken = closures.withLock { $0.take() }
      taken?.isActive.store(false, ordering: .relaxed)
      return taken
    }

    /// Always `Sink`.
    public var description: String { "Sink" }
    /// Shows no children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    /// The same as the description.
    public var playgroundDescription: Any { description }
  }
}
