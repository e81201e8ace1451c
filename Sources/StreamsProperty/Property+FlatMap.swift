public import Streams

extension Property {
  /// A property that follows the properties that `transform` makes of this one's values, all of them: its value is the one
  /// that one of them had last.
  ///
  /// When several of them change at once, because they are derived from one source, it changes once, to the value of the
  /// latest. Watchers complete when this property's have and those of all that it follows. What `transform` makes of a value
  /// is followed further when the next one has come: its functions see new values beside the old one that they were made for.
  /// ``switchToLatest()`` follows the latest only.
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
  /// A property that a function has made of a value, and that nobody else keeps, is not computed again once the value has
  /// changed. So its functions may use what they were made for beside the value of what they are derived from:
  ///
  ///     let selected = items.map { items in index.map { items[$0] } }.switchToLatest()
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
      domain.bringUpToDate(first.node)
      return Derivation(
        initial: first.value, others: [first.handle], follower: followed, step: followed.step)
    }
  }
}

/// The properties that a property follows as its source says. Belongs to the turn.
private final class Followed<Source, Value>: Follower {
  private let values: ValueNode<Source>
  private let transform: (Source) -> Property<Value>
  /// Nil if the latest takes the place of the others.
  private let limit: Int?
  /// Constant; nil if it is a mistake to follow what is derived from the result.
  private let substitute: Property<Value>?
  /// Without their handles, which the derived node has for as long as it follows them.
  private var followed: [ValueNode<Value>] = []
  private var waiting = Queue<Source>()
  /// The last one that was started in the running transaction.
  private var started: ValueNode<Value>?
  /// The last one that changed in it.
  private var changed: ValueNode<Value>?
  /// The version of the source's value that was last taken.
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

  /// Follows what is made of `value`, in one domain with the source.
  func start(_ value: Source, in domain: Domain, for derived: Node? = nil) -> Property<Value> {
    var property = transform(value)
    while !property.node.isSettled, domain.join(property.node.home) == nil { property = property.bridge() }
    if let substitute, let derived, property.node.isDerived(from: derived) { property = substitute }
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

  func step(of derived: ValueNode<Value>, in domain: Domain) -> Derivation<Value>.Step {
    _ = decide(derived)
    if let node = followed.last(where: \.isChanged) { changed = node }
    repeat {
      // What is followed for the first time may be stale yet. Then the step is taken again, higher up.
      if !fill(derived, in: domain) { return .init(isEarly: true) }
    } while dropFinished(from: derived)
    defer { (started, changed) = (nil, nil) }
    return .init(value: (started ?? changed)?.value)
  }

  /// Returns false when one is not up to date.
  private func fill(_ derived: ValueNode<Value>, in domain: Domain) -> Bool {
    while followed.count < limit ?? .max, let value = waiting.popFirst() {
      let property = start(value, in: domain, for: derived)
      derived.follow(property.handle)
      started = property.node
      if !domain.isUpToDate(property.node) { return false }
    }
    return true
  }

  /// Returns whether that made room for others.
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
