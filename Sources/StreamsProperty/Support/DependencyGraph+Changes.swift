import Streams
import Synchronization

/// What changes a graph: changes from outside, and those that follow from them, one at a time.
extension DependencyGraph {
  /// After this many rounds, changes that follow from changes count as an endless circle, if a node has a substitute for it.
  /// Where each change leads to several, this many changes count as one too.
  private static let longestRun = 1_000
  private static let mostChanges = 50_000

  /// Runs `change` on a source, and then updates everything derived from it. Within another change, the copy runs after that one.
  @usableFromInline
  func transact(_ change: (DependencyGraph) -> Void, later copy: () -> (DependencyGraph) -> Void) {
    Cascade.make(
      { attempt(change, later: copy) },
      later: {
        keep(copy())
      })
  }

  private func attempt(_ change: (DependencyGraph) -> Void, later copy: () -> (DependencyGraph) -> Void) {
    if inTurn({ $0.take(change, later: copy) }) != nil { return }
    let copy = copy()
    leave { $0.makeLeft(copy) }
  }

  /// In its turn.
  private func take(_ change: (DependencyGraph) -> Void, later copy: () -> (DependencyGraph) -> Void) {
    if !waiting.isEmpty { makeWaiting() }
    makeNext(change, later: copy)
  }

  private func makeNext(_ change: (DependencyGraph) -> Void, later copy: () -> (DependencyGraph) -> Void) {
    if run.value.isRunning { run.value.later.append(copy()) } else { runChanges(change) }
  }

  /// Makes a change when the turn that this thread, or another, is in is over.
  func afterwards(_ change: @escaping (DependencyGraph) -> Void) { leave { $0.makeLeft(change) } }

  /// Leaves work to the thread that is in the turn. It comes before changes that are made later.
  private func leave(_ work: @escaping (DependencyGraph) -> Void) {
    var graph = root
    while true {
      let target = graph
      let isLeft = target.serializer.enqueue(
        { work(target) }, unless: { target.hasMoved.load(ordering: .acquiring) })
      if isLeft { return }
      graph = target.root
    }
  }

  /// In its turn.
  private func makeLeft(_ change: @escaping (DependencyGraph) -> Void) {
    Cascade.make({ take(change, later: { change }) }, later: { keep(change) })
  }

  /// Keeps a change for which the stack is too short. Returns what makes it, and those before it.
  private func keep(_ change: @escaping (DependencyGraph) -> Void) -> () -> Void {
    while true {
      let graph = root
      let number = graph.waiting.append(change) { graph.hasMoved.load(ordering: .acquiring) }
      guard let number else { continue }
      // A graph that has joined another has made them all before.
      let make = { (current: DependencyGraph) in if current === graph { current.makeWaiting(through: number) }
      }
      return { if graph.inTurn(make) == nil { graph.leave(make) } }
    }
  }

  /// In its turn: makes the changes that wait.
  func makeWaiting(through last: Int = .max) {
    while let change = waiting.popFirst(through: last) { makeNext(change, later: { change }) }
  }

  /// In its turn: runs `form`, which makes a property. Changes that its functions make come afterwards, so that it misses none.
  @usableFromInline
  func form<Result>(_ form: () -> Result) -> Result {
    if run.value.isRunning { return form() }
    beginRun()
    let result = form()
    makeLater()
    return result
  }

  private func runChanges(_ change: (DependencyGraph) -> Void) {
    beginRun()
    make(change)
    makeLater()
  }

  private func beginRun() {
    run.value.isRunning = true
    (run.value.round, run.value.changes, run.value.endlessRound) = (1, 1, nil)
  }

  /// Makes the changes that follow from others.
  private func makeLater() {
    while !run.value.later.isEmpty {
      let changes = run.value.later
      run.value.later = []
      beginRound(of: changes.count)
      for change in changes { make(change) }
    }
    run.value.isRunning = false
  }

  private func beginRound(of changes: Int) {
    run.value.round += 1
    run.value.changes += changes
    guard run.value.endlessRound == nil else { return }
    let isWide = run.value.round > 10 && run.value.changes > Self.mostChanges
    if isWide || run.value.round > Self.longestRun { run.value.endlessRound = run.value.round }
  }

  enum Circle {
    case none
    /// The circle has just been found.
    case found
    case known
  }

  /// Whether the changes that follow from changes are endless.
  var circle: Circle {
    guard let found = run.value.endlessRound else { return Cascade.circle }
    return found == run.value.round ? .found : .known
  }

  var sawEnd: Bool {
    get { run.value.sawEnd }
    set { run.value.sawEnd = newValue }
  }

  private func make(_ change: (DependencyGraph) -> Void) {
    sawEnd = false
    change(self)
    run.value.refreshing += 1
    run.value.number = 0
    Scope.within { refreshAll() }
    run.value.refreshing -= 1
    // Releasing a node may run any code. The list's memory is kept for the next change.
    var shown: [Unmanaged<Node>] = []
    swap(&shown, &run.value.touched)
    for node in shown { node._withUnsafeGuaranteedRef { $0.endTransaction() } }
    for node in shown { node._withUnsafeGuaranteedRef { $0.notify() } }
    for node in shown { node.release() }
    shown.removeAll(keepingCapacity: true)
    swap(&shown, &run.value.touched)
  }
}
