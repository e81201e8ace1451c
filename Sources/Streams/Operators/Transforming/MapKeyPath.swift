extension Publishers {
  /// A publisher that sends a property of each of its upstream's values.
  ///
  /// Made by `map(_:)` with a key path, which describes it.
  public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The key path of the property to send.
    public let keyPath: KeyPath<Upstream.Output, Output>

    @usableFromInline
    init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
      self.upstream = upstream
      self.keyPath = keyPath
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let property = Property(keyPath)
      upstream.subscribe(
        MapKeyPathInner<Upstream.Output, Output, Failure>(
          downstream: Downstream(subscriber), keyPaths: ["keyPath": keyPath], transform: property.value(of:)))
    }
  }

  /// A publisher that sends two properties of each of its upstream's values as a tuple.
  ///
  /// Made by ``Publisher/map(_:_:)``, which describes it.
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: Publisher {
    /// The values are tuples of the properties.
    public typealias Output = (Output0, Output1)
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The key path of the first property to send.
    public let keyPath0: KeyPath<Upstream.Output, Output0>
    /// The key path of the second property to send.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    @usableFromInline
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>,
      keyPath1: KeyPath<Upstream.Output, Output1>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (property0, property1) = (Property(keyPath0), Property(keyPath1))
      upstream.subscribe(
        MapKeyPathInner<Upstream.Output, Output, Failure>(
          downstream: Downstream(subscriber), keyPaths: ["keyPath0": keyPath0, "keyPath1": keyPath1]
        ) { (property0.value(of: $0), property1.value(of: $0)) })
    }
  }

  /// A publisher that sends three properties of each of its upstream's values as a tuple.
  ///
  /// Made by ``Publisher/map(_:_:_:)``, which describes it.
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: Publisher {
    /// The values are tuples of the properties.
    public typealias Output = (Output0, Output1, Output2)
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// The key path of the first property to send.
    public let keyPath0: KeyPath<Upstream.Output, Output0>
    /// The key path of the second property to send.
    public let keyPath1: KeyPath<Upstream.Output, Output1>
    /// The key path of the third property to send.
    public let keyPath2: KeyPath<Upstream.Output, Output2>

    @usableFromInline
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>,
      keyPath1: KeyPath<Upstream.Output, Output1>, keyPath2: KeyPath<Upstream.Output, Output2>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
      self.keyPath2 = keyPath2
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let (property0, property1, property2) = (Property(keyPath0), Property(keyPath1), Property(keyPath2))
      upstream.subscribe(
        MapKeyPathInner<Upstream.Output, Output, Failure>(
          downstream: Downstream(subscriber),
          keyPaths: ["keyPath0": keyPath0, "keyPath1": keyPath1, "keyPath2": keyPath2]
        ) { (property0.value(of: $0), property1.value(of: $0), property2.value(of: $0)) })
    }
  }
}

/// A key path together with the place of the property in memory, where it has one: reading from there costs a
/// load, reading through the key path a traversal.
@usableFromInline
struct Property<Root, Value> {
  @usableFromInline let keyPath: KeyPath<Root, Value>
  @usableFromInline let offset: Int?

  @inlinable
  init(_ keyPath: KeyPath<Root, Value>) {
    self.keyPath = keyPath
    offset = MemoryLayout<Root>.offset(of: keyPath)
  }

  @inlinable @inline(__always)
  func value(of root: UnsafePointer<Root>) -> Value {
    guard let offset else { return root.pointee[keyPath: keyPath] }
    return (UnsafeRawPointer(root) + offset).assumingMemoryBound(to: Value.self).pointee
  }
}

@usableFromInline
final class MapKeyPathInner<Input, Output, Failure: Error>: Subscriber, Inner {
  @usableFromInline static var name: String { "ValueForKey" }

  @usableFromInline let downstream: Downstream<Output, Failure>
  @usableFromInline let keyPaths: KeyValuePairs<String, Any>
  @usableFromInline let transform: (UnsafePointer<Input>) -> Output

  @inlinable
  init(
    downstream: Downstream<Output, Failure>, keyPaths: KeyValuePairs<String, Any>,
    transform: @escaping (UnsafePointer<Input>) -> Output
  ) {
    self.downstream = downstream
    self.keyPaths = keyPaths
    self.transform = transform
  }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    downstream.receive(withUnsafePointer(to: input, transform))
  }

  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard batch.isSingle else { return receive(several: batch) }
    var output = transform(batch.baseAddress.unsafelyUnwrapped)
    return downstream.receive(&output)
  }

  @inlinable @inline(never)
  func receive(several batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.receive(mapping: batch) { withUnsafePointer(to: $0, transform) }
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

  @usableFromInline var description: String { keyPaths.count == 1 ? "ValueForKey" : "ValueForKeys" }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: keyPaths) }
}

extension Publisher {
  /// Sends a property of each value.
  ///
  /// Demand, completion, failure and cancellation pass through unchanged. Values stay on the
  /// thread on which they arrive.
  ///
  ///     let cancellable = ["one", "three"].publisher.map(\.count).sink { print($0) }
  ///     // 3, 5
  @inlinable
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }

  /// Sends two properties of each value as a tuple.
  ///
  /// Demand, completion, failure and cancellation pass through unchanged. Values stay on the thread on which
  /// they arrive.
  ///
  ///     let cancellable = dice.map(\.left, \.right).sink { print($0 + $1) }
  @inlinable
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.MapKeyPath2<Self, T0, T1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }

  /// Sends three properties of each value as a tuple.
  ///
  /// Demand, completion, failure and cancellation pass through unchanged. Values stay on the thread on which
  /// they arrive.
  ///
  ///     let cancellable = points.map(\.x, \.y, \.z).sink { print($0, $1, $2) }
  @inlinable
  public func map<T0, T1, T2>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    Publishers.MapKeyPath3(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }
}
