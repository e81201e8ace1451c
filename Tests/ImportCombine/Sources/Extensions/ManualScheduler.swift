import Combine
import Foundation

/// A scheduler with the times of another one, that runs what is due when it is told to.
public final class ManualScheduler<Time: Strideable, Options>: Scheduler
where Time.Stride: SchedulerTimeIntervalConvertible {
  public typealias SchedulerTimeType = Time
  public typealias SchedulerOptions = Options

  public private(set) var now: Time
  public let minimumTolerance: Time.Stride = .zero
  private var actions: [(date: Time, action: () -> Void)] = []

  public init(now: Time) { self.now = now }

  public func advance(by stride: Time.Stride) {
    let end = now.advanced(by: stride)
    while let index = actions.indices.min(by: { actions[$0].date < actions[$1].date }),
      actions[index].date <= end
    {
      let (date, action) = actions.remove(at: index)
      now = max(now, date)
      action()
    }
    now = end
  }

  public func schedule(options: Options?, _ action: @escaping () -> Void) { actions.append((now, action)) }

  public func schedule(
    after date: Time, tolerance: Time.Stride, options: Options?, _ action: @escaping () -> Void
  ) {
    actions.append((date, action))
  }

  public func schedule(
    after date: Time, interval: Time.Stride, tolerance: Time.Stride, options: Options?,
    _ action: @escaping () -> Void
  ) -> Cancellable {
    var isCancelled = false
    func fire(at date: Time) {
      actions.append(
        (
          date,
          {
            guard !isCancelled else { return }
            fire(at: date.advanced(by: interval))
            action()
          }
        ))
    }
    fire(at: date)
    return AnyCancellable { isCancelled = true }
  }
}

public typealias ManualSchedulerOf<S: Scheduler> = ManualScheduler<S.SchedulerTimeType, S.SchedulerOptions>

extension DispatchQueue {
  public static var manual: ManualSchedulerOf<DispatchQueue> {
    ManualScheduler(now: .init(.init(uptimeNanoseconds: 1)))
  }
}

extension Scheduler where Self == RunLoop {
  public static var mainLoop: RunLoop { RunLoop.main }
}
