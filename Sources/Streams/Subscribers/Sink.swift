extension Subscribers {
  /// A subscriber that requests an unlimited number of values and passes them to closures.
  ///
  /// Cancelling or completing releases the closures.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  {
    @usableFromInline typealias Closures = SinkClosures<Input, Failure>

    /// The closures, as an object whose type is not generic (see `Lock`).
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

    /// Passes the value to the closure. Returns no demand, since all values are requested already.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      guard let current else { return .refused() }
      current.receiveValue(value)
      return .none
    }

    /// Passes the values of the batch to the closure, one after the other.
    @inlinable
    public func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
      current?.receive(contentsOf: batch) ?? .refused()
    }

    /// Captures the closures and not the sink: an upstream keeps them alive while it delivers.
    @inlinable
    public func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand {
      guard let current else { return { _ in .refused() } }
      return { current.receive(contentsOf: $0) }
    }

    /// Passes the completion to its closure and releases both closures.
    public func receive(completion: Subscribers.Completion<Failure>) {
      _ = subscription.end()
      guard let ended = end() else { return }
      unsafeDowncast(ended, to: Closures.self).receiveCompletion(completion)
    }

    /// Cancels the subscription and releases the closures. May be called from any thread.
    ///
    /// A sink that has no subscription yet keeps its closures, as in Combine, and cancels the subscription when
    /// it comes.
    public func cancel() {
      BatchProgress.noteAction()
      let isAwaiting = subscription.phase == .awaiting
      let taken = subscription.end()
      if isAwaiting, taken == nil { return }
      // Also if another thread is cancelling already: after `cancel` has returned, no closure is called.
      let ended = end()
      taken?.cancel()
      withExtendedLifetime(ended) {}
    }

    /// Takes the closures out, so that the caller releases them outside of the lock. They are deactivated under the
    /// lock: a second caller finds nothing to take, and must not return before that.
    private func end() -> SinkClosuresBase? {
      closures.withLock { closures in
        closures?.isActive.store(false, ordering: .relaxed)
        return closures.take()
      }
    }

    /// Always `Sink`.
    public var description: String { "Sink" }
    /// Shows no children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    /// What a playground shows: the description.
    public var playgroundDescription: Any { description }
  }
}

extension Publisher {
  /// Attaches a subscriber with closures, one for the completion and one for values.
  ///
  /// Requests an unlimited number of values immediately. The closures are called on the thread on which the
  /// publisher sends, never by two threads at a time. The subscription ends when the result is cancelled or
  /// released; the closures are released then, or after the completion.
  ///
  ///     let cancellable = [1, 2, 3].publisher.sink(
  ///       receiveCompletion: { print("completion: \($0)") },
  ///       receiveValue: { print("value: \($0)") })
  @inlinable
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a subscriber with a closure for values, to a publisher that cannot fail.
  ///
  /// Requests an unlimited number of values immediately. The closure is called on the thread on which a value is
  /// sent, never by two threads at a time. The subscription ends when the result is cancelled or released, or when
  /// the publisher finishes, of which the closure is not notified.
  ///
  ///     let cancellable = [1, 2, 3].publisher.sink { print($0) }
  ///     // 1, 2, 3
  @inlinable
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
