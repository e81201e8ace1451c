import Streams
import StreamsShims

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Threads that serial queues share.
///
/// Each queue's actions run one after another; different queues run concurrently, as far as there are threads. The threads end
/// when the pool and all its queues have been released and have nothing to do.
///
///     let pool = try QueuePool(threads: 4)
///     let parsing = pool.makeQueue()
///     let cancellable = lines.receive(on: parsing).map(parse).sink { print($0) }
///
/// In the child of a fork a pool has no threads, and its queues forget the actions that they are given.
public final class QueuePool: Sendable {
  let core: PoolCore

  /// Makes a pool. Throws when the system has no thread left.
  ///
  /// - Parameter threads: The number of threads; by default that of the processors.
  public init(threads: Int? = nil) throws(SystemError) {
    PoolCore.prepared
    core = PoolCore()
    for _ in 0..<max(1, threads ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
      do {
        try core.startThread()
      } catch {
        core.close()
        throw error
      }
    }
  }

  deinit { core.isOfParent ? core.abandon() : core.close() }

  /// Makes a queue that the pool's threads run.
  public func makeQueue() -> SerialQueue { SerialQueue(on: self) }
}

/// A pool is not a scheduler: it would keep no order.
@available(*, unavailable, message: "a pool is not a scheduler, but its queues are: use makeQueue()")
extension QueuePool: MonotonicScheduler {
  /// Not available: a queue has one.
  public var now: MonotonicTime { fatalError() }
  /// Not available: a queue has one.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {}
  /// Not available: a queue has one.
  public func schedule(at time: MonotonicTime, _ action: @escaping () -> Void) -> ScheduledAction {
    fatalError()
  }
  /// Not available: a queue has one.
  public func cancel(_ scheduled: ScheduledAction) {}
}

/// The part of a pool that its threads keep.
final class PoolCore: @unchecked Sendable {
  let forks = streams_fork_count()
  private let state = Lock(QueuePoolState())
  private let timekeeping = EventCount()
  private let work = EventCount()

  /// Whether this process is the child of a later fork. The pool's threads do not exist here, and one of them may have been in
  /// the middle of a change: so the pool is not used any more, and never released.
  var isOfParent: Bool { forks != streams_fork_count() }

  func abandon() { _ = Unmanaged.passRetained(self) }

  /// Changes the state, and wakes the thread that the change needs.
  func change<Result>(_ body: (inout QueuePoolState) -> (Result, QueuePoolState.Sleeper?)) -> Result {
    let (result, sleeper) = state.withLock(body)
    wake(sleeper)
    return result
  }

  func withState<Result>(_ body: (inout QueuePoolState) -> Result) -> Result { state.withLock(body) }

  func close() { change { ((), $0.close()) } }

  private func wake(_ sleeper: QueuePoolState.Sleeper?) {
    switch sleeper {
    case .timekeeper: timekeeping.signal()
    case .follower: work.signal()
    case nil: break
    }
  }

  // MARK: Threads

  /// What a pool's thread does, run once on the thread that is about to make the first one. The Swift runtime looks types up
  /// under its own locks when they are first used. If a new thread did so while another forks, the child would wait for such a
  /// lock forever.
  static let prepared: Void = {
    let (core, queue) = (PoolCore(), QueueWork())
    core.change { ((), $0.append({}, to: queue)) }
    _ = core.change { $0.insert({}, at: .zero, to: queue) }
    core.close()
    core.run()
  }()

  func startThread() throws(SystemError) {
    let context = Unmanaged.passRetained(self)
    let error = streams_start_thread(
      { context in
        streams_begin_own_thread()
        streams_name_own_thread()
        _ = streams_hold_cancellation()
        Unmanaged<PoolCore>.fromOpaque(context.unsafelyUnwrapped).takeRetainedValue().run()
        streams_end_own_thread()
        return nil
      }, context.toOpaque())
    if error == 0 { return }
    context.release()
    throw SystemError(code: error)
  }

  private func run() {
    while true {
      let bells = (timekeeping.count, work.count)
      switch change({ $0.next(at: .systemNow) }) {
      case .run(let queue, let steps):
        run(queue, steps)
      case .keepTime(let time):
        timekeeping.sleep(since: bells.0, until: time)
        withState { $0.stopKeepingTime() }
      case .wait:
        work.sleep(since: bells.1, until: .never)
        withState { $0.stopWaiting() }
      case .end:
        return
      }
    }
  }

  private func run(_ queue: QueueWork, _ steps: Int) {
    for _ in 0..<steps { withState({ $0.nextAction(of: queue) })?() }
    withState { $0.giveBack(queue) }
  }
}
