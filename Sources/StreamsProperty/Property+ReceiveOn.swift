public import Streams

extension Property {
  /// A property that has this one's current value now, and takes those that come when `scheduler` runs.
  ///
  /// What is derived from it is a graph of its own: combined with this property, it is behind until the scheduler has run.
  ///
  ///     let shown = state.receive(on: DispatchQueue.main)
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Property<Output> {
    received(on: scheduler, options: options, substitute: nil)
  }

  /// The same, with `substitute` in the place of a value that comes in an endless circle of changes.
  package func received<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions?, substitute: Output?
  ) -> Property<Output> {
    let follow = { (values: AnyPublisher<Output, Never>) in
      let received = values.receive(on: scheduler, options: options)
      return Property(ValueNode.following(received, from: value, substitute: substitute))
    }
    // In a turn, no change comes between the value and those that follow.
    return node.home.inTurn { _ in follow(subsequentValues) } ?? follow(allValues)
  }
}
