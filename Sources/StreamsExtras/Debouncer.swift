public import Streams

/// Runs the last of the actions that come in quick succession, once they pause.
///
/// It is debounce for a program that has no streams. Actions may be given on any thread; they run on the scheduler. When
/// the debouncer goes, or is cancelled, what waits is forgotten.
///
///     let redraw = Debouncer(for: .milliseconds(400), scheduler: RunLoop.main)
///     slider.onChange = { redraw.execute { view.layoutIfNeeded() } }
public final class Debouncer: Cancellable, Sendable {
  private let actions: Actions

  /// Makes a debouncer.
  ///
  /// - Parameters:
  ///   - dueTime: How long no other action may come after one that runs.
  ///   - scheduler: The scheduler that measures the time and runs actions.
  public init<S: Scheduler>(for dueTime: S.SchedulerTimeType.Stride, scheduler: S) {
    actions = Actions { $0.debounce(for: dueTime, scheduler: scheduler) }
  }

  /// Has an action run, unless another one comes in time.
  public func execute(_ action: @escaping () -> Void) { actions.send(action) }

  /// Forgets the action that waits, and all that come.
  public func cancel() { actions.cancel() }
}

private struct Action {
  let run: () -> Void
}

/// A stream of actions that are run.
private final class Actions: @unchecked Sendable {
  private let subject = PassthroughSubject<Action, Never>()
  private let cancellable: AnyCancellable

  init<P: Publisher>(_ choose: (PassthroughSubject<Action, Never>) -> P)
  where P.Output == Action, P.Failure == Never {
    cancellable = choose(subject).sink { $0.run() }
  }

  func send(_ action: @escaping () -> Void) { subject.send(Action(run: action)) }

  func cancel() { cancellable.cancel() }
}
