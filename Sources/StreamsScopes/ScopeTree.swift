import Streams

/// A tree of scopes, and the updates that evaluate invalid ones again.
///
/// Any thread may invalidate scopes. They wait for the next update, which evaluates all that have changed until then. A scheduler
/// runs updates, or the program calls `update()`. A tree keeps itself until it is unmounted.
package final class ScopeTree: @unchecked Sendable {
  let state = Lock(UpdateState())
  private let schedule: ((@escaping () -> Void) -> Void)?
  private let serials = Lock(0)
  private let top = Lock<Scope?>(nil)
  /// Changes when a scope sets a value that it has not set before.
  let environmentKeys = Tracked()
  /// Closed while an update evaluates or removes scopes, and open between these steps.
  package let gate = TreeGate()
  /// Counts the updates. Belongs to the updating thread.
  package private(set) var updateCount = 0
  /// Scopes that a body has not asked for.
  var abandoned: [Scope] = []

  /// Called when scopes do not become valid: each round of an update has evaluated them.
  package var giveUp: ([Scope]) -> Void = { _ in }
  /// Called at the end of each update, on the updating thread.
  package var updated: () -> Void = {}

  /// Makes a tree. `schedule` must run the action that it is given later; without it, the program calls `update()`.
  package init(schedule: ((@escaping () -> Void) -> Void)? = nil) {
    self.schedule = schedule
    let root = Scope(in: self, parent: nil, identity: [])
    top.withLock { $0 = root }
  }

  /// The topmost scope; a new one at each access after the tree has been unmounted.
  package var root: Scope { top.withLock { $0 } ?? Scope(in: self, parent: nil, identity: []) }

  func nextSerial() -> Int {
    serials.withLock { serial in
      serial += 1
      return serial
    }
  }

  // MARK: Requesting updates

  /// Runs an action in the next update, after the evaluations and before the other actions.
  package func connect(_ action: @escaping () -> Void) { request { $0.connect(action) } }

  /// Runs an action in the next update, after the evaluations and connections.
  package func act(_ action: @escaping () -> Void) { request { $0.act(action) } }

  /// Runs an action of a removed scope, like `act`, even if the tree is unmounted before.
  package func actAfterRemoval(_ action: @escaping () -> Void) {
    request { $0.act(outlivesTree: true, action) }
  }

  func request(_ change: (inout UpdateState) -> Bool) {
    let thread = OwnerWord.currentThread
    let isFirst = state.withLock { state in
      state.note(thread)
      return change(&state)
    }
    if isFirst { ask() }
  }

  private func ask() {
    guard let schedule else { return }
    let request = Request(to: self)
    schedule { request.run() }
    request.hasBeenAsked()
  }

  /// An update that a scheduler must run. If the scheduler releases it instead, the next change requests another.
  private final class Request: @unchecked Sendable {
    private struct State {
      weak var tree: ScopeTree?
      /// The thread that is calling `schedule`; 0 if there is none.
      var asker: UInt32
    }

    private let state: Lock<State>

    init(to tree: ScopeTree) { state = Lock(State(tree: tree, asker: OwnerWord.currentThread)) }

    deinit { take()?.state.withLock { $0.withdraw() } }

    func hasBeenAsked() { state.withLock { $0.asker = 0 } }

    /// It must not update within `schedule`: an object requests an update before it has changed.
    func run() {
      if state.withLock({ $0.asker != OwnerWord.currentThread }) { take()?.update() }
    }

    private func take() -> ScopeTree? { state.withLock { exchange(&$0.tree, with: nil) } }
  }

  // MARK: Updating

  /// Evaluates the invalid scopes. If an update is running, leaves them to it and returns immediately. Calls `isUpdating` before
  /// and after, if there is anything to do.
  package func update(_ isUpdating: (Bool) -> Void = { _ in }) {
    let thread = OwnerWord.currentThread
    guard state.withLock({ $0.begin(on: thread) }) else { return }
    isUpdating(true)
    run()
    isUpdating(false)
  }

  /// Removes all scopes, immediately or as the next step of the running update. Nothing is evaluated any more.
  package func unmount() {
    let thread = OwnerWord.currentThread
    if state.withLock({ $0.end(on: thread) }) { run() }
  }

  private func run() {
    updateCount += 1
    var isClosed = false
    Scope.reading(as: nil) {
      while let step = state.withLock({ $0.next() }) {
        setGate(step.changesScopes, &isClosed)
        take(step)
        // Meanwhile another thread may have begun the next update.
        if step.endsUpdate { break }
      }
    }
    setGate(false, &isClosed)
  }

  private func setGate(_ closes: Bool, _ isClosed: inout Bool) {
    if closes == isClosed { return }
    isClosed = closes
    if closes { gate.enter() } else { gate.leave() }
  }

  private func take(_ step: UpdateState.Step) {
    switch step {
    case .evaluate(let scope):
      scope.evaluate()
      removeAbandoned()
    case .run(let action): action()
    case .notify: updated()
    case .giveUp(let scopes): giveUp(scopes)
    case .askAgain:
      updated()
      ask()
    case .end:
      // The root keeps the tree.
      top.withLock { $0.take() }?.remove()
    }
  }

  private func removeAbandoned() {
    while let scope = abandoned.popLast() { scope.remove() }
  }
}
