public import Streams

extension Publishers {
  /// A publisher of windows of its upstream's values, each with the same number of values.
  ///
  /// Made by `Publisher/window(count:skip:prefetch:)`, which describes it.
  public struct WindowByCount<Upstream: Publisher>: Publisher {
    /// The values are publishers.
    public typealias Output = WindowPublisher<Upstream.Output, Upstream.Failure>
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are divided.
    public let upstream: Upstream
    /// How many values a window has.
    public let count: Int
    /// How many values after the beginning of a window the next one begins.
    public let skip: Int
    /// The greatest number of values that wait in all windows together; if nil, the demand decides.
    public let prefetch: Subscribers.Demand?

    /// Makes the publisher that `window(count:skip:prefetch:)` returns.
    @inlinable
    public init(upstream: Upstream, count: Int, skip: Int, prefetch: Subscribers.Demand?) {
      self.upstream = upstream
      self.count = count
      self.skip = skip
      self.prefetch = prefetch
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = WindowByCountInner<Upstream.Output, Failure>(
        WindowState(count: count, skip: skip), prefetch)
      inner.begin(Downstream(subscriber))
      upstream.subscribe(inner)
    }
  }
}

extension Publishers.WindowByCount: Equatable where Upstream: Equatable {}

@usableFromInline
final class WindowByCountInner<Input, Failure: Error>: WindowInner<Input, Failure>, BatchSubscriber {
  /// Accessed only in the serializer.
  @usableFromInline let windowState: Cell<WindowState>

  @inlinable
  init(_ state: WindowState, _ prefetch: Subscribers.Demand?) {
    windowState = Cell(state)
    super.init("WindowByCount", prefetch: prefetch)
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    batch.isSingle ? accept(batch) { route($0) } : receive(inStep: batch)
  }

  @inlinable
  override func route(_ batch: UnsafeBufferPointer<Input>) -> Int {
    var (start, gone) = (0, 0)
    // This call may come from within a value for which a window has been opened and not sent yet.
    sendWindow()
    while start < batch.count {
      let run = windowState.value.next(batch.count - start)
      if run.opens { open() }
      let windows = inner
      let complete = run.closes ? takeOldest() : nil
      gone += send(UnsafeBufferPointer(rebasing: batch[start..<start + run.count]), to: windows)
      sendWindow()
      if let complete { finish(complete) }
      start += run.count
    }
    return gone
  }
}

extension Publisher {
  /// Divides values into windows of `count` values, each of which is a publisher.
  ///
  /// A window is sent with its first value and finishes with its last one. The stream's demand counts windows; a window's own
  /// subscriber demands its values. With a `skip` greater than `count` the values in between are dropped; with a smaller one
  /// windows overlap, and a value goes to each open window. Values wait for demand, and until their window has a subscriber. So
  /// each window must be subscribed to or released: a window that is released or cancelled drops its values. With a `prefetch` at
  /// most that many values wait: the upstream is asked for that many, and for one more for each that has been delivered. Where
  /// windows overlap, a value counts once for each.
  ///
  /// Without a `prefetch` the limit depends on the demand. With unlimited demand for windows the upstream is asked for all
  /// values, and nothing is lost: any number of values waits until their window has a subscriber. The limit is 256 while the
  /// demand for windows is limited, and also while the demand for a window's values is limited and the upstream has its values
  /// ready, as a sequence does.
  ///
  /// A window is closed before its last value is delivered: a value that is sent during that delivery belongs to the next one.
  ///
  /// The open windows finish or fail when this publisher does, after their values, and then the stream does. When the stream is
  /// cancelled, the windows that have subscribers go on; this publisher is cancelled with the last of them. A window's values
  /// arrive on the thread that sends them or that requests them.
  ///
  ///     let cancellable = (1...5).publisher.window(count: 2).flatMap { $0.reduce(0, +) }.sink { print($0) }  // 3, 7, 5
  ///
  /// - Parameters:
  ///   - count: How many values a window has.
  ///   - skip: How many values after the beginning of a window the next one begins; by default `count`.
  ///   - prefetch: How many values may wait, in all windows together; if nil, the demand decides.
  @inlinable
  public func window(
    count: Int, skip: Int? = nil, prefetch: Subscribers.Demand? = nil
  ) -> Publishers.WindowByCount<Self> {
    Publishers.WindowByCount(upstream: self, count: count, skip: skip ?? count, prefetch: prefetch)
  }
}
