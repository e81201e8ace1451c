public import Streams

/// Runs the last of several actions that come in quick succession, once they pause.
///
/// It is debounce for a program that has no streams. Any thread may give actions; they run on the scheduler. When the debouncer
/// is released or cancelled, it forgets the action that waits.
///
///     let redraw = Debouncer(for: .milliseconds(400), scheduler: RunLoop.main)
///     slider.onChange = { redraw.execute { view.layoutIfNeeded() } }
public final class Debouncer: Cancellable, Sendable {
  private let actions: Actions

  /// Makes a debouncer.
  ///
  /// - Parameters:
  ///   - dueTime: How long a pause after an action must be for it to run.
  ///   - scheduler: The scheduler that measures the time and runs actions.
  public init<S: Scheduler>(for dueTime: S.SchedulerTimeType.Stride, scheduler: S) {
    actions = Actions { $0.debounce(for: dueTime, scheduler: scheduler) }
  }

  /// Runs an action after the pause, unless another one comes first.
  public func execute(_ action: @escaping () -> Void) { actions.send(action) }

  /// Forgets the action that waits, and ignores further ones.
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
