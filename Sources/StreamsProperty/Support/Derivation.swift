import Streams

/// What a node that is derived from others starts with, and how it goes on.
@usableFromInline
struct Derivation<Value> {
  /// What a transaction in which a source changed or finished brings.
  @usableFromInline
  struct Step {
    @usableFromInline var value: Value?
    /// Whether the node finishes although a source has not.
    @usableFromInline var isLast: Bool
    /// Whether a source is yet to be refreshed, after which the step is to be taken again.
    @usableFromInline var isEarly: Bool

    @inlinable @inline(__always)
    init(value: Value? = nil, isLast: Bool = false, isEarly: Bool = false) {
      (self.value, self.isLast, self.isEarly) = (value, isLast, isEarly)
    }
  }

  @usableFromInline var initial: Value
  @usableFromInline var isLast: Bool
  /// Sources besides those it is formed from, of the same domain.
  @usableFromInline var others: [Handle]
  /// What decides which of the others are followed.
  @usableFromInline var follower: Follower?
  @usableFromInline var step: (ValueNode<Value>, Domain) -> Step

  @inlinable @inline(__always)
  init(
    initial: Value, isLast: Bool = false, others: [Handle] = [], follower: Follower? = nil,
    step: @escaping (ValueNode<Value>, Domain) -> Step
  ) {
    (self.initial, self.isLast, self.others) = (initial, isLast, others)
    (self.follower, self.step) = (follower, step)
  }
}

/// Forms a node in the turn of what it is derived from, so that it misses no change.
///
/// Where the turn cannot be had without waiting for ever, it is derived from nodes that follow the sources.
@inlinable
func derive<Value>(
  from sources: [Handle], _ form: ([Handle], Domain) -> Derivation<Value>
) -> Property<Value> {
  let formed: Handle? = Domain.joined(sources)?.inTurn { domain in
    for source in sources { domain.bringUpToDate(source.node) }
    let derivation = Scope.within { form(sources, domain) }
    let node = ValueNode(derivation.initial, isFinished: derivation.isLast, home: domain)
    let handle = Handle(node)
    if derivation.isLast { return handle }
    let step = derivation.step
    node.start(from: sources + derivation.others, follower: derivation.follower) { node, domain in
      let node = unsafeDowncast(node, to: ValueNode<Value>.self)
      let taken = step(node, domain)
      if let value = taken.value { node.take(value) }
      return Node.Outcome(isLast: taken.isLast, isEarly: taken.isEarly)
    }
    return handle
  }
  return formed.map { Property($0) } ?? derive(from: sources.map { $0.node.bridged($0) }, form)
}

@inlinable
func derive<A, Value>(
  from source: Property<A>, _ form: (ValueNode<A>, Domain) -> Derivation<Value>
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
  /// A property that has `initial` at first and then, whenever this one changes, what `next` makes of its value, if
  /// that makes something of it.
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

  /// A property that goes on with what `next` makes of its own value and each that comes, if it makes something of them.
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
