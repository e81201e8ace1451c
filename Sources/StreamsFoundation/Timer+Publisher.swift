public import Foundation
public import Streams

extension Timer {
  /// A publisher that sends the date repeatedly while it is connected.
  ///
  /// Each subscriber gets the dates that it has demand for, and misses the others. On `RunLoop.main`, in the default and the
  /// common modes, it works even if no thread runs the loop, as `RunLoop.schedule(options:_:)` describes.
  public final class TimerPublisher: ConnectablePublisher, ConnectsOnce {
    /// The values are the dates at which the timer fires.
    public typealias Output = Date
    /// It cannot fail.
    public typealias Failure = Never

    /// The time from one date to the next, in seconds.
    public let interval: TimeInterval
    /// How much later a date may come.
    public let tolerance: TimeInterval?
    /// The run loop that the timer runs on.
    public let runLoop: RunLoop
    /// The mode in which it runs.
    public let mode: RunLoop.Mode
    /// The run loop's options.
    public let options: RunLoop.SchedulerOptions?

    private let ticker = Ticker()

    /// Makes the publisher that `publish(every:tolerance:on:in:options:)` returns. Unlike there, the tolerance has an effect.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    /// Attaches `subscriber`, which gets dates while the publisher is connected.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      let subscription = TimerSubscription(Downstream(subscriber), ticker: ticker)
      ticker.add(subscription)
      subscription.events.handshake(subscription)
    }

    /// Starts a timer that first fires after `interval`, and then until the connection is cancelled: releasing the result does
    /// not stop it. Connecting twice makes two timers; cancelling one connection stops both.
    public func connect() -> any Cancellable {
      // Given as a date, because a repeating Foundation timer may fire immediately.
      let first = Date(timeIntervalSinceNow: interval)
      ticker.add(
        runLoop.addTimer(
          after: first, interval: interval, repeats: true, tolerance: tolerance ?? 0, mode: mode
        ) { [ticker] in ticker.tick() })
      return Connection(ticker: ticker)
    }
  }

  /// A publisher that sends the date repeatedly on a run loop while it is connected.
  ///
  ///     let cancellable = Timer.publish(every: 1, on: .main, in: .common)
  ///       .autoconnect()
  ///       .sink { print($0) }
  ///
  /// - Parameters:
  ///   - interval: The time from one date to the next, in seconds.
  ///   - tolerance: Has no effect, as in Combine; ``TimerPublisher`` itself takes one.
  ///   - runLoop: The run loop that the timer runs on.
  ///   - mode: The mode in which it runs.
  ///   - options: The run loop's options.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, runLoop: runLoop, mode: mode, options: options)
  }
}

/// Shared by the timers of one publisher: the subscriptions that get the date.
private final class Ticker: @unchecked Sendable {
  private struct State {
    var timers: [any Cancellable] = []
    var subscriptions: [TimerSubscription] = []
  }

  private let state = Lock(State())

  func add(_ timer: any Cancellable) { state.withLock { $0.timers.append(timer) } }
  func add(_ subscription: TimerSubscription) { state.withLock { $0.subscriptions.append(subscription) } }

  func remove(_ subscription: TimerSubscription) {
    let removed = state.withLock { state in
      state.subscriptions.firstIndex { $0 === subscription }.map { state.subscriptions.remove(at: $0) }
    }
    withExtendedLifetime(removed) {}
  }

  /// Sends all subscriptions the same date.
  func tick() {
    let date = Date()
    for subscription in state.withLock({ $0.subscriptions }) { subscription.events.send(date) }
  }

  func stop() {
    let timers = state.withLock { state in
      defer { state.timers = [] }
      return state.timers
    }
    for timer in timers { timer.cancel() }
  }
}

/// Stops the timers when it is cancelled, but not when it is released.
private struct Connection: Cancellable {
  let ticker: Ticker

  func cancel() { ticker.stop() }
}

private final class TimerSubscription: Subscription {
  let events: EventDelivery<Date>
  private let ticker: Ticker

  init(_ downstream: Downstream<Date, Never>, ticker: Ticker) {
    events = EventDelivery(downstream)
    self.ticker = ticker
  }

  func request(_ demand: Subscribers.Demand) { events.request(demand) }

  func cancel() {
    events.cancel()
    ticker.remove(self)
  }
}
