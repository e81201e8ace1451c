/// How `receive(on:)` uses a scheduler.
@usableFromInline
package enum Handover: Sendable {
  /// An action for each signal, as in Combine.
  case oneByOne
  /// An action for all that has come by then, which delivers the values one by one, until the downstream cancels.
  case together
  /// The same, and the values in a batch, where all that are downstream look by themselves whether they have cancelled.
  case inBatches
}

/// A scheduler of this package's, which operators may use with fewer actions than Combine does: nobody looks.
///
/// Its time is in nanoseconds, and an action that is scheduled for a time can be taken back.
@usableFromInline
package protocol OwnScheduler: Sendable {
  var handover: Handover { get }

  /// The present moment.
  var nanoseconds: Int { get }

  /// The nanoseconds in a length of this scheduler's time.
  func nanoseconds(in stride: Any) -> Int?

  /// Runs the action at a time. Returns a number for `cancel`.
  func schedule(atNanoseconds time: Int, _ action: @escaping () -> Void) -> UInt64

  /// Forgets an action, unless it has run or is running.
  func cancel(number: UInt64)
}

/// Timers on a scheduler of this package's, each so long.
@usableFromInline
struct OwnTimers {
  @usableFromInline let scheduler: any OwnScheduler
  @usableFromInline let length: Int

  /// Returns nil if it is another scheduler, or one that is used as Combine does.
  @usableFromInline
  init?(_ scheduler: Any, length: Any) {
    guard let scheduler = scheduler as? any OwnScheduler, scheduler.handover != .oneByOne,
      let length = scheduler.nanoseconds(in: length)
    else { return nil }
    self.scheduler = scheduler
    self.length = length
  }

  /// Sets a timer, and takes it back if it is not kept.
  @usableFromInline
  func set(at time: Int, _ action: @escaping () -> Void, keep: (UInt64) -> Bool) {
    let name = scheduler.schedule(atNanoseconds: time, action)
    if !keep(name) { scheduler.cancel(number: name) }
  }

  /// Takes a timer back, if there is one.
  func cancel(_ name: UInt64?) {
    if let name { scheduler.cancel(number: name) }
  }

  /// When a timer ends that begins now.
  @inlinable
  var end: Int { end(ofNanoseconds: length) }

  /// When one of another length ends.
  @inlinable
  func end(ofNanoseconds length: Int) -> Int {
    let (end, overflow) = scheduler.nanoseconds.addingReportingOverflow(length)
    return overflow ? .max : end
  }
}
