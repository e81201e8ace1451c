import Streams

/// A derived node's first value, and its function for later ones.
@usableFromInline
struct Derivation<Value> {
  /// The result of a transaction in which a source changed or finished.
  @usableFromInline
  struct Step {
    @usableFromInline var value: Value?
    /// Whether the node finishes although a source has not.
    @usableFromInline var isLast: Bool
    /// Whether a source must be refreshed first, and the step repeated after that.
    @usableFromInline var isEarly: Bool

    @inlinable @inline(__always)
    init(value: Value? = nil, isLast: Bool = false, isEarly: Bool = false) {
      (self.value, self.isLast, self.isEarly) = (value, isLast, isEarly)
    }
  }

  @usableFromInline var initial: Value
  @usableFromInline var isLast: Bool
  /// Further sources in the same graph, besides those that it is formed from.
  @usableFromInline var others: [Handle]
  /// Decides which of the others are followed.
  @usableFromInline var follower: Follower?
  @usableFromInline var step: (ValueNode<Value>, DependencyGraph) -> Step

  @inlinable @inline(__always)
  init(
    initial: Value, isLast: Bool = false, others: [Handle] = [], follower: Follower? = nil,
    step: @escaping (ValueNode<Value>, DependencyGraph) -> Step
  ) {
    (self.initial, self.isLast, self.others) = (initial, isLast, others)
    (self.follower, self.step) = (follower, step)
  }
}

/// Forms a node in the turn of its sources, so that it misses no change.
///
/// Where waiting for the turn could deadlock, the node is derived from nodes that follow the sources.
@inlinable
func derive<Value>(
  from sources: [Handle], _ form: ([Handle], DependencyGraph) -> Derivation<Value>
) -> Property<Value> {
  let formed: Handle? = DependencyGraph.joined(sources)?.inTurnToDerive { graph in
    graph.form { formNode(from: sources, in: graph, form) }
  }
  return formed.map { Property($0) } ?? derive(from: sources.map { $0.node.bridged($0) }, form)
}

@inlinable
func formNode<Value>(
  from sources: [Handle], in graph: DependencyGraph, _ form: ([Handle], DependencyGraph) -> Derivation<Value>
) -> Handle {
  for source in sources { graph.bringUpToDate(source.node) }
  let derivation = Scope.within { form(sources, graph) }
  let node = ValueNode(derivation.initial, isFinished: derivation.isLast, home: graph)
  let handle = Handle(node)
  if derivation.isLast { return handle }
  let step = derivation.step
  node.start(from: sources + derivation.others, follower: derivation.follower) { node, graph in
    let node = unsafeDowncast(node, to: ValueNode<Value>.self)
    let taken = step(node, graph)
    if let value = taken.value { node.take(value) }
    return Node.Outcome(isLast: taken.isLast, isEarly: taken.isEarly)
  }
  return handle
}

@inlinable
func derive<A, Value>(
  from source: Property<A>, _ form: (ValueNode<A>, DependencyGraph) -> Derivation<Value>
) -> Property<Value> {
  derive(from: [source.handle]) { form(Property<A>($0[0]).node, $1) }
}

@inlinable
func derive<A, B, Value>(
  from first: Property<A>, _ second: Property<B>,
  _ form: (ValueNode<A>, ValueNode<B>) -> Derivation<Value>
) -> Property<Value> {
  derive(from: [first.handle, second.handle]) { handles, _ in
    form(Property<A>(handles[0]).node, Property<B>(handles[1]).node)
  }
}

extension Property {
  /// A property that starts with `initial` and then has the last result of `next` for this one's value that is not nil.
  @inlinable
  func deriving<Value>(
    _ form: (Output) -> (initial: Value, next: (Output) -> Value?)
  ) -> Property<Value> {
    derive(from: self) { source, _ in
      let (initial, next) = form(source.current)
      return Derivation(initial: initial) { _, _ in
        .init(value: source.isChanged ? next(source.current) : nil)
      }
    }
  }

  /// A property that combines its own value with each later one by `next`, and keeps its value where that returns nil.
  @inlinable
  func accumulating<Value>(
    from initial: (Output) -> Value, _ next: @escaping (Value, Output) -> Value?
  ) -> Property<Value> {
    deriving { current in
      let first = initial(current)
      var last = first
      return (
        first,
        { value in
          guard let made = next(last, value) else { return nil }
          last = made
          return made
        }
      )
    }
  }
}
