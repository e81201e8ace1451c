public import Streams

extension Publishers {
  /// A publisher of groups of its upstream's values, by their keys.
  ///
  /// Made by `Publisher/groupBy(prefetch:_:)`, which describes it.
  public struct GroupBy<Upstream: Publisher, Key: Hashable>: Publisher {
    /// The values are publishers: one for each key.
    public typealias Output = GroupedPublisher<Key, Upstream.Output, Upstream.Failure>
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher whose values are grouped.
    public let upstream: Upstream
    /// At most so many values wait in all groups together; if it is nil, what the demand makes of that.
    public let prefetch: Subscribers.Demand?
    /// What a value is grouped by.
    public let key: (Upstream.Output) -> Key

    /// Makes the publisher that `groupBy(prefetch:_:)` returns.
    public init(
      upstream: Upstream, prefetch: Subscribers.Demand?, key: @escaping (Upstream.Output) -> Key
    ) {
      self.upstream = upstream
      self.prefetch = prefetch
      self.key = key
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = GroupByInner<Key, Upstream.Output, Failure>(prefetch, key)
      inner.begin(Downstream(subscriber))
      upstream.subscribe(inner)
    }
  }
}

/// The values of a publisher that have the same key.
///
/// It is what ``Streams/Publisher/groupBy(prefetch:_:)`` sends. It has one subscriber; any other one finishes at once. Share
/// it for more.
public struct GroupedPublisher<Key, Output, Failure: Error>: Publisher {
  /// What its values have in common.
  public let key: Key
  private let claim: OutletClaim<Output, Failure>

  init(_ key: Key, _ outlet: Outlet<Output, Failure>) {
    self.key = key
    claim = OutletClaim(outlet)
  }

  /// Attaches `subscriber`, if it is the first.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    claim.attach(Downstream(subscriber))
  }
}

private final class GroupByInner<Key: Hashable, Input, Failure: Error>:
  FanOut<Input, GroupedPublisher<Key, Input, Failure>, Failure>
{
  private let key: (Input) -> Key
  /// All groups there have been, in order. In turn, as all below.
  private let groups = Cell<[(key: Key, outlet: Outlet<Input, Failure>)]>([])
  /// Where they are, by the hashes of their keys: nobody's code runs while one is looked for.
  private let places = Cell<[Int: [Int]]>([:])

  init(_ prefetch: Subscribers.Demand?, _ key: @escaping (Input) -> Key) {
    self.key = key
    super.init("GroupBy", prefetch: prefetch)
  }

  override func route(_ batch: UnsafeBufferPointer<Input>) -> Int {
    batch.indices.reduce(0) { $0 + route(single: UnsafeBufferPointer(rebasing: batch[$1...$1])) }
  }

  private func route(single value: UnsafeBufferPointer<Input>) -> Int {
    let key = key(value[0])
    let hash = key.hashValue
    if let outlet = outlet(for: key, hash) { return outlet.send(value) }
    guard let outlet = makeInner() else { return 1 }
    places.value[hash, default: []].append(groups.value.count)
    groups.value.append((key, outlet))
    // The value first: who subscribes to the group may send another one.
    let gone = outlet.send(value)
    let group = GroupedPublisher(key, outlet)
    if let outer { _ = withUnsafePointer(to: group) { outer.send(one($0)) } }
    return gone
  }

  /// What compares keys may come back here, and make a group.
  private func outlet(for key: Key, _ hash: Int) -> Outlet<Input, Failure>? {
    var compared = 0
    while case let known = places.value[hash] ?? [], compared < known.count {
      for place in known[compared...] {
        // All groups may be gone meanwhile.
        guard place < groups.value.count else { return nil }
        let group = groups.value[place]
        if group.key == key { return group.outlet }
      }
      compared = known.count
    }
    return nil
  }

  override var inner: [Outlet<Input, Failure>] { groups.value.map(\.outlet) }

  override func takeInner() -> [Outlet<Input, Failure>] {
    places.value = [:]
    return exchange(&groups.value, with: []).map(\.outlet)
  }
}

extension Publisher {
  /// Divides values into groups, each of which is a publisher, by their keys.
  ///
  /// A group is sent with its first value, and what is demanded is groups; a group's own subscriber demands its values. What
  /// there is no demand for waits, and so does what comes before somebody has subscribed to its group. So each group has to be
  /// subscribed to, or released: a group that nobody holds any more drops its values, as one does that has been cancelled,
  /// and there is no second group for its key. With a `prefetch` no more than so many values wait: the upstream is asked for
  /// so many, and for another one for each that has been delivered, and when so many wait, nothing more comes, for any group.
  ///
  /// Without one it depends on the demand. Whoever demands all groups has all values asked for, and nothing is lost; what comes
  /// before a group is subscribed to waits, however much it is. Where a limited number of groups is demanded it is 256, and
  /// where a limited number of a group's values is and the upstream has its values ready, as a sequence has. So groups that are
  /// received one after another, as by `flatMap(maxPublishers: .max(1))`, need a prefetch that holds all values of those that
  /// wait.
  ///
  /// All groups finish or fail when this publisher does, after their values, and then so does the stream. When that is
  /// cancelled, the groups that have been subscribed to go on; this publisher is cancelled with the last of them. A group's
  /// values come on the thread that sends or that requests them.
  ///
  ///     let cancellable = words
  ///       .groupBy { $0.count }
  ///       .flatMap { group in group.collect().map { (group.key, $0) } }
  ///       .sink { print("\($0) letters: \($1)") }
  ///
  /// - Parameters:
  ///   - prefetch: How many values may wait, in all groups together; nil for what the demand makes of it.
  ///   - key: What a value is grouped by. It is called once for each value, on the thread on which that arrives.
  public func groupBy<Key: Hashable>(
    prefetch: Subscribers.Demand? = nil, _ key: @escaping (Output) -> Key
  ) -> Publishers.GroupBy<Self, Key> {
    Publishers.GroupBy(upstream: self, prefetch: prefetch, key: key)
  }
}
