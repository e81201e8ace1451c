public import Streams

extension Publishers {
  /// A publisher of windows of its upstream's values, so many values each.
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
    /// How many values after another window the next begins.
    public let skip: Int
    /// At most so many values wait in all windows together; if it is nil, what the demand makes of that.
    public let prefetch: Subscribers.Demand?

    /// Makes the publisher that `window(count:skip:prefetch:)` returns.
    public init(upstream: Upstream, count: Int, skip: Int, prefetch: Subscribers.Demand?) {
      self.upstream = upstream
      self.count = count
      self.skip = skip
      self.prefetch = prefetch
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = WindowByCountInner<Upstream.Output, Failure>(
        WindowState(count: count, skip: skip), prefetch)
      inner.begin(Downstream(subscriber))
      upstream.subscribe(inner)
    }
  }
}

extension Publishers.WindowByCount: Equatable where Upstream: Equatable {}

private final class WindowByCountInner<Input, Failure: Error>: WindowInner<Input, Failure> {
  /// In turn.
  private let state: Cell<WindowState>

  init(_ state: WindowState, _ prefetch: Subscribers.Demand?) {
    self.state = Cell(state)
    super.init("WindowByCount", prefetch: prefetch)
  }

  override func route(_ batch: UnsafeBufferPointer<Input>) -> Int {
    var (start, gone) = (0, 0)
    // From within a value that another window is yet to be told.
    sendWindow()
    while start < batch.count {
      let run = state.value.next(batch.count - start)
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
  /// Divides values into windows of so many, each of which is a publisher.
  ///
  /// A window is sent with its first value, and what is demanded is windows; a window's own subscriber demands its values.
  /// It finishes with its last value. With a `skip` greater than `count` the values in between are dropped; with a smaller
  /// one windows overlap, and a value goes to each that is open. What there is no demand for waits, and so does what comes
  /// before somebody has subscribed to its window. So each window has to be subscribed to, or released: one that nobody holds
  /// any more, or that is cancelled, drops its values. With a `prefetch` no more than so many values wait: the upstream is
  /// asked for so many, and for another one for each that has been delivered. Where windows overlap a value counts once for
  /// each.
  ///
  /// Without one it depends on the demand. Whoever demands all windows has all values asked for, and nothing is lost; what
  /// comes before a window is subscribed to waits, however much it is. Where a limited number of windows is demanded it is
  /// 256, and where a limited number of a window's values is and the upstream has its values ready, as a sequence has.
  ///
  /// A window is over before its last value is told: what somebody sends who is told that belongs to the next one.
  ///
  /// The windows that are open finish or fail when this publisher does, after their values, and then so does the stream.
  /// When that is cancelled, the windows that have been subscribed to go on; this publisher is cancelled with the last of them. A
  /// window's values come on the thread that sends or that requests them.
  ///
  ///     let cancellable = (1...5).publisher.window(count: 2).flatMap { $0.reduce(0, +) }.sink { print($0) }  // 3, 7, 5
  ///
  /// - Parameters:
  ///   - count: How many values a window has.
  ///   - skip: How many values after another window the next begins; as many as it has, if it is left out.
  ///   - prefetch: How many values may wait, in all windows together; nil for what the demand makes of it.
  public func window(
    count: Int, skip: Int? = nil, prefetch: Subscribers.Demand? = nil
  ) -> Publishers.WindowByCount<Self> {
    Publishers.WindowByCount(upstream: self, count: count, skip: skip ?? count, prefetch: prefetch)
  }
}
