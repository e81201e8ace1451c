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

/// A scheduler of this package's that needs no action for each signal. With any other it is as in Combine.
@usableFromInline
package protocol HandoverScheduler {
  var handover: Handover { get }
}
