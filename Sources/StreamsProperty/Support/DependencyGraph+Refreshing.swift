import Streams
import Synchronization

/// How the nodes of a graph are brought up to date after a change, lower ones first.
extension DependencyGraph {
  /// Refreshes the pending nodes, lower ones first, so that all sources of a node are up to date before it.
  func refreshAll() {
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
