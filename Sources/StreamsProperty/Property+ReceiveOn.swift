public import Streams

extension Property {
  /// A property that has this one's current value now, and takes those that come when `scheduler` runs.
  ///
  /// What is derived from it is a graph of its own: combined with this property, it is behind until the scheduler has run.
  ///
  ///     let shown = state.receive(on: DispatchQueue.main)
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Property<Output> {
    // In a turn, no change comes between the value and those that follow.
    let formed = node.home.inTurn { _ in
      Property(initial: value, then: subsequentValues.receive(on: scheduler, options: options))
    }
    return formed ?? Property(initial: value, then: allValues.receive(on: scheduler, options: options))
  }
}
