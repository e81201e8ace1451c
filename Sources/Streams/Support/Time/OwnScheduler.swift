/// How `receive(on:)` uses a scheduler.
@usableFromInline
package enum Handover: Sendable {
  /// An action for each signal, as in Combine.
  case oneByOne
  /// One action for all signals that have come by then, which delivers the values one by one, until the downstream
  /// cancels.
  case together
  /// One action for all signals that have come by then, which delivers the values in a batch. All downstream operators
  /// must check for themselves whether they have cancelled.
  case inBatches
}

/// A scheduler of this package, on which operators may schedule fewer actions than Combine does: no user's code
/// observes them.
///
/// Its time is in nanoseconds, and an action that is scheduled for a time can be cancelled.
@usableFromInline
package protocol OwnScheduler: Sendable {
  var handover: Handover { get }

  /// The present moment.
  var nanoseconds: Int { get }

  /// The nanoseconds in a length of this scheduler's time.
  func nanoseconds(in stride: Any) -> Int?

  /// Runs the action at a time. Returns a number for `cancel`.
  func schedule(atNanoseconds time: Int, _ action: @escaping () -> Void) -> UInt64

  /// Removes an action, unless it has run or is running.
  func cancel(number: UInt64)
}

/// Timers of one length on a scheduler of this package.
@usableFromInline
struct OwnTimers {
  @usableFromInline let scheduler: any OwnScheduler
  @usableFromInline let length: Int

  /// Returns nil for any other scheduler, and for one that is used as Combine does.
  @usableFromInline
  init?(_ scheduler: Any, length: Any) {
    guard let scheduler = scheduler as? any OwnScheduler, scheduler.handover != .oneByOne,
      let length = scheduler.nanoseconds(in: length)
    else { return nil }
    self.scheduler = scheduler
    self.length = length
  }

  /// Sets a timer, and cancels it if it is not kept.
  @usableFromInline
  func set(at time: Int, _ action: @escaping () -> Void, keep: (UInt64) -> Bool) {
    let name = scheduler.schedule(atNanoseconds: time, action)
    if !keep(name) { scheduler.cancel(number: name) }
  }

  /// Cancels a timer, if there is one.
  func cancel(_ name: UInt64?) {
    if let name { scheduler.cancel(number: name) }
  }

  /// When a timer that begins now ends.
  @inlinable
  var end: Int { end(ofNanoseconds: length) }

  /// When a timer of another length that begins now ends.
  @inlinable
  func end(ofNanoseconds length: Int) -> Int {
    let (end, overflow) = scheduler.nanoseconds.addingReportingOverflow(length)
    return overflow ? .max : end
  }
}
