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
    /// The publisher whose values say when.
    public let boundaries: Boundaries
    /// At most so many values wait in all windows together; if it is nil, what the demand makes of that.
    public let prefetch: Subscribers.Demand?

    /// Makes the publisher that `window(boundaries:prefetch:)` returns.
    public init(upstream: Upstream, boundaries: Boundaries, prefetch: Subscribers.Demand?) {
      self.upstream = upstream
      self.boundaries = boundaries
      self.prefetch = prefetch
    }

    /// Subscribes to the upstream, and when that has sent its subscription to the other publisher, on behalf of
    /// `subscriber`.
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

private final class WindowByBoundariesInner<Input, Failure: Error>: WindowUntilInner<Input, Failure> {
  let boundaries = SubscriptionSlot()
  private let subscribe: (WindowByBoundariesInner) -> Void

  init(_ prefetch: Subscribers.Demand?, subscribe: @escaping (WindowByBoundariesInner) -> Void) {
    self.subscribe = subscribe
    super.init("WindowByBoundaries", count: nil, prefetch)
  }

  override func start() {
    super.start()
    subscribe(self)
  }

  override func stop() { boundaries.end()?.cancel() }
}

/// Subscribes to the publisher whose values say when.
private final class BoundarySubscriber<Input, Value, Failure: Error>: Subscriber {
  private let parent: WindowByBoundariesInner<Value, Failure>

  init(_ parent: WindowByBoundariesInner<Value, Failure>) { self.parent = parent }

  func receive(subscription: any Subscription) {
    if parent.boundaries.accept(subscription) { subscription.request(.unlimited) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if parent.boundaries.phase == .subscribed { parent.turn() }
    return .none
  }

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
  /// begins, whether or not it has had values. What is demanded is windows: while a window has not been asked for, it goes on.
  /// A window's own subscriber demands its values. What there is no demand for waits, and so does what comes before somebody
  /// has subscribed to its window. So each window has to be subscribed to, or released: one that nobody holds any more, or
  /// that is cancelled, drops its values. With a `prefetch` no more than so many values wait: this publisher is asked for so
  /// many, and for another one for each that has been delivered. The other publisher is asked for all values.
  ///
  /// Without a `prefetch` it depends on the demand. Whoever demands all windows has all values asked for, and nothing is lost;
  /// what comes before a window is subscribed to waits, however much it is. Where a limited number of windows is demanded it is
  /// 256, and where a limited number of a window's values is and this publisher has its values ready, as a sequence has.
  ///
  /// The window that is open finishes or fails when one of the publishers does, after its values, and then so does the stream;
  /// the other one is cancelled. When the stream is cancelled, the window goes on if it has been subscribed to; both publishers
  /// are cancelled with it. The publishers may send from different threads; a window's values come on the thread
  /// that sends or that requests them.
  ///
  ///     let cancellable = keys.window(boundaries: pauses).flatMap { $0.collect() }.sink { print("typed:", $0) }
  ///
  /// - Parameters:
  ///   - boundaries: The publisher whose values say when.
  ///   - prefetch: How many values may wait, in all windows together; nil for what the demand makes of it.
  public func window<Boundaries: Publisher>(
    boundaries: Boundaries, prefetch: Subscribers.Demand? = nil
  ) -> Publishers.WindowByBoundaries<Self, Boundaries> where Boundaries.Failure == Failure {
    Publishers.WindowByBoundaries(upstream: self, boundaries: boundaries, prefetch: prefetch)
  }
}
