public import Streams
public import Synchronization

/// A node in the graph of properties, without the type of its value.
///
/// Properties and derived nodes hold it by a handle. When the handle is released, the node leaves the
/// graph. So its sources can refer to it without retaining it, and without weak references, which would
/// cost each change more than all the rest. Code that depends on the type of the value is in closures
/// that are formed where the type is known, and so specialized.
@usableFromInline
class Node: @unchecked Sendable {
  /// The result of a step.
  @usableFromInline
  struct Outcome {
    @usableFromInline var isLast: Bool
    @usableFromInline var isEarly: Bool

    @inlinable @inline(__always)
    init(isLast: Bool, isEarly: Bool) { (self.isLast, self.isEarly) = (isLast, isEarly) }
  }

  /// Takes a new value, if the sources have one. It is an object that the node owns, so that a call counts no reference.
  final class Step {
    let take: (Node, DependencyGraph) -> Outcome
    init(_ take: @escaping (Node, DependencyGraph) -> Outcome) { self.take = take }
  }

  /// Accessed only in the turn.
  @usableFromInline
  struct Marks {
    /// Greater than the height of every source.
    var height = 0
    /// Whether it must be refreshed in the running transaction.
    var isPending = false
    /// Whether its value changed in the running transaction.
    @usableFromInline var isChanged = false
    /// Whether its function is running.
    var isRunning = false
    /// The numbers of three transactions: the last in which it was updated before its turn, the last in
    /// which all its followers had decided whether to keep following it, and the last in which it was
    /// postponed.
    var upToDateIn = 0
    var decidedIn = 0
    var postponedIn = 0
    var step: Unmanaged<Step>?
    /// If its source decides which node it follows: the object that follows for it. The step keeps it.
    var follower: Unmanaged<Follower>?
  }

  /// Accessed only under the lock.
  @usableFromInline
  struct Shared {
    /// Each is retained by its handle, which removes it here before releasing it.
    var dependents = SlotMap<Unmanaged<Node>>()
    var watches = SlotMap<Watch>()
    var sources: [(handle: Handle, key: Int)] = []
    /// What a source keeps: the connection to its publisher, and an object to which nothing else may have a reference.
    var upstream: [AnyObject] = []
    var hasLeft = false
  }

  /// Changes here need the turn of this graph, or of the one that it has joined.
  @usableFromInline let home: DependencyGraph
  @usableFromInline let marks = Cell(Marks())
  @usableFromInline let shared = Lock(Shared())
  /// Counts the changes. Changed under the lock, in the turn.
  @usableFromInline let versions = Atomic(0)
  private let hasFinished: Atomic<Bool>
  private let hasSettled: Atomic<Bool>
  let isWatched = Atomic(false)
  /// Whether another property's function has made it: it may be gone when that function runs again.
  let isInner = Scope.isEntered

  @usableFromInline
  init(isFinished: Bool, home: DependencyGraph) {
    self.home = home
    hasFinished = Atomic(isFinished)
    hasSettled = Atomic(isFinished)
  }

  deinit {
    guard let step = marks.value.step else { return }
    ReleaseQueue.release { $0.append(step.takeRetainedValue()) }
  }

  var height: Int { marks.value.height }
  var isPending: Bool {
    get { marks.value.isPending }
    set { marks.value.isPending = newValue }
  }
  var isRunning: Bool { marks.value.isRunning }
  var upToDateIn: Int {
    get { marks.value.upToDateIn }
    set { marks.value.upToDateIn = newValue }
  }
  var decidedIn: Int {
    get { marks.value.decidedIn }
    set { marks.value.decidedIn = newValue }
  }
  var postponedIn: Int {
    get { marks.value.postponedIn }
    set { marks.value.postponedIn = newValue }
  }
  var hasLeft: Bool { shared.withLock { $0.hasLeft } }
  /// Whether its values come from other nodes.
  var isDerived: Bool { marks.value.step != nil }
  @inlinable
  final var isChanged: Bool { marks.value.isChanged }
  @inlinable
  final var version: Int { versions.load(ordering: .acquiring) }
  @usableFromInline
  final var isFinished: Bool { hasFinished.load(ordering: .acquiring) }
  /// Whether it has finished and the transaction is over: it and its marks no longer change, and need no turn.
  final var isSettled: Bool { hasSettled.load(ordering: .acquiring) }

  /// A node in its own graph that follows this one: see ``Bridge``. `handle` is a handle of this node.
  @usableFromInline
  func bridged(_ handle: Handle) -> Handle { preconditionFailure("abstract") }

  // MARK: Changes, in its turn

  /// Takes the values that `step` makes from `sources`, until all have finished.
  @usableFromInline
  final func start(
    from sources: [Handle], follower: Follower? = nil, _ step: @escaping (Node, DependencyGraph) -> Outcome
  ) {
    if sources.allSatisfy(\.node.isFinished) {
      finish()
      return endTransaction()
    }
    marks.value.step = .passRetained(Step(step))
    marks.value.follower = follower.map { .passUnretained($0) }
    for source in sources { follow(source) }
  }

  /// Refreshes the node from now on when a source changes.
  final func follow(_ source: Handle) {
    if source.node.isFinished { return }
    raise(above: source.node)
    let key = source.node.add(self)
    let isIn = shared.withLock { shared in
      if !shared.hasLeft { shared.sources.append((source, key)) }
      return !shared.hasLeft
    }
    if !isIn { source.node.removeDependent(key) }
  }

  final func unfollow(_ node: Node) {
    let source = shared.withLock { shared in
      shared.sources.firstIndex { $0.handle.node === node }.map { shared.sources.remove(at: $0) }
    }
    if let source { source.handle.node.removeDependent(source.key) }
  }

  /// Computes its value again from its sources. Returns whether subscribers must be notified.
  final func refresh(in graph: DependencyGraph) -> Bool {
    guard let step = marks.value.step else { return false }
    marks.value.isRunning = true
    let outcome = step._withUnsafeGuaranteedRef { $0.take(self, graph) }
    marks.value.isRunning = false
    if outcome.isEarly {
      graph.enqueue(self)
      return false
    }
    let isLast = outcome.isLast || graph.sawEnd && areSourcesFinished
    if isLast {
      finish(in: graph)
      ReleaseQueue.release { release(into: &$0) }
      (marks.value.step, marks.value.follower) = (nil, nil)
      step.release()
    }
    if isLast || isChanged { markDependents(in: graph) }
    return isLast || isChanged
  }

  private var areSourcesFinished: Bool {
    shared.withLock { $0.sources.allSatisfy { $0.handle.node.isFinished } }
  }

  @usableFromInline
  final func finish() { hasFinished.store(true, ordering: .releasing) }

  @usableFromInline
  final func finish(in graph: DependencyGraph) {
    finish()
    graph.sawEnd = true
  }

  /// The transaction is over.
  final func endTransaction() {
    marks.value.isChanged = false
    if isFinished { hasSettled.store(true, ordering: .releasing) }
  }

  // MARK: Release

  /// Keeps the connection of a source to its publisher.
  @usableFromInline
  final func keep(_ upstream: [AnyObject]) {
    shared.withLock { $0.upstream = upstream }
  }

  /// What ``keep(_:)`` has kept; to be released outside of the turn.
  final func takeUpstream() -> [AnyObject] {
    shared.withLock { shared in
      defer { shared.upstream = [] }
      return shared.upstream
    }
  }

  /// The handle is being released. On any thread.
  ///
  /// The handle's reference is released together with what the node kept: its value may be the last
  /// owner of a property, whose value may be the last owner of the next.
  @usableFromInline
  static func leave(releasing reference: Unmanaged<Node>) {
    ReleaseQueue.release { remains in
      reference._withUnsafeGuaranteedRef { node in
        node.shared.withLock { $0.hasLeft = true }
        node.release(into: &remains)
      }
      remains.append(reference.takeRetainedValue())
    }
  }

  /// Releases its sources.
  private func release(into remains: inout [AnyObject]) {
    let (sources, upstream) = shared.withLock { shared in
      defer { (shared.sources, shared.upstream) = ([], []) }
      return (shared.sources, shared.upstream)
    }
    for source in sources {
      source.handle.node.removeDependent(source.key)
      remains.append(source.handle)
    }
    remains += upstream
  }

  // MARK: Watches

  func add(_ watch: Watch) -> Int {
    shared.withLock { shared in
      isWatched.store(true, ordering: .relaxed)
      return shared.watches.add(watch)
    }
  }

  func removeWatch(_ key: Int) {
    let removed = shared.withLock { shared in
      let removed = shared.watches.remove(key)
      isWatched.store(!shared.watches.isEmpty, ordering: .relaxed)
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// Notifies its subscribers of its value.
  final func notify() {
    // A subscriber that comes after this check reads the value that is already there.
    guard isWatched.load(ordering: .relaxed) else { return }
    for case let watch? in shared.withLock({ $0.watches.entries }) { watch.show() }
  }

  // MARK: Dependents

  private func add(_ dependent: Node) -> Int {
    shared.withLock { $0.dependents.add(.passUnretained(dependent)) }
  }

  private func removeDependent(_ key: Int) { _ = shared.withLock { $0.dependents.remove(key) } }

  final func markDependents(in graph: DependencyGraph) {
    shared.withLock { shared in
      shared.dependents.forEach { $0._withUnsafeGuaranteedRef { graph.enqueue($0) } }
    }
  }

  /// Moves the node, and everything derived from it, above a new source. It is a loop because a chain may be long.
  final func raise(above source: Node) {
    var raised = [(node: self, height: source.height + 1)]
    while let (node, height) = raised.popLast() {
      guard node.height < height else { continue }
      node.marks.value.height = height
      for dependent in node.existingDependents {
        precondition(dependent !== self, "a property follows one that is derived from it")
        raised.append((dependent, height + 1))
      }
    }
  }

  final var existingDependents: [Node] {
    shared.withLock { $0.dependents.entries.compactMap { $0?.takeUnretainedValue() } }
  }
}

/// The reference that properties, watches and derived nodes have to a node.
@usableFromInline
final class Handle: @unchecked Sendable {
  /// Retained. A local reference must not be the last one: see ``Node/leave(releasing:)``.
  @usableFromInline let reference: Unmanaged<Node>

  @inlinable
  init(_ node: Node) { reference = .passRetained(node) }

  @inlinable
  var node: Node { @inline(__always) get { reference.takeUnretainedValue() } }

  @inlinable
  deinit { Node.leave(releasing: reference) }
}
