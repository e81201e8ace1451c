// Written by Tools/arities.py.

extension Publishers {
  /// A publisher that sends the values of three publishers as they come.
  ///
  /// Made by ``Publisher/merge(with:_:)``, which describes it.
  public struct Merge3<
    A: Publisher, B: Publisher, C: Publisher
  >: Publisher
  where
    A.Failure == B.Failure, A.Output == B.Output,
    B.Failure == C.Failure, B.Output == C.Output
  {
    /// The values are those of the publishers.
    public typealias Output = A.Output
    /// It fails as its publishers do.
    public typealias Failure = A.Failure

    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C

    /// Makes the publisher that `merge(with:_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = MergeInner(subscriber: subscriber, count: 3)
      inner.attach(a, at: 0)
      inner.attach(b, at: 1)
      inner.attach(c, at: 2)
    }
  }
}

extension Publishers.Merge3: Equatable
where A: Equatable, B: Equatable, C: Equatable {}

extension Publishers {
  /// A publisher that sends the values of four publishers as they come.
  ///
  /// Made by ``Publisher/merge(with:_:_:)``, which describes it.
  public struct Merge4<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher
  >: Publisher
  where
    A.Failure == B.Failure, A.Output == B.Output,
    B.Failure == C.Failure, B.Output == C.Output,
    C.Failure == D.Failure, C.Output == D.Output
  {
    /// The values are those of the publishers.
    public typealias Output = A.Output
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

    /// Makes the publisher that `merge(with:_:_:)` returns.
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
      let inner = MergeInner(subscriber: subscriber, count: 4)
      inner.attach(a, at: 0)
      inner.attach(b, at: 1)
      inner.attach(c, at: 2)
      inner.attach(d, at: 3)
    }
  }
}

extension Publishers.Merge4: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

extension Publishers {
  /// A publisher that sends the values of five publishers as they come.
  ///
  /// Made by ``Publisher/merge(with:_:_:_:)``, which describes it.
  public struct Merge5<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher
  >: Publisher
  where
    A.Failure == B.Failure, A.Output == B.Output,
    B.Failure == C.Failure, B.Output == C.Output,
    C.Failure == D.Failure, C.Output == D.Output,
    D.Failure == E.Failure, D.Output == E.Output
  {
    /// The values are those of the publishers.
    public typealias Output = A.Output
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
    /// The fifth publisher.
    public let e: E

    /// Makes the publisher that `merge(with:_:_:_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = MergeInner(subscriber: subscriber, count: 5)
      inner.attach(a, at: 0)
      inner.attach(b, at: 1)
      inner.attach(c, at: 2)
      inner.attach(d, at: 3)
      inner.attach(e, at: 4)
    }
  }
}

extension Publishers.Merge5: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}

extension Publishers {
  /// A publisher that sends the values of six publishers as they come.
  ///
  /// Made by ``Publisher/merge(with:_:_:_:_:)``, which describes it.
  public struct Merge6<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher
  >: Publisher
  where
    A.Failure == B.Failure, A.Output == B.Output,
    B.Failure == C.Failure, B.Output == C.Output,
    C.Failure == D.Failure, C.Output == D.Output,
    D.Failure == E.Failure, D.Output == E.Output,
    E.Failure == F.Failure, E.Output == F.Output
  {
    /// The values are those of the publishers.
    public typealias Output = A.Output
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
    /// The fifth publisher.
    public let e: E
    /// The sixth publisher.
    public let f: F

    /// Makes the publisher that `merge(with:_:_:_:_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = MergeInner(subscriber: subscriber, count: 6)
      inner.attach(a, at: 0)
      inner.attach(b, at: 1)
      inner.attach(c, at: 2)
      inner.attach(d, at: 3)
      inner.attach(e, at: 4)
      inner.attach(f, at: 5)
    }
  }
}

extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}

extension Publishers {
  /// A publisher that sends the values of seven publishers as they come.
  ///
  /// Made by ``Publisher/merge(with:_:_:_:_:_:)``, which describes it.
  public struct Merge7<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >: Publisher
  where
    A.Failure == B.Failure, A.Output == B.Output,
    B.Failure == C.Failure, B.Output == C.Output,
    C.Failure == D.Failure, C.Output == D.Output,
    D.Failure == E.Failure, D.Output == E.Output,
    E.Failure == F.Failure, E.Output == F.Output,
    F.Failure == G.Failure, F.Output == G.Output
  {
    /// The values are those of the publishers.
    public typealias Output = A.Output
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
    /// The fifth publisher.
    public let e: E
    /// The sixth publisher.
    public let f: F
    /// The seventh publisher.
    public let g: G

    /// Makes the publisher that `merge(with:_:_:_:_:_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = MergeInner(subscriber: subscriber, count: 7)
      inner.attach(a, at: 0)
      inner.attach(b, at: 1)
      inner.attach(c, at: 2)
      inner.attach(d, at: 3)
      inner.attach(e, at: 4)
      inner.attach(f, at: 5)
      inner.attach(g, at: 6)
    }
  }
}

extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}

extension Publishers {
  /// A publisher that sends the values of eight publishers as they come.
  ///
  /// Made by ``Publisher/merge(with:_:_:_:_:_:_:)``, which describes it.
  public struct Merge8<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher,
    H: Publisher
  >: Publisher
  where
    A.Failure == B.Failure, A.Output == B.Output,
    B.Failure == C.Failure, B.Output == C.Output,
    C.Failure == D.Failure, C.Output == D.Output,
    D.Failure == E.Failure, D.Output == E.Output,
    E.Failure == F.Failure, E.Output == F.Output,
    F.Failure == G.Failure, F.Output == G.Output,
    G.Failure == H.Failure, G.Output == H.Output
  {
    /// The values are those of the publishers.
    public typealias Output = A.Output
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
    /// The fifth publisher.
    public let e: E
    /// The sixth publisher.
    public let f: F
    /// The seventh publisher.
    public let g: G
    /// The eighth publisher.
    public let h: H

    /// Makes the publisher that `merge(with:_:_:_:_:_:_:)` returns.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
      self.h = h
    }

    /// Subscribes to all the publishers, in their order, on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = MergeInner(subscriber: subscriber, count: 8)
      inner.attach(a, at: 0)
      inner.attach(b, at: 1)
      inner.attach(c, at: 2)
      inner.attach(d, at: 3)
      inner.attach(e, at: 4)
      inner.attach(f, at: 5)
      inner.attach(g, at: 6)
      inner.attach(h, at: 7)
    }
  }
}

extension Publishers.Merge8: Equatable
where
  A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable,
  H: Equatable
{}
