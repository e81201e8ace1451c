public import Streams

extension Publishers {
  /// A publisher that counts intervals of time.
  ///
  /// Each subscriber has its own clock, which starts at the subscription and sends 0, 1, 2 and so on. A number for which there is
  /// no demand is lost, so a slow subscriber sees gaps. It cannot fail; with a `count` it finishes after that many intervals,
  /// whether or not there was demand for them.
  ///
  ///     let cancellable = Publishers.Interval(every: .seconds(1), scheduler: loop).sink { print("\($0 + 1) seconds") }
  public struct Interval<Context: Scheduler>: Publisher {
    /// The values count from 0.
    public typealias Output = Int
    /// It cannot fail.
    public typealias Failure = Never

    /// The time from the subscription to the first value.
    public let first: Context.SchedulerTimeType.Stride
    /// The time from one value to the next.
    public let interval: Context.SchedulerTimeType.Stride
    /// The number of intervals after which it finishes.
    public let count: Int?
    /// The scheduler that measures the time and delivers values.
    public let scheduler: Context

    /// Makes a publisher that counts.
    ///
    /// - Parameters:
    ///   - interval: The time from one value to the next.
    ///   - first: The time from the subscription to the first value; by default the interval.
    ///   - count: The number of intervals after which it finishes; by default it does not finish.
    ///   - scheduler: The scheduler that measures the time and delivers values. Its time must advance.
    public init(
      every interval: Context.SchedulerTimeType.Stride, first: Context.SchedulerTimeType.Stride? = nil,
      count: Int? = nil, scheduler: Context
    ) {
      self.interval = interval
      self.first = first ?? interval
      self.count = count
      self.scheduler = scheduler
    }

    /// Attaches `subscriber` and starts its clock.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      let subscription = IntervalSubscription(Downstream(subscriber), count: count)
      subscription.begin { [first, interval, scheduler] tick in
        scheduler.schedule(
          after: scheduler.now.advanced(by: first), interval: interval, tolerance: scheduler.minimumTolerance,
          tick)
      }
    }
  }
}

private final class IntervalSubscription: Subscription, @unchecked Sendable {
  private struct State {
    var number = 0
    var timer: (any Cancellable)?
    var isOver = false
  }

  private let events: EventDelivery<Int>
  private let count: Int
  private let state = Lock(State())

  init(_ downstream: Downstream<Int, Never>, count: Int?) {
    self.count = count ?? .max
    events = EventDelivery(downstream)
  }

  func begin(_ schedule: (@escaping () -> Void) -> any Cancellable) {
    events.handshake(self)
    if count <= 0 { return end() }
    guard !state.withLock({ $0.isOver }) else { return }
    let timer = schedule { self.tick() }
    let isKept = state.withLock { state in
      if !state.isOver { state.timer = timer }
      return !state.isOver
    }
    if !isKept { timer.cancel() }
  }

  private func tick() {
    let number: Int? = state.withLock { state in
      guard !state.isOver, state.number < count else { return nil }
      state.number += 1
      return state.number - 1
    }
    guard let number else { return }
    events.send(number)
    if number + 1 == count { end() }
  }

  private func end() {
    stop()
    events.finish()
  }

  private func stop() {
    let timer = state.withLock { state in
      state.isOver = true
      return state.timer.take()
    }
    timer?.cancel()
  }

  func request(_ demand: Subscribers.Demand) { events.request(demand) }

  func cancel() {
    events.cancel()
    stop()
  }
}
