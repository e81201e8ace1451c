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
    for dependent in dependents.withLock({ $0.elements }) {
      if let node = dependent.node { domain.enqueue(node) }
    }
  }

  /// Puts the node, and with it all that is derived from it, above a new source.
  func raise(above source: Node) { raise(to: source.height + 1, startingAt: self) }

  private func raise(to height: Int, startingAt start: Node) {
    guard self.height < height else { return }
    self.height = height
    for dependent in dependents.withLock({ $0.elements }) {
      guard let node = dependent.node else { continue }
      precondition(node !== start, "a property follows one that is derived from it")
      node.raise(to: height + 1, startingAt: start)
    }
  }
}
