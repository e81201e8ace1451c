public import Streams

extension Publishers {
  /// A publisher of windows of its upstream's values, by the clock.
  ///
  /// Made by `Publisher/window(_:options:prefetch:)`, which describes it.
  public struct WindowByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The values are publishers.
    public typealias Output = WindowPublisher<Upstream.Output, Upstream.Failure>
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are divided.
    public let upstream: Upstream
    /// When a window ends and another one begins.
    public let strategy: Publishers.TimeGroupingStrategy<Context>
    /// The scheduler's options.
    public let options: Context.SchedulerOptions?
    /// The greatest number of values that wait in all windows together; if nil, the demand decides.
    public let prefetch: Subscribers.Demand?

    /// Makes the publisher that `window(_:options:prefetch:)` returns.
    public init(
      upstream: Upstream, strategy: Publishers.TimeGroupingStrategy<Context>,
      options: Context.SchedulerOptions?, prefetch: Subscribers.Demand?
    ) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
      self.prefetch = prefetch
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (scheduler, interval, count) = strategy.parts
      let inner = WindowByTimeInner<Upstream.Output, Failure>(count: count, prefetch) { [options] in
        scheduler.schedule(
          after: scheduler.now.advanced(by: interval), interval: interval,
          tolerance: scheduler.minimumTolerance, options: options, $0)
      }
      inner.begin(Downstream(subscriber))
      upstream.subscribe(inner)
    }
  }
}

/// The subscriber to a publisher that is divided into windows by something other than its values. Exactly one window is open at
/// any time.
@usableFromInline
class WindowUntilInner<Input, Failure: Error>: WindowInner<Input, Failure>, BatchSubscriber {
  /// How many values the window has got. Accessed only in the serializer.
  @usableFromInline let size = Cell(0)
  @usableFromInline let greatestSize: Int

  @usableFromInline
  init(_ name: String, count: Int?, _ prefetch: Subscribers.Demand?) {
    precondition(count.map { $0 > 0 } ?? true, "a window holds at least one value")
    greatestSize = count ?? .max
    super.init(name, prefetch: prefetch)
  }

  @usableFromInline
  override func start() {
    serializer.run { [self] in
      open()
      sendWindow()
    }
  }

  @inlinable
  final func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    batch.isSingle ? accept(batch) { route($0) } : receive(inStep: batch)
  }

  @inlinable
  override final func route(_ batch: UnsafeBufferPointer<Input>) -> Int {
    var (start, gone) = (0, 0)
    // This call may come from within the last value, or the end, of the window before.
    sendWindow()
    while start < batch.count {
      let room = greatestSize - size.value
      let end = room > 0 ? min(batch.count, start + min(room, batch.count)) : batch.count
      size.value = min(greatestSize, size.value + (end - start))
      let windows = inner
      let full = size.value == greatestSize ? openNext() : nil
      gone += send(UnsafeBufferPointer(rebasing: batch[start..<end]), to: windows)
      if let full { finish(full) }
      sendWindow()
      start = end
    }
    return gone
  }

  /// Ends the window and begins another one.
  @usableFromInline
  final func turn() {
    serializer.run { [self] in
      sendWindow()
      if let ended = openNext() { finish(ended) }
      sendWindow()
    }
  }

  /// Opens another window and returns the one that it replaces. If that has not been requested yet, it stays open, and nil is
  /// returned.
  @inlinable
  final func openNext() -> Outlet<Input, Failure>? {
    guard outer?.isEmpty ?? true else { return nil }
    size.value = 0
    defer { open() }
    return takeOldest()
  }
}

@usableFromInline
final class WindowByTimeInner<Input, Failure: Error>: WindowUntilInner<Input, Failure> {
  @usableFromInline let makeTimer: (@escaping () -> Void) -> any Cancellable
  /// Nil once there must be no timer any more.
  @usableFromInline let timer = Lock<(any Cancellable)??>(.some(nil))

  @inlinable
  init(
    count: Int?, _ prefetch: Subscribers.Demand?,
    makeTimer: @escaping (@escaping () -> Void) -> any Cancellable
  ) {
    self.makeTimer = makeTimer
    super.init("WindowByTime", count: count, prefetch)
  }

  @usableFromInline
  override func start() {
    super.start()
    let timer = makeTimer { [weak self] in self?.turn() }
    let isKept = self.timer.withLock { place in
      if place != nil { place = .some(timer) }
      return place != nil
    }
    if !isKept { timer.cancel() }
  }

  @usableFromInline
  override func stop() { timer.withLock { exchange(&$0, with: nil) }??.cancel() }
}

extension Publisher {
  /// Divides values into windows by the clock, each of which is a publisher.
  ///
  /// The first window is sent at the subscription. At the end of each interval the window finishes and another one begins,
  /// whether or not it has had values; with `.byTimeOrCount` also when it has had that many values. The stream's demand counts
  /// windows: a window stays open until it has been requested. A window's own subscriber demands its values. Values wait for
  /// demand, and until their window has a subscriber. So each window must be subscribed to or released: a window that is released
  /// or cancelled drops its values. With a `prefetch` at most that many values wait: the upstream is asked for that many, and for
  /// one more for each that has been delivered.
  ///
  /// Without a `prefetch` the limit depends on the demand. With unlimited demand for windows the upstream is asked for all
  /// values, and nothing is lost: any number of values waits until their window has a subscriber. The limit is 256 while the
  /// demand for windows is limited, and also while the demand for a window's values is limited and the upstream has its values
  /// ready, as a sequence does.
  ///
  /// With `.byTimeOrCount` a window is closed before its last value is delivered: a value that is sent during that delivery
  /// belongs to the next one.
  ///
  /// The open window finishes or fails when this publisher does, after its values, and then the stream does. When the stream is
  /// cancelled, a window that has a subscriber goes on, and this publisher is cancelled with it. A window's values arrive on the
  /// thread that sends them or that requests them, windows and their ends also on the scheduler.
  ///
  ///     let cancellable = requests
  ///       .window(.byTime(loop, .seconds(1)))
  ///       .flatMap { $0.count() }
  ///       .sink { print("\($0) in this second") }
  ///
  /// - Parameters:
  ///   - strategy: When a window ends and another one begins.
  ///   - options: Options for the scheduled action.
  ///   - prefetch: How many values may wait, in all windows together; if nil, the demand decides.
  public func window<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil,
    prefetch: Subscribers.Demand? = nil
  ) -> Publishers.WindowByTime<Self, S> {
    Publishers.WindowByTime(upstream: self, strategy: strategy, options: options, prefetch: prefetch)
  }
}
