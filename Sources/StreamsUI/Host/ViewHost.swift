import Streams
import StreamsScopes

/// Keeps a view in a tree, without a screen: evaluates what has changed, describes what is shown, and performs a user's actions.
///
///     let host = ViewHost(PlayerView(name: "Song"))
///     try host.update()
///     print(host)
///     try host.tap("abc")
///     try host.update()
///
/// **Updates.** Nothing is evaluated until the first update. A scheduler runs updates, each for all changes until then; without a
/// scheduler call ``update()``. A scheduler that runs actions immediately, as `ImmediateScheduler` does, cannot be used: an
/// update never runs within the change that requires it. An update runs rounds until there are no changes of its own left, and
/// gives up after 100 rounds, with an ``EndlessUpdate``. So does a view whose `onReceive` causes rounds by way of the scheduler;
/// see there.
///
/// Each round runs, one after the other: the bodies, parents first, and the cancellations of views that have left the tree; the
/// subscriptions of `onReceive`; and the actions of `onAppear`, `onChange`, `onReceive`, `task` and `onDisappear`, in the order
/// in which they were caused.
///
/// **Threads.** A host belongs to the main actor, as views do. It is best updated on the main thread, by hand, by an `EventLoop`
/// that runs there, or by `DispatchQueue.main`. It does not need a main queue; only the main-actor code of `task` needs a thread
/// that runs that queue. A scheduler of another thread may update the host too: nothing here checks the thread. But where code in
/// Swift 6 mode passes a main-actor closure to a module that is not in that mode, such as `Synchronization`, the compiler adds a
/// check that stops the program. State and objects may change on any thread. A thread that reads the nodes or taps one while
/// another thread updates waits until that has evaluated the invalid views: a body must not wait for a thread that reads.
///
/// **Lifetime.** The tree is taken down when the host is released, or by ``unmount()``.
@MainActor @preconcurrency
public final class ViewHost {
  let core: HostCore
  /// The environment values that were set, including those that take effect in the next update.
  private var given: [ObjectIdentifier: AnyObject] = [:]

  /// Makes a host of a view, to be updated by hand.
  public convenience init<V: View>(_ view: V) {
    self.init(PresentationView(kind: "Window", content: view), schedule: nil)
  }

  /// Makes a host of a view, which a scheduler updates.
  public convenience init<V: View, S: Scheduler>(_ view: V, scheduler: S) {
    self.init(PresentationView(kind: "Window", content: view), schedule: HostSchedule(scheduler))
  }

  /// Makes a host of a program, to be updated by hand.
  public convenience init<A: App>(app: A) { self.init(AppView(app: app), schedule: nil) }

  /// Makes a host of a program, which a scheduler updates.
  public convenience init<A: App, S: Scheduler>(app: A, scheduler: S) {
    self.init(AppView(app: app), schedule: HostSchedule(scheduler))
  }

  private init<V: View>(_ view: V, schedule: HostSchedule?) {
    core = HostCore(schedule: schedule)
    let top = core.tree.root
    top.content = ViewContent(Root(view: view), core)
    top.invalidate()
  }

  deinit {
    // The update callbacks may refer to this host.
    core.listeners = HostCore.Listeners()
    core.tree.unmount()
  }

  /// Runs the pending update, if there is one and no other is running. Throws the first of the ``errors`` afterwards.
  public func update() throws {
    core.updateByHand()
    if let error = errors.first { throw error }
  }

  /// Removes the view from the tree: its subscriptions are cancelled, its storage is released, and it disappears. This happens
  /// immediately, or at the end of the action or body that calls this. Nothing is evaluated any more.
  public func unmount() { core.tree.unmount() }

  /// The current errors: objects that are missing in the environment, and an endless update.
  public var errors: [any Error] { core.errors }

  /// The environment of the view. A value that is set can be read immediately, and reaches the views in the next update.
  ///
  ///     host.environment.colorScheme = .dark
  public var environment: EnvironmentValues {
    get { EnvironmentValues(scope: core.tree.root, given: given) }
    set {
      let root = core.tree.root
      let given = newValue.scope === root ? newValue.given : newValue.all
      self.given = given
      core.tree.connect { root.setEnvironment(given, isEqual: AnyEnvironmentBox.areEqual) }
    }
  }

  /// Called before each evaluation of a body.
  public var onEvaluation: ((Evaluation) -> Void)? {
    get { core.listeners.evaluation }
    set { core.listeners.evaluation = newValue }
  }

  /// Called at the end of each update, on its thread: the nodes that are shown may have changed.
  public var onUpdate: (() -> Void)? {
    get { core.listeners.update }
    set { core.listeners.update = newValue }
  }

  /// Receives warnings of this module and the errors of all hosts. By default they go to the standard error output.
  nonisolated public static var report: @Sendable (_ message: String) -> Void {
    get { HostCore.report }
    set { HostCore.report = newValue }
  }
}

extension ViewHost {
  /// The evaluation of a view's body.
  public struct Evaluation: Hashable, Sendable {
    /// The view's type, without generic arguments.
    public let view: String
    /// The views on the path to this one, with the places and identities that distinguish their parts.
    public let path: String
  }

  /// A view reads an ``EnvironmentObject`` that no view above has been given.
  public struct MissingObject: Error, CustomStringConvertible, @unchecked Sendable {
    /// The type of the object.
    public let type: Any.Type
    /// The views on the path to the one that reads it.
    public let path: String

    /// Which object is missing, and where.
    public var description: String {
      let modifier = type is any ObservableObject.Type ? "environmentObject" : "environment"
      return "no object of type \(type) for \(path): a view above it must have .\(modifier)(_:)"
    }
  }

  /// The views on these paths keep changing what they read.
  public struct EndlessUpdate: Error, CustomStringConvertible, Sendable {
    /// The views' paths.
    public let paths: [String]

    /// Which views go on endlessly.
    public var description: String {
      let who = paths.isEmpty ? "actions" : paths.joined(separator: ", ")
      return "an update was given up after \(UpdateState.roundLimit) rounds: \(who) go on for ever"
    }
  }
}

/// The top of a host's tree.
nonisolated private struct Root<Content: View>: View, Silent, Carrier {
  static var carriedField: String { "" }
  static var carriedName: String { "" }
  let view: Content

  @MainActor var body: some View { view }
}
