public import Streams

extension Property {
  /// A property that follows the properties that `transform` makes of this one's values, all of them: its value is the one
  /// that one of them had last.
  ///
  /// When several of them change at once, because they are derived from one source, it changes once, to the value of the
  /// latest. Watchers complete when this property's have and those of all that it follows.
  /// A property must not follow what is derived from it.
  ///
  ///     let temperature = city.flatMap { thermometer(in: $0) }
  public func flatMap<T>(_ transform: @escaping (Output) -> Property<T>) -> Property<T> {
    flatMap(maxPublishers: .unlimited, transform)
  }

  /// A property that follows the properties that `transform` makes of this one's values, a limited number at a time.
  ///
  /// Of more than `maxPublishers` properties the later wait until an earlier one has completed; no demand counts as one.
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
      return Derivation(initial: first.value, others: [first.handle], step: followed.step)
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
  private var properties: [Property<Value>] = []
  private var waiting: [Source] = []
  /// The last one that was started in the running transaction.
  private var started: Property<Value>?
  /// The last one that changed in it.
  private var changed: Property<Value>?
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
  func start(_ value: Source, in domain: Domain, for derived: Node? = nil) -> Property<Value> {
    var property = transform(value)
    while !property.node.isSettled, domain.join(property.node.home) == nil { property = property.bridge() }
    if let substitute, let derived, property.node.follows(derived) { property = substitute }
    properties.append(property)
    return property
  }

  func step(of derived: ValueNode<Value>, in domain: Domain) -> Derivation<Value>.Step {
    if source.isChanged && !hasSeenChange {
      hasSeenChange = true
      waiting.append(source.value)
      if limit == nil { drop(properties, from: derived) }
    }
    if let property = properties.last(where: \.node.isChanged) { changed = property }
    repeat { fill(derived, in: domain) } while dropFinished(from: derived)
    if let pending = properties.first(where: \.node.isPending) {
      // It is, unless somebody lets go of this property just now: then nothing else puts it there.
      derived.raise(above: pending.node)
      return .init(isEarly: true)
    }
    defer { (started, changed, hasSeenChange) = (nil, nil, false) }
    return .init(value: (started ?? changed)?.value)
  }

  private func fill(_ derived: ValueNode<Value>, in domain: Domain) {
    while !waiting.isEmpty && properties.count < limit ?? .max {
      let property = start(waiting.removeFirst(), in: domain, for: derived)
      derived.follow(property.handle)
      started = property
    }
  }

  /// Returns whether that made room for others.
  private func dropFinished(from derived: ValueNode<Value>) -> Bool {
    let finished = properties.filter { $0.node.isFinished && !$0.node.isPending }
    drop(finished, from: derived)
    return !finished.isEmpty && !waiting.isEmpty
  }

  private func drop(_ dropped: [Property<Value>], from derived: ValueNode<Value>) {
    for property in dropped { derived.unfollow(property.node) }
    properties.removeAll { property in dropped.contains { $0.node === property.node } }
  }
}
