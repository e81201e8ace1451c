import Dispatch
import Streams

extension DispatchQueue: Scheduler {
  /// How an action runs on a queue.
  ///
  /// Operators that take a scheduler pass these options with each action.
  public struct SchedulerOptions: @unchecked Sendable {
    // Unchecked, because Dispatch does not declare its flags, which are a number, to be sendable.

    /// The quality of service.
    public var qos: DispatchQoS
    /// The flags of the work item.
    public var flags: DispatchWorkItemFlags
    /// The group that the action belongs to.
    public var group: DispatchGroup?

    /// Makes options. Omitted ones are the queue's.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
    ) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The current moment of Dispatch's clock.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
  /// Always 0: Dispatch itself decides how exact a timer is.
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// Submits the action to the queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    let options = options ?? SchedulerOptions()
    async(group: options.group, qos: options.qos, flags: options.flags) { action.run() }
  }

  /// Runs the action once `date` has come. The tolerance has no effect. A group is entered until the action has run.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let action = Action(run: action)
    let options = options ?? SchedulerOptions()
    let group = options.group
    group?.enter()
    asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) {
      action.run()
      group?.leave()
    }
  }

  /// Runs the action repeatedly until the result, an `AnyCancellable`, is cancelled or released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = Action(run: action)
    let options = options ?? SchedulerOptions()
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.setEventHandler(qos: options.qos, flags: options.flags) { action.run() }
    timer.schedule(
      deadline: date.dispatchTime, repeating: Swift.max(interval, 0).timeInterval,
      leeway: Swift.max(tolerance, 0).timeInterval)
    timer.resume()
    return AnyCancellable { timer.cancel() }
  }
}

/// An action to run on a queue. Unchecked, because scheduling an action implies that it may run there.
struct Action: @unchecked Sendable {
  let run: () -> Void
}
