import Streams
import StreamsScopes

/// Keeps a view in a tree, without a screen: evaluates what has changed, says what there is to show, and does what a
/// person would.
///
///     let host = ViewHost(PlayerView(name: "Song"))
///     try host.update()
///     print(host)
///     try host.tap("abc")
///     try host.update()
///
/// **Updates.** Nothing is evaluated until the first update. A scheduler runs updates, one for all that changes until it
/// gets to it; without a scheduler they are made by hand, with ``update()``. One that runs at once what it is given, as
/// `ImmediateScheduler` does, is no use: an update never runs within what has asked for it. An update goes on, in rounds,
/// until nothing is left that it has changed itself, and gives up after 100 rounds, with an ``EndlessUpdate``. So does a view whose
/// `onReceive` goes round by way of the scheduler, as that says.
///
/// In each round come, one after the other: the bodies, parents first, and the cancellations of what has left the tree;
/// the subscriptions of `onReceive`; and in the order in which they came about the actions of `onAppear`, `onChange`,
/// `onReceive`, `task` and `onDisappear`.
///
/// **Threads.** A host belongs to the main actor, as views do. It is best updated on the main thread, by hand, by an
/// `EventLoop` that runs there, or by `DispatchQueue.main`. It does not need a main queue; only what `task` does on the main
/// actor is left to whoever runs that. A scheduler of another thread may update it too: nothing here asks for the thread.
/// But where code in Swift 6's mode hands a closure that belongs to the main actor to a module that is not in that mode,
/// such as `Synchronization`, the compiler asks, and stops the program. State and objects may change on any thread. Whoever looks
/// at what is shown, or taps it, while another thread updates, waits until that has evaluated what is invalid: a body must
/// not wait for a thread that looks.
///
/// **Lifetime.** The tree is taken down when the host is released, or by ``unmount()``.
@MainActor @preconcurrency
public final class ViewHost {
  let core: HostCore
  /// What was set of the environment, also what is to count in the next update.
  private var given: [ObjectIdentifier: AnyObject] = [:]

  /// Makes a host of a view, which is updated by hand.
  public convenience init<V: View>(_ view: V) {
    self.init(PresentationView(kind: "Window", content: view), schedule: nil)
  }

  /// Makes a host of a view, which a scheduler updates.
  public convenience init<V: View, S: Scheduler>(_ view: V, scheduler: S) {
    self.init(PresentationView(kind: "Window", content: view), schedule: HostSchedule(scheduler))
  }

  /// Makes a host of a program, which is updated by hand.
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
    // Who is told of updates may refer to this host.
    core.listeners = HostCore.Listeners()
    core.tree.unmount()
  }

  /// Makes the update that is due, if there is one and no other is under way. Throws the first of the ``errors`` that there
  /// are after it.
  public func update() throws {
    core.updateByHand()
    if let error = errors.first { throw error }
  }

  /// Takes the view out of the tree: what it subscribes to is cancelled, what it keeps is released, and it disappears. At
  /// once, or at the end of the action or the body that calls this. Nothing is evaluated any more.
  public func unmount() { core.tree.unmount() }

  /// What is wrong: objects that are missing in the environment, and an update without an end.
  public var errors: [any Error] { core.errors }

  /// The environment of the view. What is set here is there at once, and counts for the views in the next update.
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

  /// Called for each evaluation of a body, before it.
  public var onEvaluation: ((Evaluation) -> Void)? {
    get { core.listeners.evaluation }
    set { core.listeners.evaluation = newValue }
  }

  /// Called at the end of each update, where it runs: what there is to show may be another.
  public var onUpdate: (() -> Void)? {
    get { core.listeners.update }
    set { core.listeners.update = newValue }
  }

  /// Where warnings of this module and the errors of all hosts go: to the standard error output, unless another place is set.
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
    /// The views on the way to this one, with the places and identities that tell their parts apart.
    public let path: String
  }

  /// A view reads an ``EnvironmentObject`` that nobody has given.
  public struct MissingObject: Error, CustomStringConvertible, @unchecked Sendable {
    /// The type of the object.
    public let type: Any.Type
    /// The views on the way to the one that reads it.
    public let path: String

    /// What is missing, and where.
    public var description: String {
      "no object of type \(type) for \(path): a view above it must have .environmentObject(_:)"
    }
  }

  /// The views on these paths change what they read, again and again.
  public struct EndlessUpdate: Error, CustomStringConvertible, Sendable {
    /// The views' paths.
    public let paths: [String]

    /// What goes on without an end, and where.
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
