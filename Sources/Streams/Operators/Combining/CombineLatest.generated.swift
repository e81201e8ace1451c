// Written by Tools/arities.py.

extension Publishers {
  /// A publisher that sends tuples of the latest values of two publishers.
  ///
  /// Made by ``Publisher/combineLatest(_:)``, which describes it.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// The values are tuples with one value of each publisher.
    public typealias Output = (A.Output, B.Output)
    /// It fails as its publishers do.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B

    /// Makes the publisher that `combineLatest(_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let aBranch = LatestBranch<A.Output>()
      let bBranch = LatestBranch<B.Output>()
      let inner = CombineLatestInner(subscriber: subscriber, branches: [aBranch, bBranch]) {
        () throws(Failure) in
        (aBranch.current, bBranch.current)
      }
      inner.attach(a, aBranch)
      inner.attach(b, bBranch)
    }
  }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}

extension Publishers {
  /// A publisher that sends tuples of the latest values of three publishers.
  ///
  /// Made by `combineLatest(_:_:)`, which describes it.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
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

    /// Makes the publisher that `combineLatest(_:_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let aBranch = LatestBranch<A.Output>()
      let bBranch = LatestBranch<B.Output>()
      let cBranch = LatestBranch<C.Output>()
      let inner = CombineLatestInner(subscriber: subscriber, branches: [aBranch, bBranch, cBranch]) {
        () throws(Failure) in
        (aBranch.current, bBranch.current, cBranch.current)
      }
      inner.attach(a, aBranch)
      inner.attach(b, bBranch)
      inner.attach(c, cBranch)
    }
  }
}

extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers {
  /// A publisher that sends tuples of the latest values of four publishers.
  ///
  /// Made by `combineLatest(_:_:_:)`, which describes it.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
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

    /// Makes the publisher that `combineLatest(_:_:_:)` returns.
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
      let aBranch = LatestBranch<A.Output>()
      let bBranch = LatestBranch<B.Output>()
      let cBranch = LatestBranch<C.Output>()
      let dBranch = LatestBranch<D.Output>()
      let inner = CombineLatestInner(subscriber: subscriber, branches: [aBranch, bBranch, cBranch, dBranch]) {
        () throws(Failure) in
        (aBranch.current, bBranch.current, cBranch.current, dBranch.current)
      }
      inner.attach(a, aBranch)
      inner.attach(b, bBranch)
      inner.attach(c, cBranch)
      inner.attach(d, dBranch)
    }
  }
}

extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
