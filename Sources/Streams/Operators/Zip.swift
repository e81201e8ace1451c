extension Publishers {
  /// A publisher that sends tuples of the values of two publishers, in the order in which they come.
  public struct Zip<A: Publisher, B: Publisher>: Publisher
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
      let aBranch = ZipBranch<A.Output>()
      let bBranch = ZipBranch<B.Output>()
      let inner = ZipInner(subscriber: subscriber, branches: [aBranch, bBranch]) { empty in
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
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
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
      let aBranch = ZipBranch<A.Output>()
      let bBranch = ZipBranch<B.Output>()
      let cBranch = ZipBranch<C.Output>()
      let inner = ZipInner(subscriber: subscriber, branches: [aBranch, bBranch, cBranch]) { empty in
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
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
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
      let aBranch = ZipBranch<A.Output>()
      let bBranch = ZipBranch<B.Output>()
      let cBranch = ZipBranch<C.Output>()
      let dBranch = ZipBranch<D.Output>()
      let inner = ZipInner(subscriber: subscriber, branches: [aBranch, bBranch, cBranch, dBranch]) { empty in
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
