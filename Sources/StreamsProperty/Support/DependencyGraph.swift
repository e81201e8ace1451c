import Streams
import Synchronization

/// Shared by properties with common descendants: one change at a time runs through it.
///
/// Each source starts with its own. Deriving a property from several joins their graphs permanently. Closures and subscribers
/// run in the graph's turn, and without a lock.
@usableFromInline
final class DependencyGraph: @unchecked Sendable {
  private enum Entry<Result> {
    case done(Result)
    case moved
    case refused
  }

  /// Held while two graphs are joined, so that they do not join each other. Not by `withLock`: an empty state has the address of
  /// the lock's word, and ThreadSanitizer reports a use of it as a race.
  nonisolated(unsafe) private static let joining = Lock(())

  private let serializer = Serializer()
  /// The graph that this one has joined.
  private let next = Lock<DependencyGraph?>(nil)
  private let hasMoved = Atomic(false)

  /// After this many rounds, changes that follow from changes count as an endless circle, if a node has a substitute for it.
  /// Where each change leads to several, this many changes count as one too.
  private static let longestRun = 1_000
  private static let mostChanges = 50_000

  /// Accessed only in the turn.
  private struct Run {
    var isRunning = false
    /// 1 for a change from outside, and one more for the changes that follow from it.
    var round = 0
    var changes = 0
    /// The round in which the circle was found.
    var endlessRound: Int?
    var later: [(DependencyGraph) -> Void] = []
    /// The nodes to notify subscribers of, and by height the nodes to refresh. The lists own references, so that looking at a
    /// node counts none.
    var touched: [Unmanaged<Node>] = []
    /// The node to refresh while there is only one, as along a chain.
    var sole: Unmanaged<Node>?
    var levels: [[Unmanaged<Node>]] = []
    var lowest = 0
    /// How many functions of properties are running, nested in each other.
    var refreshing = 0
    /// While they run, nodes lower than this are up to date.
    var floor = 0
    /// Nodes to refresh only if they are still kept in the end.
    var postponed: [Node] = []
    /// The number of the running transaction, 0 if it has not been needed.
    var number = 0
    /// Whether a node has finished in the running transaction.
    var sawEnd = false
    /// Empty, with room for nodes.
    var spare: [Unmanaged<Node>] = []
  }

  private let run = Cell(Run())
  private let waiting = WaitingChanges()

  @usableFromInline init() {}

  deinit {
    guard let further = next.withLock({ $0.take() }) else { return }
    ReleaseQueue.release { $0.append(further) }
  }

  // MARK: Turns

  private var root: DependencyGraph { hasMoved.load(ordering: .acquiring) ? furthest : self }

  private var furthest: DependencyGraph {
    var root = self
    var passed: [DependencyGraph] = []
    while let further = root.next.withLock({ $0 }) {
      passed.append(root)
      root = further
    }
    // Shortens the way for later calls.
    for graph in passed.dropLast() {
      let replaced = graph.next.withLock { next in
        defer { next = root }
        return next
      }
      withExtendedLifetime(replaced) {}
    }
    return root
  }

  /// Runs `body` in this graph's turn. Returns nil, without running it, where waiting would deadlock.
  @usableFromInline
  func inTurn<Result>(_ body: (DependencyGraph) -> Result) -> Result? {
    while true {
      let graph = root
      let entry: Entry<Result> = graph.serializer.run(
        { graph.hasMoved.load(ordering: .acquiring) ? .moved : .done(body(graph)) },
        refused: { .refused })
      switch entry {
      case .done(let result): return result
      case .moved: continue
      case .refused: return nil
      }
    }
  }

  /// Runs `body`, which derives a property, in this graph's turn, as ``inTurn(_:)`` does. From within a turn it makes none of the
  /// changes that were left: a property that is being derived further up the stack would miss them.
  @usableFromInline
  func inTurnToDerive<Result>(_ body: (DependencyGraph) -> Result) -> Result? {
    let graph = root
    return graph.serializer.isEntered ? body(graph) : inTurn(body)
  }

  /// Joins the graphs of several nodes. Returns nil where that could deadlock.
  @usableFromInline
  static func joined(_ handles: [Handle]) -> DependencyGraph? {
    let nodes = handles.map(\.node)
    let live = nodes.filter { !$0.isSettled }
    guard var graph = live.first?.home ?? nodes.first?.home else { return DependencyGraph() }
    for node in live.dropFirst() {
      guard let joined = graph.join(node.home) else { return nil }
      graph = joined
    }
    return graph
  }

  func join(_ other: DependencyGraph) -> DependencyGraph? {
    while true {
      var (stays, goes) = (root, other.root)
      if stays === goes { return stays }
      // A graph whose turn this thread is in stays: a frame further up the stack uses it.
      if goes.serializer.isEntered { swap(&stays, &goes) }
      if goes.serializer.isEntered { return nil }
      let isJoined = goes.serializer.run(
        {
          goes.link(to: stays)
          return true
        }, refused: { false })
      if !isJoined { return nil }
    }
  }

  /// In its turn, with none further up the stack: makes the changes that were left or wait, and joins. Those that come later go
  /// to the other graph.
  private func link(to stays: DependencyGraph) {
    repeat {
      _ = serializer.runEarlier()
      makeWaiting()
    } while !serializer.unlessSignalsAreLeft { waiting.runIfEmpty { linkNow(to: stays) } }
  }

  /// Does nothing if either has joined another by now.
  private func linkNow(to stays: DependencyGraph) {
    Self.joining.lock()
    defer { Self.joining.unlock() }
    guard next.withLock({ $0 == nil }) else { return }
    let target = stays.root
    if target === self { return }
    next.withLock { $0 = target }
    hasMoved.store(true, ordering: .releasing)
  }

  // MARK: Changes

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

  /// Leaves work to the thread that is in the turn. It comes before changes that are made later.
  private func leave(_ work: @escaping (DependencyGraph) -> Void) {
    var graph = root
    while true {
      let target = graph
      let isLeft = target.serializer.submit(
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
  private func makeWaiting(through last: Int = .max) {
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

  /// Refreshes the pending nodes, lower ones first, so that all sources of a node are up to date before it.
  private func refreshAll() {
    while true {
      if let node = run.value.sole.take() {
        run.value.floor = node._withUnsafeGuaranteedRef { $0.height }
        refresh(node)
      } else if run.value.lowest < run.value.levels.count {
        refreshLowest()
      } else if !run.value.postponed.isEmpty {
        resume()
      } else {
        return
      }
    }
  }

  private func refreshLowest() {
    let level = run.value.lowest
    if run.value.levels[level].isEmpty {
      run.value.lowest += 1
      return
    }
    run.value.floor = level
    var nodes: [Unmanaged<Node>] = []
    swap(&nodes, &run.value.spare)
    swap(&nodes, &run.value.levels[level])
    for node in nodes {
      if node._withUnsafeGuaranteedRef({ $0.height }) == level { refresh(node) } else { put(node) }
    }
    nodes.removeAll(keepingCapacity: true)
    swap(&nodes, &run.value.spare)
  }

  /// Consumes the queue's reference, or moves it to the list of nodes to notify.
  private func refresh(_ node: Unmanaged<Node>) {
    if node._withUnsafeGuaranteedRef({ refreshed($0) }) {
      run.value.touched.append(node)
    } else {
      node.release()
    }
  }

  /// Refreshes a node that is still pending. Returns whether its subscribers must be notified.
  private func refreshed(_ node: Node) -> Bool {
    if !node.isPending { return false }
    node.isPending = false
    if node.isInner, !isStillFollowed(node) { return false }
    return node.refresh(in: self)
  }

  /// Whether the node's followers still follow it. If that is not decided yet, the node is moved above those that decide.
  ///
  /// A node without followers may have an owner that releases it by the end of the transaction.
  private func isStillFollowed(_ node: Node) -> Bool {
    if node.decidedIn == number { return !node.hasLeft }
    let height = node.height
    var (isDecided, hasDropped) = (true, false)
    let (followers, passed) = node.followers()
    for (derived, follower) in followers {
      if follower.source.height < node.height {
        if follower.decide(derived) { hasDropped = true }
      } else {
        isDecided = false
        if !follower.source.isDerived(from: node) { node.raise(above: follower.source) }
      }
    }
    if node.hasLeft { return false }
    if node.height > height {
      enqueue(node)
      return false
    }
    guard node.postponedIn == number || node.isNeeded else {
      node.postponedIn = number
      node.isPending = true
      run.value.postponed.append(node)
      return false
    }
    if isDecided, !hasDropped { for each in passed { each.decidedIn = number } }
    return true
  }

  /// Makes the postponed nodes pending again.
  private func resume() {
    var nodes: [Node] = []
    swap(&nodes, &run.value.postponed)
    if !nodes.isEmpty { run.value.floor = 0 }
    for node in nodes where node.isPending { put(.passRetained(node)) }
  }

  /// Lower nodes are up to date.
  private var floor: Int { run.value.postponed.isEmpty ? run.value.floor : 0 }

  // MARK: Before its turn

  private static let lastNumber = Atomic(0)

  /// The number of the running transaction, unique among all graphs.
  private var number: Int {
    if run.value.number == 0 { run.value.number = Self.lastNumber.add(1, ordering: .relaxed).newValue }
    return run.value.number
  }

  /// Refreshes a node's sources and the node: a running function derives from it and needs its value of this transaction. Nodes
  /// that depend on a running function stay as they are.
  @usableFromInline
  func bringUpToDate(_ node: Node) {
    guard run.value.refreshing > 0 else { return }
    while !bringUp(node.requirements(from: floor, in: number)) {}
  }

  /// Returns false if one of the nodes requires more than before.
  private func bringUp(_ nodes: [Node]) -> Bool {
    var stale: Set<ObjectIdentifier> = []
    for node in nodes {
      if node.isRunning || node.required.contains(where: { stale.contains(ObjectIdentifier($0)) }) {
        stale.insert(ObjectIdentifier(node))
        continue
      }
      if node.isPending {
        if refreshed(node) { run.value.touched.append(.passRetained(node)) }
        if node.isPending { return false }
      }
      node.upToDateIn = number
    }
    return true
  }

  /// Whether the running transaction will not change the node any more.
  func isUpToDate(_ node: Node) -> Bool {
    let required = node.requirements(from: floor, in: number)
    guard required.allSatisfy({ !$0.isPending && !$0.isRunning }) else {
      resume()
      return false
    }
    for each in required { each.upToDateIn = number }
    return true
  }

  func enqueue(_ node: Node) {
    if node.isPending { return }
    node.isPending = true
    put(.passRetained(node))
  }

  private func put(_ node: Unmanaged<Node>) {
    let isFirst = run.value.lowest == run.value.levels.count
    let other = run.value.sole.take()
    if isFirst, other == nil {
      run.value.sole = node
      return
    }
    if let other { place(other) }
    place(node)
  }

  private func place(_ node: Unmanaged<Node>) {
    let height = node._withUnsafeGuaranteedRef { $0.height }
    while run.value.levels.count <= height { run.value.levels.append([]) }
    run.value.levels[height].append(node)
    run.value.lowest = min(run.value.lowest, height)
  }

  /// Adds a source to the nodes to notify, and its dependents to those to refresh.
  @usableFromInline
  func touch(_ node: Node) {
    run.value.touched.append(.passRetained(node))
    node.markDependents(in: self)
  }
}
