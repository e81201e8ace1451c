import CStreams
import Streams
import StreamsSchedulers
import StreamsShims
import Synchronization

/// The scheduler behind a handle.
final class SchedulerObject {
  /// What there is to do with a scheduler besides scheduling.
  enum Control {
    case virtual(VirtualTimeScheduler)
    case loop(EventLoop)
    case other
  }

  /// For calls by way of the handle.
  let clock: SchedulerClock
  let control: Control
  /// The reference to what a runtime wants to be kept by the streams.
  private let keeper = Lock<(any ForeignReference)?>(nil)

  init(_ scheduler: any MonotonicScheduler & Closable, _ control: Control = .other) {
    self.control = control
    // Where time stands still, operators do what Combine's do, action by action.
    let standsStill = scheduler is VirtualTimeScheduler || scheduler is InstantScheduler
    clock = SchedulerClock(scheduler, standsStill ? .oneByOne : .inBatches)
  }

  /// For a stream, which keeps what the runtime knows the scheduler by.
  var clockForStream: SchedulerClock {
    guard let kept = keeper.withLock({ $0 })?.kept() else { return clock }
    return clock.keeping(kept)
  }

  func beKept(by weak: any ForeignReference) {
    var weak: (any ForeignReference)? = weak
    keeper.withLock { swap(&$0, &weak) }
    withExtendedLifetime(weak) {}
  }

  /// Whoever could let time pass is gone, and with them what waits for it.
  deinit { UserCallback.releasing { clock.close() } }
}

/// A scheduler that can be told to forget what it was given, and take nothing more.
protocol Closable {
  func close()
}

extension VirtualTimeScheduler: Closable {}
extension EventLoop: Closable {}
extension SerialQueue: Closable {}

/// The one type of scheduler for which operators are compiled. It does not keep the handle's object.
final class SchedulerClock: MonotonicScheduler, OwnScheduler {
  typealias SchedulerTimeType = MonotonicTime
  typealias SchedulerOptions = Never

  let scheduler: any MonotonicScheduler & Closable
  private let kept: (any AnyObject & Sendable)?
  /// In what a runtime's functions run that are called by what runs here.
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

  /// The same for one subscription, which the calling thread makes. What runs at once is no other's than the caller's.
  var inCurrentContext: SchedulerClock {
    guard !isImmediate, let context = ForeignRuntime.current?.context() else { return self }
    return SchedulerClock(scheduler, handover, keeping: kept, presence, context)
  }

  private func inContext(_ action: @escaping () -> Void) -> () -> Void {
    guard let context else { return action }
    return { context.run(action) }
  }

  /// Whether time passes there.
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

/// Whether a scheduler runs what it is given. It is looked at for each value.
final class Presence: Sendable {
  private let isOver = Atomic(false)
  /// How many forks there were when its threads began; nil if it has none.
  private let forks: UInt32?

  init(of scheduler: any MonotonicScheduler & Closable) { forks = (scheduler as? SerialQueue)?.forks }

  /// The handle is gone.
  func end() { isOver.store(true, ordering: .relaxed) }

  /// Whether what is scheduled now is forgotten.
  var isGone: Bool { isOver.load(ordering: .relaxed) || isOfParent }

  private var isOfParent: Bool { forks.map { $0 != streams_fork_count() } ?? false }

  /// Why it is, if it is: what there is to say of it.
  var absence: StaticString? {
    isGone ? isOfParent ? "has no thread in the child of a fork" : "has been released" : nil
  }

  /// What a stream fails with then.
  var refusal: StreamError? {
    absence.map { StreamError(status: STREAMS_STALE_HANDLE, "the stream's scheduler \($0)") }
  }
}

/// Combine's immediate scheduler, in the time of the others.
final class InstantScheduler: MonotonicScheduler, Closable {
  typealias SchedulerTimeType = MonotonicTime
  typealias SchedulerOptions = Never

  var now: MonotonicTime { .zero }
  func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
  func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    action()
    return ScheduledAction(number: .max)
  }
  /// It runs once, as `ImmediateScheduler` has it.
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
