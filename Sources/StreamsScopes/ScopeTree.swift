import Streams

/// A tree of scopes, and the updates in which those that are invalid are evaluated again.
///
/// What has been invalidated, on any thread, waits for an update: there is one for all that changes until it comes. A
/// scheduler runs it, or whoever calls `update()`. A tree keeps itself until it is unmounted.
package final class ScopeTree: @unchecked Sendable {
  let state = Lock(UpdateState())
  private let schedule: ((@escaping () -> Void) -> Void)?
  private let serials = Lock(0)
  private let top = Lock<Scope?>(nil)
  /// Changes when a scope gives a value that it has not given before.
  let environmentKeys = Tracked()
  /// Closed while scopes are evaluated or removed, between what else is done in an update.
  package let gate = TreeGate()
  /// Counts the updates; for the thread that updates.
  package private(set) var updateCount = 0
  /// Scopes that a body has not asked for.
  var abandoned: [Scope] = []

  /// Called when scopes are invalid for ever: they have been evaluated in each round of an update.
  package var giveUp: ([Scope]) -> Void = { _ in }
  /// Called at the end of each update, by the thread that updates.
  package var updated: () -> Void = {}

  /// Makes a tree. `schedule` is to run what it is given later; without it, somebody calls `update()`.
  package init(schedule: ((@escaping () -> Void) -> Void)? = nil) {
    self.schedule = schedule
    let root = Scope(in: self, parent: nil, identity: [])
    top.withLock { $0 = root }
  }

  /// The scope above all others; another one each time when the tree has been unmounted.
  package var root: Scope { top.withLock { $0 } ?? Scope(in: self, parent: nil, identity: []) }

  func nextSerial() -> Int {
    serials.withLock { serial in
      serial += 1
      return serial
    }
  }

  // MARK: Asking for updates

  /// Runs an action in the next update, after what is invalid has been evaluated, and before the other actions.
  package func connect(_ action: @escaping () -> Void) { request { $0.connect(action) } }

  /// Runs an action in the next update, after what is invalid has been evaluated.
  package func act(_ action: @escaping () -> Void) { request { $0.act(action) } }

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

  /// An update that a scheduler is to run. If it releases it instead, the next change asks again.
  private final class Request: @unchecked Sendable {
    private struct State {
      weak var tree: ScopeTree?
      /// The thread that is calling `schedule`; 0 if none is.
      var asker: UInt32
    }

    private let state: Lock<State>

    init(to tree: ScopeTree) { state = Lock(State(tree: tree, asker: OwnerWord.currentThread)) }

    deinit { take()?.state.withLock { $0.withdraw() } }

    func hasBeenAsked() { state.withLock { $0.asker = 0 } }

    /// It must not update there and then: an object that is about to change asks before it has changed.
    func run() {
      if state.withLock({ $0.asker != OwnerWord.currentThread }) { take()?.update() }
    }

    private func take() -> ScopeTree? { state.withLock { exchange(&$0.tree, with: nil) } }
  }

  // MARK: Updating

  /// Evaluates what is invalid. Returns at once if an update is under way, which does it then. Calls `isUpdating` before and
  /// after, if there is anything to do.
  package func update(_ isUpdating: (Bool) -> Void = { _ in }) {
    let thread = OwnerWord.currentThread
    guard state.withLock({ $0.begin(on: thread) }) else { return }
    isUpdating(true)
    run()
    isUpdating(false)
  }

  /// Removes all scopes, at once or as the next step of the update that is under way. Nothing is evaluated any more.
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
    case .tell: updated()
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
