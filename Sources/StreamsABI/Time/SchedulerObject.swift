import CStreams
import Streams
import StreamsSchedulers
import StreamsShims
import Synchronization

/// The scheduler behind a handle.
final class SchedulerObject {
  /// What else a scheduler can do besides scheduling.
  enum Control {
    case virtual(VirtualTimeScheduler)
    case loop(EventLoop)
    case other
  }

  /// For calls through the handle.
  let clock: SchedulerClock
  let control: Control
  /// A runtime's weak reference to the object that streams must keep.
  private let keeper = Lock<(any ForeignReference)?>(nil)

  init(_ scheduler: any MonotonicScheduler & Closable, _ control: Control = .other) {
    self.control = control
    // Where time stands still, operators schedule action by action, as Combine's do.
    let standsStill = scheduler is VirtualTimeScheduler || scheduler is InstantScheduler
    clock = SchedulerClock(scheduler, standsStill ? .oneByOne : .inBatches)
  }

  /// For a stream, which keeps the runtime's object of the scheduler.
  var clockForStream: SchedulerClock {
    guard let kept = keeper.withLock({ $0 })?.kept() else { return clock }
    return clock.keeping(kept)
  }

  func beKept(by weak: any ForeignReference) {
    var weak: (any ForeignReference)? = weak
    keeper.withLock { swap(&$0, &weak) }
    withExtendedLifetime(weak) {}
  }

  /// With the handle the program's means to advance the time is gone, so the waiting actions are released.
  deinit { UserCallback.releasing { clock.close() } }
}

/// A scheduler that can forget its actions, and take no more.
protocol Closable {
  func close()
}

extension VirtualTimeScheduler: Closable {}
extension EventLoop: Closable {}
extension SerialQueue: Closable {}

/// The one type of scheduler that operators are compiled for. It does not keep the handle's object.
final class SchedulerClock: MonotonicScheduler, OwnScheduler {
  typealias SchedulerTimeType = MonotonicTime
  typealias SchedulerOptions = Never

  let scheduler: any MonotonicScheduler & Closable
  private let kept: (any AnyObject & Sendable)?
  /// The runtime's context for actions that run here.
  private let context: ForeignContext?
  let handover: Handover
  let presence: Presence

  convenience init(_ scheduler: any MonotonicScheduler & Closable, _ handover: Handover) {
    self.init(scheduler, handover, keeping: nil, Presence(of: scheduler), nil)
  }

  private init(
    _ scheduler: any MonotonicScheduler & Closable, _ handover: Handover,
    keeping kept: (any AnyObject & Sendable)?,
    _ presence: Presence, _ context: ForeignContext?
  ) {
    self.scheduler = scheduler
    self.handover = handover
    self.kept = kept
    self.presence = presence
    self.context = context
  }

  func keeping(_ kept: any AnyObject & Sendable) -> SchedulerClock {
    SchedulerClock(scheduler, handover, keeping: kept, presence, context)
  }

  func replacing(_ scheduler: any MonotonicScheduler & Closable) -> SchedulerClock {
    SchedulerClock(scheduler, handover, keeping: kept, presence, context)
  }

  /// The clock for one subscription, which the calling thread makes. An immediate scheduler already runs in the caller's context.
  var inCurrentContext: SchedulerClock {
    guard !isImmediate, let context = ForeignRuntime.current?.context() else { return self }
    return SchedulerClock(scheduler, handover, keeping: kept, presence, context)
  }

  private func inContext(_ action: @escaping () -> Void) -> () -> Void {
    guard let context else { return action }
    return { context.run(action) }
  }

  /// Whether its time stands still, because it runs actions immediately.
  var isImmediate: Bool { scheduler is InstantScheduler }

  var now: MonotonicTime { scheduler.now }
  func schedule(options: Never?, _ action: @escaping () -> Void) {
    scheduler.schedule(options: nil, inContext(action))
  }
  func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    scheduler.schedule(at: time, inContext(action))
  }
  func schedule(
    after date: MonotonicTime, interval: MonotonicTime.Stride, tolerance: MonotonicTime.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = scheduler.schedule(
      after: date, interval: interval, tolerance: tolerance, options: nil, inContext(action))
    return kept == nil ? timer : AnyCancellable { [self] in withExtendedLifetime(self) { timer.cancel() } }
  }
  func cancel(_ scheduled: ScheduledAction) { scheduler.cancel(scheduled) }
  func close() {
    if !isImmediate { presence.end() }
    scheduler.close()
  }
}

/// Whether a scheduler runs the actions that it is given. It is checked for each value.
final class Presence: Sendable {
  private let isOver = Atomic(false)
  /// The number of forks when its threads began; nil if it has none.
  private let forks: UInt32?

  init(of scheduler: any MonotonicScheduler & Closable) { forks = (scheduler as? SerialQueue)?.forks }

  /// The handle has been released.
  func end() { isOver.store(true, ordering: .relaxed) }

  /// Whether actions that are scheduled now are forgotten.
  var isGone: Bool { isOver.load(ordering: .relaxed) || isOfParent }

  private var isOfParent: Bool { forks.map { $0 != streams_fork_count() } ?? false }

  /// The reason in words, or nil.
  var absence: StaticString? {
    isGone ? isOfParent ? "has no thread in the child of a fork" : "has been released" : nil
  }

  /// The failure of a stream then.
  var refusal: StreamError? {
    absence.map { StreamError(status: STREAMS_STALE_HANDLE, "the stream's scheduler \($0)") }
  }
}

/// Combine's immediate scheduler, with the time type of the others.
final class InstantScheduler: MonotonicScheduler, Closable {
  typealias SchedulerTimeType = MonotonicTime
  typealias SchedulerOptions = Never

  var now: MonotonicTime { .zero }
  func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
  func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    action()
    return ScheduledAction(number: .max)
  }
  /// Runs the action once, as `ImmediateScheduler` does.
  func schedule(
    after date: MonotonicTime, interval: MonotonicTime.Stride, tolerance: MonotonicTime.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return AnyCancellable {}
  }
  func cancel(_ scheduled: ScheduledAction) {}
  func close() {}
}

extension Kind {
  static let scheduler = HandleKind<SchedulerObject>(STREAMS_KIND_SCHEDULER)
  static let pool = HandleKind<QueuePool>(STREAMS_KIND_POOL)
}
