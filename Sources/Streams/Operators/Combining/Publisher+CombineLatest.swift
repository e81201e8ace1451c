extension Publisher {
  /// Sends a tuple of the latest values of this publisher and another whenever one of them sends a value.
  ///
  /// The first tuple is sent when both have sent a value. Every request, also one made within a delivery, and the
  /// demand returned from it, goes to both publishers; a tuple for which there is no demand is dropped. A request
  /// for no values traps. A value that the subscriber sends to one of the publishers while it receives a tuple
  /// makes no tuple of its own: it is in the next one.
  ///
  /// The stream finishes when both publishers have, or when one has without having sent a value. It fails with
  /// the first failure. Before that, and when the stream is cancelled, the publishers are cancelled. The
  /// publishers may send from different threads; the tuples are serial, on one of these threads.
  ///
  ///     let cancellable = width.combineLatest(height).sink { print("area", $0 * $1) }
  @inlinable
  public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
  where Failure == P.Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Sends the results of a closure for the latest values of this publisher and another.
  ///
  /// `transform` is called on the thread that sends the newest value, and only for tuples that are demanded.
  /// Demand, completion, failure, cancellation and threads are those of ``combineLatest(_:)``.
  ///
  ///     let cancellable = width.combineLatest(height) { $0 * $1 }.sink { print("area", $0) }
  @inlinable
  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T>
  where Failure == P.Failure {
    Publishers.Map(upstream: Publishers.CombineLatest(self, other)) { transform($0.0, $0.1) }
  }

  /// Sends tuples of the latest values of this publisher and two others.
  ///
  /// Demand, completion, failure, cancellation and threads are those of ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.CombineLatest3<Self, P, Q>
  where Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// Sends the results of a closure for the latest values of this publisher and two others.
  ///
  /// `transform` is called on the thread that sends the newest value, and only for tuples that are demanded.
  /// Demand, completion, failure, cancellation and threads are those of ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T>
  where Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.Map(upstream: Publishers.CombineLatest3(self, publisher1, publisher2)) {
      transform($0.0, $0.1, $0.2)
    }
  }

  /// Sends tuples of the latest values of this publisher and three others.
  ///
  /// Demand, completion, failure, cancellation and threads are those of ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.CombineLatest4<Self, P, Q, R>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
  }

  /// Sends the results of a closure for the latest values of this publisher and three others.
  ///
  /// `transform` is called on the thread that sends the newest value, and only for tuples that are demanded.
  /// Demand, completion, failure, cancellation and threads are those of ``combineLatest(_:)``.
  @inlinable
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    Publishers.Map(upstream: Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)) {
      transform($0.0, $0.1, $0.2, $0.3)
    }
  }
}
