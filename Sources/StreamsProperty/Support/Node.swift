import Streams

/// A place in the graph of properties, without the type of its value.
///
/// It holds what it is derived from; what is derived from it, it knows weakly.
class Node: @unchecked Sendable {
  struct Dependent { weak var node: Node? }

  /// Whose turn it must be for anything to change here: that domain's, or the one's that it has joined.
  let home: Domain
  /// Higher than what it is derived from. This and the next two belong to the turn.
  var height = 0
  /// Whether it is to be refreshed in the running transaction.
  var isPending = false
  /// Whether its value changed in the running transaction.
  var isChanged = false
  private let dependents = Lock(Roster<Dependent>())

  init(home: Domain) { self.home = home }

  var isFinished: Bool { preconditionFailure("abstract") }

  /// Computes its value again from what it is derived from.
  func refresh(in domain: Domain) {}

  /// Shows its value to those who watch it.
  func notify() {}

  /// A node in a domain of its own that follows this one as any subscriber would.
  func bridged() -> Node { preconditionFailure("abstract") }

  // MARK: Dependents

  func add(_ dependent: Node) -> Int { dependents.withLock { $0.add(Dependent(node: dependent)) } }

  func removeDependent(_ ticket: Int) { _ = dependents.withLock { $0.remove(ticket) } }

  func markDependents(in domain: Domain) {
    for node in existingDependents { domain.enqueue(node) }
  }

  /// Puts the node, and with it all that is derived from it, above a new source. In a loop: a chain may be long.
  func raise(above source: Node) {
    var raised = [(node: self, height: source.height + 1)]
    while let (node, height) = raised.popLast() {
      guard node.height < height else { continue }
      node.height = height
      for dependent in node.existingDependents {
        precondition(dependent !== self, "a property follows one that is derived from it")
        raised.append((dependent, height + 1))
      }
    }
  }

  /// Whether it is `other`, or derived from it. In the turn of both.
  func follows(_ other: Node) -> Bool {
    var seen: Set<ObjectIdentifier> = []
    var dependents = [other]
    while let node = dependents.popLast() {
      if node === self { return true }
      // Who is not below this node is not on the way to it.
      if node.height < height, seen.insert(ObjectIdentifier(node)).inserted {
        dependents += node.existingDependents
      }
    }
    return false
  }

  private var existingDependents: [Node] { dependents.withLock { $0.elements }.compactMap(\.node) }
}
