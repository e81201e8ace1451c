public import Streams

extension Property {
  /// A property that follows the properties that `transform` makes of this one's values, all of them: its value is the one
  /// that one of them had last.
  ///
  /// Of more than `maxPublishers` properties the later wait until an earlier one has completed; no demand counts as one.
  /// Watchers complete when this property's have and those of all that it follows.
  /// A property must not follow what is derived from it.
  ///
  ///     let temperature = city.flatMap { thermometer(in: $0) }
  public func flatMap<T>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Property<T>
  ) -> Property<T> {
    following(atMost: max(maxPublishers.max ?? .max, 1), transform)
  }

  /// A property that follows the property that is this one's value, and no other.
  ///
  ///     let temperature = thermometers.switchToLatest()
  public func switchToLatest<T>() -> Property<T> where Output == Property<T> {
    following(atMost: nil) { $0 }
  }

  /// The same with the property that `transform` makes of this one's value, and with `substitute` in the place of one that
  /// is derived from the result.
  package func switchToLatest<T>(
    substitute: Property<T>, _ transform: @escaping (Output) -> Property<T>
  ) -> Property<T> {
    following(atMost: nil, substitute: substitute, transform)
  }

  private func following<T>(
    atMost limit: Int?, substitute: Property<T>? = nil, _ transform: @escaping (Output) -> Property<T>
  ) -> Property<T> {
    derive(from: self) { source, domain in
      let followed = Followed(source, limit: limit, substitute: substitute, transform)
      let first = followed.start(source.value, in: domain)
      return Derivation(initial: first.value, others: [first], step: followed.step)
    }
  }
}

/// The properties that a property follows as its source says. Belongs to the turn.
private final class Followed<Source, Value> {
  private let source: ValueNode<Source>
  private let transform: (Source) -> Property<Value>
  /// Nil if the latest takes the place of the others.
  private let limit: Int?
  /// Constant; nil if it is a mistake to follow what is derived from the result.
  private let substitute: Property<Value>?
  private var nodes: [ValueNode<Value>] = []
  private var waiting: [Source] = []
  /// The last one that was started in the running transaction.
  private var started: ValueNode<Value>?
  /// The last one that changed in it.
  private var changed: ValueNode<Value>?
  /// Whether the source's change was seen in the running transaction.
  private var hasSeenChange = false

  init(
    _ source: ValueNode<Source>, limit: Int?, substitute: Property<Value>?,
    _ transform: @escaping (Source) -> Property<Value>
  ) {
    self.source = source
    self.limit = limit
    self.substitute = substitute
    self.transform = transform
  }

  /// Follows what is made of `value`, in one domain with the source.
  func start(_ value: Source, in domain: Domain, for derived: Node? = nil) -> ValueNode<Value> {
    var node = transform(value).node
    while !node.isFinished, domain.join(node.home) == nil { node = node.bridge() }
    if let substitute, let derived, node.follows(derived) { node = substitute.node }
    nodes.append(node)
    return node
  }

  func step(of derived: Derived<Value>, in domain: Domain) -> Derivation<Value>.Step {
    if source.isChanged && !hasSeenChange {
      hasSeenChange = true
      waiting.append(source.value)
      if limit == nil { drop(nodes, from: derived) }
    }
    if let node = nodes.last(where: \.isChanged) { changed = node }
    repeat { fill(derived, in: domain) } while dropFinished(from: derived)
    if nodes.contains(where: \.isPending) { return .init(isEarly: true) }
    defer { (started, changed, hasSeenChange) = (nil, nil, false) }
    return .init(value: (started ?? changed)?.value)
  }

  private func fill(_ derived: Derived<Value>, in domain: Domain) {
    while !waiting.isEmpty && nodes.count < limit ?? .max {
      let node = start(waiting.removeFirst(), in: domain, for: derived)
      derived.follow(node)
      started = node
    }
  }

  /// Returns whether that made room for others.
  private func dropFinished(from derived: Derived<Value>) -> Bool {
    let finished = nodes.filter { $0.isFinished && !$0.isPending }
    drop(finished, from: derived)
    return !finished.isEmpty && !waiting.isEmpty
  }

  private func drop(_ dropped: [ValueNode<Value>], from derived: Derived<Value>) {
    for node in dropped { derived.unfollow(node) }
    nodes.removeAll { node in dropped.contains { $0 === node } }
  }
}
