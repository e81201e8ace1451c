extension Publishers {
  /// A publisher that sends tuples of the latest values of two publishers.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    public let a: A
    public let b: B

    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let aBranch = LatestBranch<A.Output>()
      let bBranch = LatestBranch<B.Output>()
      let inner = CombineLatestInner(subscriber: subscriber, branches: [aBranch, bBranch]) {
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
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C

    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let aBranch = LatestBranch<A.Output>()
      let bBranch = LatestBranch<B.Output>()
      let cBranch = LatestBranch<C.Output>()
      let inner = CombineLatestInner(subscriber: subscriber, branches: [aBranch, bBranch, cBranch]) {
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
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C
    public let d: D

    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let aBranch = LatestBranch<A.Output>()
      let bBranch = LatestBranch<B.Output>()
      let cBranch = LatestBranch<C.Output>()
      let dBranch = LatestBranch<D.Output>()
      let inner = CombineLatestInner(subscriber: subscriber, branches: [aBranch, bBranch, cBranch, dBranch]) {
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
