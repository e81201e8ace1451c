import Streams

/// What a node that is derived from others starts with, and how it goes on.
struct Derivation<Value> {
  /// What a transaction in which a source changed or finished brings.
  struct Step {
    var value: Value?
    /// Whether the node finishes although a source has not.
    var isLast = false
    /// Whether a source is yet to be refreshed, after which the step is to be taken again.
    var isEarly = false
  }

  var initial: Value
  var isLast = false
  /// Nodes besides those it is formed from, of the same domain.
  var others: [Node] = []
  var step: (Derived<Value>, Domain) -> Step
}

/// A node that is derived from others.
final class Derived<Value>: ValueNode<Value>, @unchecked Sendable {
  private var sources: [(node: Node, ticket: Int)] = []
  private var step: ((Derived<Value>, Domain) -> Derivation<Value>.Step)?

  init(_ derivation: Derivation<Value>, from nodes: [Node], home: Domain) {
    let nodes = nodes + derivation.others
    let isFinished = derivation.isLast || nodes.allSatisfy(\.isFinished)
    super.init(derivation.initial, isFinished: isFinished, home: home)
    if isFinished { return }
    step = derivation.step
    for node in nodes { follow(node) }
  }

  deinit {
    for source in sources { source.node.removeDependent(source.ticket) }
    if sources.isEmpty { return }
    var remains: [Any] = [(sources, step)]
    (sources, step) = ([], nil)
    home.release(&remains)
  }

  /// In its turn: is refreshed from now on when `node` changes.
  func follow(_ node: Node) {
    if node.isFinished { return }
    raise(above: node)
    sources.append((node, node.add(self)))
  }

  func unfollow(_ node: Node) {
    guard let index = sources.firstIndex(where: { $0.node === node }) else { return }
    let source = sources.remove(at: index)
    node.removeDependent(source.ticket)
  }

  override func refresh(in domain: Domain) {
    guard let step else { return }
    let outcome = step(self, domain)
    if outcome.isEarly { return domain.enqueue(self) }
    let isFinished = outcome.isLast || sources.allSatisfy { $0.node.isFinished }
    settle(outcome.value, isFinished: isFinished, in: domain)
    if isFinished { letGo() }
  }

  private func letGo() {
    let done = (sources, step)
    (sources, step) = ([], nil)
    for source in done.0 { source.node.removeDependent(source.ticket) }
  }
}

/// Forms a node in the turn of what it is derived from, so that it misses no change.
///
/// Where the turn cannot be had without waiting for ever, it is derived from nodes that follow the sources.
func derive<Value>(
  from nodes: [Node], _ form: ([Node], Domain) -> Derivation<Value>
) -> ValueNode<Value> {
  let formed = Domain.joined(nodes)?.inTurn { domain in
    Derived(form(nodes, domain), from: nodes, home: domain) as ValueNode<Value>
  }
  return formed ?? derive(from: nodes.map { $0.bridged() }, form)
}

func derive<A, Value>(
  from source: Property<A>, _ form: (ValueNode<A>, Domain) -> Derivation<Value>
) -> Property<Value> {
  Property(node: derive(from: [source.node]) { form(unsafeDowncast($0[0], to: ValueNode<A>.self), $1) })
}

func derive<A, B, Value>(
  from first: Property<A>, _ second: Property<B>,
  _ form: (ValueNode<A>, ValueNode<B>) -> Derivation<Value>
) -> Property<Value> {
  let node = derive(from: [first.node, second.node]) { nodes, _ in
    form(
      unsafeDowncast(nodes[0], to: ValueNode<A>.self), unsafeDowncast(nodes[1], to: ValueNode<B>.self))
  }
  return Property(node: node)
}

extension Property {
  /// A property that has `initial` at first and then, whenever this one changes, what `next` makes of its value, if
  /// that makes something of it.
  func deriving<Value>(
    _ form: (Output) -> (initial: Value, next: (Output) -> Value?)
  ) -> Property<Value> {
    derive(from: self) { source, _ in
      let (initial, next) = form(source.value)
      return Derivation(initial: initial) { _, _ in
        .init(value: source.isChanged ? next(source.value) : nil)
      }
    }
  }
}
