// Written by Tools/arities.py.

extension Publishers {
  /// A publisher that sends tuples of the values of two publishers, in the order in which they come.
  ///
  /// Made by ``Publisher/zip(_:)``, which describes it.
  public struct Zip<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// The values are tuples with one value of each publisher.
    public typealias Output = (A.Output, B.Output)
    /// It fails as its publishers do.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B

    /// Makes the publisher that `zip(_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let aBranch = ZipBranch<A.Output>()
      let bBranch = ZipBranch<B.Output>()
      let inner = ZipInner(subscriber: subscriber, branches: [aBranch, bBranch]) {
        empty throws(Failure) in
        (aBranch.take(&empty), bBranch.take(&empty))
      }
      inner.attach(a, aBranch)
      inner.attach(b, bBranch)
    }
  }
}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}

extension Publishers {
  /// A publisher that sends tuples of the values of three publishers, in the order in which they come.
  ///
  /// Made by `zip(_:_:)`, which describes it.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    /// The values are tuples with one value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// It fails as its publishers do.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C

    /// Makes the publisher that `zip(_:_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let aBranch = ZipBranch<A.Output>()
      let bBranch = ZipBranch<B.Output>()
      let cBranch = ZipBranch<C.Output>()
      let inner = ZipInner(subscriber: subscriber, branches: [aBranch, bBranch, cBranch]) {
        empty throws(Failure) in
        (aBranch.take(&empty), bBranch.take(&empty), cBranch.take(&empty))
      }
      inner.attach(a, aBranch)
      inner.attach(b, bBranch)
      inner.attach(c, cBranch)
    }
  }
}

extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers {
  /// A publisher that sends tuples of the values of four publishers, in the order in which they come.
  ///
  /// Made by `zip(_:_:_:)`, which describes it.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    /// The values are tuples with one value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    /// It fails as its publishers do.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C
    /// The fourth publisher.
    public let d: D

    /// Makes the publisher that `zip(_:_:_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let aBranch = ZipBranch<A.Output>()
      let bBranch = ZipBranch<B.Output>()
      let cBranch = ZipBranch<C.Output>()
      let dBranch = ZipBranch<D.Output>()
      let inner = ZipInner(subscriber: subscriber, branches: [aBranch, bBranch, cBranch, dBranch]) {
        empty throws(Failure) in
        (aBranch.take(&empty), bBranch.take(&empty), cBranch.take(&empty), dBranch.take(&empty))
      }
      inner.attach(a, aBranch)
      inner.attach(b, bBranch)
      inner.attach(c, cBranch)
      inner.attach(d, dBranch)
    }
  }
}

extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
