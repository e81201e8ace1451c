import CStreams
import Streams
import StreamsSchedulers
import Synchronization

/// The scheduler behind a handle.
final class SchedulerObject {
  /// What there is to do with a scheduler besides scheduling.
  enum Owner {
    case virtual(VirtualTimeScheduler)
    case loop(EventLoop)
    case other
  }

  /// For calls by way of the handle.
  let clock: SchedulerClock
  let owner: Owner
  /// The weak reference to what a host wants to be kept by the streams.
  private let keeper = Lock<Callable?>(nil)

  init(_ scheduler: any MonotonicScheduler & Closable, _ owner: Owner = .other) {
    self.owner = owner
    // Where time stands still, operators do what Combine's do, action by action.
    let standsStill = scheduler is VirtualTimeScheduler || scheduler is InstantScheduler
    clock = SchedulerClock(scheduler, standsStill ? .oneByOne : .inBatches)
  }

  /// For a stream, which keeps what the host knows the scheduler by.
  var clockForStream: SchedulerClock {
    guard let keeper = keeper.withLock({ $0 }), let kept = KeptObject(targetOf: keeper) else { return clock }
    return clock.keeping(kept)
  }

  func beKept(by weak: Callable?) {
    var weak: Callable? = weak
    keeper.withLock { swap(&$0, &weak) }
    withExtendedLifetime(weak) {}
  }

  /// Whoever could let time pass is gone, and with them what waits for it.
  deinit { ForeignCode.letGo { clock.close() } }
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
  private let kept: KeptObject?
  let handover: Handover
  private let release: Release

  /// Whether the handle is gone, and nothing runs any more.
  private final class Release: Sendable { let isDone = Atomic(false) }

  convenience init(_ scheduler: any MonotonicScheduler & Closable, _ handover: Handover) {
    self.init(scheduler, handover, keeping: nil, Release())
  }

  private init(
    _ scheduler: any MonotonicScheduler & Closable, _ handover: Handover, keeping kept: KeptObject?,
    _ release: Release
  ) {
    self.scheduler = scheduler
    self.handover = handover
    self.kept = kept
    self.release = release
  }

  func keeping(_ kept: KeptObject) -> SchedulerClock {
    SchedulerClock(scheduler, handover, keeping: kept, release)
  }

  func replacing(_ scheduler: any MonotonicScheduler & Closable) -> SchedulerClock {
    SchedulerClock(scheduler, handover, keeping: kept, release)
  }

  /// Whether what is scheduled now is forgotten.
  var isReleased: Bool { release.isDone.load(ordering: .relaxed) && !isImmediate }

  /// Whether time passes there.
  var isImmediate: Bool { scheduler is InstantScheduler }

  var now: MonotonicTime { scheduler.now }
  func schedule(options: Never?, _ action: @escaping () -> Void) { scheduler.schedule(options: nil, action) }
  func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    scheduler.schedule(at: time, action)
  }
  func schedule(
    after date: MonotonicTime, interval: MonotonicTime.Stride, tolerance: MonotonicTime.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = scheduler.schedule(
      after: date, interval: interval, tolerance: tolerance, options: nil, action)
    return kept == nil ? timer : AnyCancellable { [self] in withExtendedLifetime(self) { timer.cancel() } }
  }
  func cancel(_ scheduled: ScheduledAction) { scheduler.cancel(scheduled) }
  func close() {
    release.isDone.store(true, ordering: .relaxed)
    scheduler.close()
  }
}

extension StreamError {
  /// What a stream fails with that is subscribed to when its scheduler is gone.
  static var released: StreamError {
    StreamError(status: STREAMS_STALE_HANDLE, "the stream's scheduler has been released")
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
