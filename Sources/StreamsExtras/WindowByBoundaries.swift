public import Streams

extension Publishers {
  /// A publisher of windows of its upstream's values, whose boundaries are another publisher's values.
  ///
  /// Made by `Publisher/window(boundaries:prefetch:)`, which describes it.
  public struct WindowByBoundaries<Upstream: Publisher, Boundaries: Publisher>: Publisher
  where Upstream.Failure == Boundaries.Failure {
    /// The values are publishers.
    public typealias Output = WindowPublisher<Upstream.Output, Upstream.Failure>
    /// It fails as its publishers do.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are divided.
    public let upstream: Upstream
    /// The publisher whose values are the boundaries.
    public let boundaries: Boundaries
    /// The greatest number of values that wait in all windows together; if nil, the demand decides.
    public let prefetch: Subscribers.Demand?

    /// Makes the publisher that `window(boundaries:prefetch:)` returns.
    public init(upstream: Upstream, boundaries: Boundaries, prefetch: Subscribers.Demand?) {
      self.upstream = upstream
      self.boundaries = boundaries
      self.prefetch = prefetch
    }

    /// Subscribes to the upstream on behalf of `subscriber`, and, when the upstream has sent its subscription, to the other
    /// publisher.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = WindowByBoundariesInner<Upstream.Output, Failure>(prefetch) { [boundaries] parent in
        boundaries.subscribe(BoundarySubscriber<Boundaries.Output, Upstream.Output, Failure>(parent))
      }
      inner.begin(Downstream(subscriber))
      upstream.subscribe(inner)
    }
  }
}

extension Publishers.WindowByBoundaries: Equatable where Upstream: Equatable, Boundaries: Equatable {}

@usableFromInline
final class WindowByBoundariesInner<Input, Failure: Error>: WindowUntilInner<Input, Failure> {
  @usableFromInline let boundaries = SubscriptionSlot()
  @usableFromInline let subscribe: (WindowByBoundariesInner) -> Void

  @inlinable
  init(_ prefetch: Subscribers.Demand?, subscribe: @escaping (WindowByBoundariesInner) -> Void) {
    self.subscribe = subscribe
    super.init("WindowByBoundaries", count: nil, prefetch)
  }

  @usableFromInline
  override func start() {
    super.start()
    subscribe(self)
  }

  @usableFromInline
  override func stop() { boundaries.end()?.cancel() }
}

/// Subscribes to the publisher whose values are the boundaries.
@usableFromInline
final class BoundarySubscriber<Input, Value, Failure: Error>: Subscriber {
  @usableFromInline let parent: WindowByBoundariesInner<Value, Failure>

  @inlinable
  init(_ parent: WindowByBoundariesInner<Value, Failure>) { self.parent = parent }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if parent.boundaries.accept(subscription) { subscription.request(.unlimited) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if parent.boundaries.phase == .subscribed { parent.turn() }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard let ended = parent.boundaries.end() else { return }
    parent.upstream.end()?.cancel()
    parent.end(completion)
    withExtendedLifetime(ended) {}
  }
}

extension Publisher {
  /// Divides values into windows, each of which is a publisher, at the moments when another publisher sends a value.
  ///
  /// The first window is sent at the subscription. With each value of the other publisher the window finishes and another one
  /// begins, whether or not it has had values. The stream's demand counts windows: a window stays open until it has been
  /// requested. A window's own subscriber demands its values. Values wait for demand, and until their window has a subscriber. So
  /// each window must be subscribed to or released: a window that is released or cancelled drops its values. With a `prefetch` at
  /// most that many values wait: this publisher is asked for that many, and for one more for each that has been delivered. The
  /// other publisher is asked for all values.
  ///
  /// Without a `prefetch` the limit depends on the demand. With unlimited demand for windows this publisher is asked for all
  /// values, and nothing is lost: any number of values waits until their window has a subscriber. The limit is 256 while the
  /// demand for windows is limited, and also while the demand for a window's values is limited and this publisher has its values
  /// ready, as a sequence does.
  ///
  /// The open window finishes or fails when one of the publishers does, after its values, and then the stream does; the other
  /// publisher is cancelled. When the stream is cancelled, a window that has a subscriber goes on, and both publishers are
  /// cancelled with it. The publishers may send from different threads. A window's values arrive on the thread that sends them or
  /// that requests them.
  ///
  ///     let cancellable = keys.window(boundaries: pauses).flatMap { $0.collect() }.sink { print("typed:", $0) }
  ///
  /// - Parameters:
  ///   - boundaries: The publisher whose values are the boundaries.
  ///   - prefetch: How many values may wait, in all windows together; if nil, the demand decides.
  public func window<Boundaries: Publisher>(
    boundaries: Boundaries, prefetch: Subscribers.Demand? = nil
  ) -> Publishers.WindowByBoundaries<Self, Boundaries> where Boundaries.Failure == Failure {
    Publishers.WindowByBoundaries(upstream: self, boundaries: boundaries, prefetch: prefetch)
  }
}
