extension Publisher {
  /// Sends tuples of this publisher's values and another's: of the first two, the second two, and so on.
  ///
  /// A value waits until there is one of the other publisher. A request goes to both publishers, also one made within a
  /// delivery; demand that is returned from a delivery goes to the publisher that completed the tuple, as in Combine. A
  /// request for no values traps.
  ///
  /// The stream finishes when a publisher has finished and none of its values waits. It fails with the first failure,
  /// unless the last tuple is being received; values that wait are dropped. Then, and when the stream is cancelled, the
  /// publishers are cancelled. The publishers may send from different threads; the tuples are serial, on one of these
  /// threads.
  ///
  ///     let cancellable = [1, 2, 3].publisher.zip(["a", "b"].publisher).sink { print($0) }
  ///     // (1, "a"), (2, "b")
  @inlinable
  public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P>
  where Failure == P.Failure {
    Publishers.Zip(self, other)
  }

  /// Sends the results of a closure for this publisher's values and another's, taken in order.
  ///
  /// `transform` is called on the thread that completes a tuple. Demand, completion, failure, cancellation
  /// and threads are those of ``zip(_:)``.
  ///
  ///     let cancellable = [1, 2].publisher.zip([10, 20].publisher) { $0 + $1 }.sink { print($0) }
  ///     // 11, 22
  @inlinable
  public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T>
  where Failure == P.Failure {
    Publishers.Map(upstream: Publishers.Zip(self, other)) { transform($0.0, $0.1) }
  }

  /// Sends tuples of the values of this publisher and two others, in the order in which they come.
  ///
  /// Demand, completion, failure, cancellation and threads are those of ``zip(_:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.Zip3<Self, P, Q>
  where Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }

  /// Sends the results of a closure for the values of this publisher and two others, taken in order.
  ///
  /// `transform` is called on the thread that completes a tuple. Demand, completion, failure, cancellation
  /// and threads are those of ``zip(_:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T>
  where Failure == P.Failure, P.Failure == Q.Failure {
    Publishers.Map(upstream: Publishers.Zip3(self, publisher1, publisher2)) { transform($0.0, $0.1, $0.2) }
  }

  /// Sends tuples of the values of this publisher and three others, in the order in which they come.
  ///
  /// Demand, completion, failure, cancellation and threads are those of ``zip(_:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.Zip4<Self, P, Q, R>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    Publishers.Zip4(self, publisher1, publisher2, publisher3)
  }

  /// Sends the results of a closure for the values of this publisher and three others, taken in order.
  ///
  /// `transform` is called on the thread that completes a tuple. Demand, completion, failure, cancellation
  /// and threads are those of ``zip(_:)``.
  @inlinable
  public func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
  where Failure == P.Failure, P.Failure == Q.Failure, Q.Failure == R.Failure {
    Publishers.Map(upstream: Publishers.Zip4(self, publisher1, publisher2, publisher3)) {
      transform($0.0, $0.1, $0.2, $0.3)
    }
  }
}
