public import Streams

extension Property {
  /// A property that has this one's current value now, and takes later values on `scheduler`.
  ///
  /// Properties that are derived from it form their own graph: combined with this property, they are behind until the scheduler
  /// has run.
  ///
  ///     let shown = state.receive(on: DispatchQueue.main)
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Property<Output> {
    received(on: scheduler, options: options, substitute: nil)
  }

  /// Does what `receive(on:options:)` does, and replaces a value that comes in an endless circle of changes by `substitute`.
  package func received<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions?, substitute: Output?
  ) -> Property<Output> {
    let follow = { (values: AnyPublisher<Output, Never>) in
      let received = values.receive(on: scheduler, options: options)
      return Property(ValueNode.following(received, from: value, substitute: substitute))
    }
    // In a turn, no change comes between the current value and later ones.
    return node.home.inTurn { _ in follow(subsequentValues) } ?? follow(allValues)
  }
}
