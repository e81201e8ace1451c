public import Streams

extension Property {
  /// A property that follows all properties that `transform` makes of this one's values: it has the value of the one that changed
  /// last.
  ///
  /// When several of them change together, because they are derived from one source, it changes once, to the value of the latest.
  /// Subscribers complete when this property and all that it follows have completed. The property made of an earlier value is
  /// still followed after the next one has come, so its functions may see new values together with the old one that they were
  /// made for; ``switchToLatest()`` follows only the latest. A property must not follow one that is derived from it.
  ///
  ///     let temperature = city.flatMap { thermometer(in: $0) }
  public func flatMap<T>(_ transform: @escaping (Output) -> Property<T>) -> Property<T> {
    flatMap(maxPublishers: .unlimited, transform)
  }

  /// A property that follows a limited number of the properties that `transform` makes of this one's values.
  ///
  /// Beyond `maxPublishers` properties, later ones wait until an earlier one has completed. A demand of none counts as one.
  public func flatMap<T>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> Property<T>
  ) -> Property<T> {
    following(atMost: max(maxPublishers.max ?? .max, 1), transform)
  }

  /// A property that follows the property that is this one's value, and no other.
  ///
  /// A property that a function has made of a value, and that nothing else keeps, is not computed again once the value has
  /// changed. So its functions may use the value that they were made for together with the values that they are derived from:
  ///
  ///     let selected = items.map { items in index.map { items[$0] } }.switchToLatest()
  ///
  ///     let temperature = thermometers.switchToLatest()
  public func switchToLatest<T>() -> Property<T> where Output == Property<T> {
    following(atMost: nil) { $0 }
  }

  /// Follows the property that `transform` makes of this one's value. If that is derived from the result, it follows `substitute`
  /// instead.
  package func switchToLatest<T>(
    substitute: Property<T>, _ transform: @escaping (Output) -> Property<T>
  ) -> Property<T> {
    following(atMost: nil, substitute: substitute, transform)
  }

  private func following<T>(
    atMost limit: Int?, substitute: Property<T>? = nil, _ transform: @escaping (Output) -> Property<T>
  ) -> Property<T> {
    derive(from: self) { source, graph in
      let followed = Followed(source, limit: limit, substitute: substitute, transform)
      let first = followed.start(source.value, in: graph)
      graph.bringUpToDate(first.node)
      return Derivation(
        initial: first.value, others: [first.handle], follower: followed, step: followed.step)
    }
  }
}

/// The properties that a property follows at its source's direction. Accessed only in the graph's turn.
private final class Followed<Source, Value>: Follower {
  private let values: ValueNode<Source>
  private let transform: (Source) -> Property<Value>
  /// Nil if the latest replaces the others.
  private let limit: Int?
  /// A constant property; nil if following a property that is derived from the result is an error.
  private let substitute: Property<Value>?
  /// Without their handles, which the derived node has while it follows them.
  private var followed: [ValueNode<Value>] = []
  private var waiting = Queue<Source>()
  /// The last one that was started in the running transaction.
  private var started: ValueNode<Value>?
  /// The last one that changed in it.
  private var changed: ValueNode<Value>?
  /// The version of the source's value that was last read.
  private var version: Int

  init(
    _ source: ValueNode<Source>, limit: Int?, substitute: Property<Value>?,
    _ transform: @escaping (Source) -> Property<Value>
  ) {
    (values, version) = (source, source.version)
    self.limit = limit
    self.substitute = substitute
    self.transform = transform
    super.init(source: source)
  }

  /// Follows the property made of `value`, in one graph with the source.
  func start(_ value: Source, in graph: DependencyGraph, for derived: Node? = nil) -> Property<Value> {
    var property = transform(value)
    while !property.node.isSettled, graph.join(property.node.home) == nil {
      property = Property<Value>(Bridge<Value>.handle(to: property.handle))
    }
    if let derived, substitute != nil || AnyBridge.exist, property.node.isDerived(from: derived) {
      guard let substitute else { preconditionFailure("a property follows one that is derived from it") }
      property = substitute
    }
    followed.append(property.node)
    return property
  }

  override func decide(_ derived: Node) -> Bool {
    if values.version == version { return false }
    version = values.version
    waiting.append(values.current)
    if limit == nil { drop(followed, from: derived) }
    return limit == nil
  }

  func step(of derived: ValueNode<Value>, in graph: DependencyGraph) -> Derivation<Value>.Step {
    _ = decide(derived)
    if let node = followed.last(where: \.isChanged) { changed = node }
    repeat {
      // A property that is followed for the first time may still be stale. Then the step is repeated, higher up.
      if !fill(derived, in: graph) { return .init(isEarly: true) }
    } while dropFinished(from: derived)
    defer { (started, changed) = (nil, nil) }
    return .init(value: (started ?? changed)?.value)
  }

  /// Returns false when one is not up to date.
  private func fill(_ derived: ValueNode<Value>, in graph: DependencyGraph) -> Bool {
    while followed.count < limit ?? .max, let value = waiting.popFirst() {
      let property = start(value, in: graph, for: derived)
      derived.follow(property.handle)
      started = property.node
      if !graph.isUpToDate(property.node) { return false }
    }
    return true
  }

  /// Returns whether there is room for others now.
  private func dropFinished(from derived: ValueNode<Value>) -> Bool {
    let finished = followed.filter(\.isFinished)
    drop(finished, from: derived)
    return !finished.isEmpty && !waiting.isEmpty
  }

  private func drop(_ dropped: [ValueNode<Value>], from derived: Node) {
    for node in dropped { derived.unfollow(node) }
    followed.removeAll { node in dropped.contains { $0 === node } }
  }
}
