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
    /// The greatest number of values that wait in all groups together; if nil, the demand decides.
    public let prefetch: Subscribers.Demand?
    /// Returns the key of a value.
    public let key: (Upstream.Output) -> Key

    /// Makes the publisher that `groupBy(prefetch:_:)` returns.
    @inlinable
    public init(
      upstream: Upstream, prefetch: Subscribers.Demand?, key: @escaping (Upstream.Output) -> Key
    ) {
      self.upstream = upstream
      self.prefetch = prefetch
      self.key = key
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let number: (Upstream.Output, KnownKeys<Key>) throws(Failure) -> Int = { [key] value, known in
        let key = key(value)
        return known.find(key, hash: key.hashValue, by: ==).number
      }
      TryGroupBy(upstream: upstream, prefetch: prefetch, number: number).receive(subscriber: subscriber)
    }
  }
}

/// `GroupBy` for a function that may throw: its error cancels the upstream and then fails the stream.
///
/// Only this package uses it.
@usableFromInline
package struct TryGroupBy<Upstream: Publisher, Key>: Publisher {
  @usableFromInline package typealias Output = GroupedPublisher<Key, Upstream.Output, Upstream.Failure>
  /// It fails as its upstream does, or with the error that `number` throws.
  @usableFromInline package typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream
  @usableFromInline let prefetch: Subscribers.Demand?
  @usableFromInline let number: (Upstream.Output, KnownKeys<Key>) throws(Failure) -> Int

  /// Makes a publisher of groups of the values for whose keys `number` returns the same number of a known key.
  @inlinable
  package init(
    upstream: Upstream, prefetch: Subscribers.Demand?,
    number: @escaping (Upstream.Output, KnownKeys<Key>) throws(Failure) -> Int
  ) {
    self.upstream = upstream
    self.prefetch = prefetch
    self.number = number
  }

  /// Subscribes to the upstream on behalf of `subscriber`.
  @inlinable
  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let inner = GroupByInner<Key, Upstream.Output, Failure>(prefetch, number)
    inner.begin(Downstream(subscriber))
    upstream.subscribe(inner)
  }
}

/// The values of a publisher that have the same key.
///
/// It is what ``Streams/Publisher/groupBy(prefetch:_:)`` sends. It has one subscriber; any further one finishes immediately.
/// Share it for more.
public struct GroupedPublisher<Key, Output, Failure: Error>: Publisher {
  /// The key that its values have in common.
  public let key: Key
  @usableFromInline let claim: OutletClaim<Output, Failure>

  @inlinable
  init(_ key: Key, _ outlet: Outlet<Output, Failure>) {
    self.key = key
    claim = OutletClaim(outlet)
  }

  /// Attaches `subscriber`, if it is the first.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    claim.attach(Downstream(subscriber))
  }
}

@usableFromInline
final class GroupByInner<Key, Input, Failure: Error>:
  FanOut<Input, GroupedPublisher<Key, Input, Failure>, Failure>, BatchSubscriber
{
  @usableFromInline let number: (Input, KnownKeys<Key>) throws(Failure) -> Int
  /// The keys, and the groups by the numbers of their keys. Accessed only in the serializer.
  @usableFromInline let keys = KnownKeys<Key>()
  @usableFromInline let groups = Cell<ContiguousArray<Outlet<Input, Failure>>>([])

  @inlinable
  init(
    _ prefetch: Subscribers.Demand?, _ number: @escaping (Input, KnownKeys<Key>) throws(Failure) -> Int
  ) {
    self.number = number
    super.init("GroupBy", prefetch: prefetch)
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    batch.isSingle ? accept(batch) { route(single: $0) } : receive(inStep: batch)
  }

  @usableFromInline
  override func route(_ batch: UnsafeBufferPointer<Input>) -> Int {
    batch.indices.reduce(0) { $0 + route(single: UnsafeBufferPointer(rebasing: batch[$1...$1])) }
  }

  @inlinable
  func route(single value: UnsafeBufferPointer<Input>) -> Int {
    let number: Int
    do throws(Failure) {
      number = try self.number(value[0], keys)
    } catch {
      fail(with: error)
      return 1
    }
    // Finding the key may have removed all groups.
    if number < groups.value.count { return groups.value[number].send(value) }
    return open(number, with: value)
  }

  /// Makes a group for its first value.
  @inlinable @inline(never)
  func open(_ number: Int, with value: UnsafeBufferPointer<Input>) -> Int {
    guard let outlet = makeInner() else { return 1 }
    let key = keys[number]
    groups.value.append(outlet)
    // The value first: a subscriber of the new group may send another one.
    let gone = outlet.send(value)
    let group = GroupedPublisher(key, outlet)
    if let outer { _ = withUnsafePointer(to: group) { outer.send(one($0)) } }
    return gone
  }

  @usableFromInline override var inner: [Outlet<Input, Failure>] { Array(groups.value) }

  @usableFromInline
  override func takeInner() -> [Outlet<Input, Failure>] {
    withExtendedLifetime(keys.removeAll()) { Array(exchange(&groups.value, with: [])) }
  }
}

extension Publisher {
  /// Divides values by their keys into groups, each of which is a publisher.
  ///
  /// A group is sent with its first value. The stream's demand counts groups; a group's own subscriber demands its values. Values
  /// wait for demand, and until their group has a subscriber. So each group must be subscribed to or released: a group that is
  /// released or cancelled drops its values, and its key gets no second group. With a `prefetch` at most that many values wait:
  /// the upstream is asked for that many, and for one more for each that has been delivered. When that many wait, no further
  /// value arrives, for any group.
  ///
  /// Without a `prefetch` the limit depends on the demand. With unlimited demand for groups the upstream is asked for all values,
  /// and nothing is lost: any number of values waits until their group has a subscriber. The limit is 256 while the demand for
  /// groups is limited, and also while the demand for a group's values is limited and the upstream has its values ready, as a
  /// sequence does. So groups that are received one after another, as by `flatMap(maxPublishers: .max(1))`, need a prefetch that
  /// holds all values of the groups that wait.
  ///
  /// All groups finish or fail when this publisher does, after their values, and then the stream does. When the stream is
  /// cancelled, the groups that have subscribers go on; this publisher is cancelled with the last of them. A group's values
  /// arrive on the thread that sends them or that requests them.
  ///
  ///     let cancellable = words
  ///       .groupBy { $0.count }
  ///       .flatMap { group in group.collect().map { (group.key, $0) } }
  ///       .sink { print("\($0) letters: \($1)") }
  ///
  /// - Parameters:
  ///   - prefetch: How many values may wait, in all groups together; if nil, the demand decides.
  ///   - key: Returns a value's key. It is called once for each value, on the thread on which the value arrives.
  @inlinable
  public func groupBy<Key: Hashable>(
    prefetch: Subscribers.Demand? = nil, _ key: @escaping (Output) -> Key
  ) -> Publishers.GroupBy<Self, Key> {
    Publishers.GroupBy(upstream: self, prefetch: prefetch, key: key)
  }
}
