import Dispatch
import Streams

extension DispatchQueue: Scheduler {
  /// How an action is run on a queue.
  ///
  /// Operators that take a scheduler pass these options on with each action.
  public struct SchedulerOptions: @unchecked Sendable {
    // Unchecked, because Dispatch does not say of its flags, a number, that they are.

    /// The quality of service.
    public var qos: DispatchQoS
    /// The flags of the work item.
    public var flags: DispatchWorkItemFlags
    /// The group that the action belongs to.
    public var group: DispatchGroup?

    /// Makes options; what is left out is as the queue has it.
    public init(
      qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil
    ) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The present moment of Dispatch's clock.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
  /// No tolerance: Dispatch decides by itself how exact a timer is.
  public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

  /// Submits the action to the queue.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = Action(run: action)
    let options = options ?? SchedulerOptions()
    async(group: options.group, qos: options.qos, flags: options.flags) { action.run() }
  }

  /// Runs the action once `date` has come. The tolerance has no effect; a group is entered until the action
  /// has run.
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

  /// Runs the action again and again until the result, an `AnyCancellable`, is cancelled or released.
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

/// An action on its way to a queue. That it may be run there is what scheduling it says.
struct Action: @unchecked Sendable {
  let run: () -> Void
}
